/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHN_MEDIUM_H
#define SHN_MEDIUM_H

/*
 * Shared memory as this process has it: the mapping of a file, DAX device or BAR, this host's place
 * in it, and who of the others is alive. A place is held by a number that its program has drawn,
 * and by a word that changes ten times a second at least; a host whose word stands still is dead.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "rte_pmd_ntb_port.h"
#include "shn_layout.h"
#include "shn_path.h"

struct shn_args {
	const char *path;
	unsigned int host, hosts;
};

/* A beat as it was seen last, and when it was first seen so; any thread writes. A pair that is late
 * makes the next look see a change: no host is dead that is alive. */
struct shn_seen {
	_Atomic uint64_t beat, since;
	_Atomic uint64_t longest; /* ms without a change */
};

struct shn_medium {
	/* constant once open */
	char device[64]; /* for messages */
	char *path;
	int fd;
	dev_t dev;
	ino_t ino;
	struct shn_control *control; /* where the mapping begins */
	uint64_t size, stride;
	unsigned int host, hosts;
	uint64_t session;
	struct ntb_port_memory memory; /* this host's region */
	struct shn_bell bell;
	/* why the medium is of no use any more; NULL: it is. The EAL's interrupt thread writes, any
	 * may read. Relaxed: text that never changes. */
	_Atomic(const char *) gone;
	struct shn_seen seen[SHN_MAX_HOSTS];
};

/* 0, or a negative errno with a line of log. */
int shn_medium_open(struct shn_medium **ret, const char *device, const struct shn_args *args);
/* Gives the place back. */
void shn_medium_close(struct shn_medium *m);

/* Where the region of a host begins. */
uint64_t shn_region_off(const struct shn_medium *m, unsigned int host);
/* Says that this host is alive. */
void shn_beat(struct shn_medium *m);
bool shn_host_alive(struct shn_medium *m, unsigned int host);

#endif /* SHN_MEDIUM_H */
