/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_CMA_H
#define RB_HOST_CMA_H

/**
 * @file
 * Copies between the private memories of a host's PEs, where the kernel allows them. The lead tests
 * that for all.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum rb_cma_reach {
	RB_CMA_UNKNOWN,
	RB_CMA_REACHES,
	RB_CMA_FORBIDDEN,
};

/** Test it, after all PEs of the host have stored their process ids. */
void rb_cma_open(void);
/** The result of the lead's test; waits for it. */
bool rb_cma_reaches(void);

/** Copy from or to the memory of process @p pid. 0 or -errno. */
int rb_cma_read(pid_t pid, const void *there, void *dst, size_t len);
int rb_cma_write(pid_t pid, void *there, const void *src, size_t len);

#endif /* RB_HOST_CMA_H */
