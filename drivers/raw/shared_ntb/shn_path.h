/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHN_PATH_H
#define SHN_PATH_H

#include <limits.h>
#include <stdint.h>

#include "ntb_log.h"

/* How hosts wake each other whose memory is that of QEMU's ivshmem-doorbell: a store to a register
 * of one guest's function is an interrupt of another's, which VFIO hands to the EAL. */
struct shn_bell {
	char path[PATH_MAX], *bus, *function; /* in sysfs */
	int device, event;		      /* VFIO's; -1: none */
	struct rte_intr_handle *intr;
	uint32_t id; /* 1 + its number at QEMU's server; 0: this host cannot be woken, nor rings */
	uint32_t word; /* changes with each interrupt, for FUTEX_WAIT */
};

void shn_bell_close(struct shn_bell *b);
void shn_bell_ring(const struct shn_bell *b, uint32_t id);

/** Open a file, a DAX device, or a BAR of an ivshmem function in sysfs and its doorbells, which are
 *  to be closed in any case, and tell its size. The descriptor, or a negative errno with a line of
 * log about what it is instead. */
int shn_path_open(const char *path, const char *device, uint64_t *ret_size, struct shn_bell *bell);

#endif /* SHN_PATH_H */
