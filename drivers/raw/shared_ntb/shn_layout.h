/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHN_LAYOUT_H
#define SHN_LAYOUT_H

/*
 * What stands in memory that several hosts share: a page for each host, then a region of each host.
 * Nobody lays it out: each holder of a place says for how many hosts and bytes it divides the
 * memory, and no two that are alive say otherwise. All of it is untrusted: any of the hosts may
 * have written anything there. Words of 64 bits in the order of bytes of x86 and ARMv8; the memory
 * is coherent for all hosts.
 */

#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

#define SHN_MAGIC 0x33646572616873ull /* "shared3": another layout has another number */

enum {
	SHN_MAX_HOSTS = 64,
	SHN_PADS = 8,
	SHN_PAGE = 4096,
	SHN_ALIGN = 2 * 1024 * 1024, /* of regions: DAX devices and huge pages map no less */
};

/* A host's place. */
struct shn_host {
	/* number of the program that holds the place, 0: none. Taken by compare-and-swap from 0 or
	 * from a holder that is dead, given back by the holder. */
	_Atomic uint64_t session;
	/* session ^ SHN_MAGIC: hosts and size are the holder's (release, acquire) */
	_Atomic uint64_t divided;
	uint64_t hosts, size;  /* of all */
	_Atomic uint64_t beat; /* changes while the holder lives; relaxed, the holder writes */
	/* by other host: the holder's session once its port to that host is started, else 0; the
	 * holder writes. Release: the region is configured before. Acquire in link_session(). */
	_Atomic uint64_t open[SHN_MAX_HOSTS];
	/* scratchpads of the port to each other host. Both hosts of a port write them. Release and
	 * acquire: they are seen in the order in which they were written. */
	_Atomic uint32_t pad[SHN_MAX_HOSTS][SHN_PADS];
} __attribute__((aligned(SHN_PAGE)));

/* Takes SHN_ALIGN bytes, for any number of hosts; the regions follow. */
struct shn_control {
	struct shn_host host[SHN_MAX_HOSTS];
};

static_assert(sizeof(struct shn_control) <= SHN_ALIGN, "the regions begin behind it");

#endif /* SHN_LAYOUT_H */
