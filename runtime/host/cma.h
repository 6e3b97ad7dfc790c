/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_CMA_H
#define RB_HOST_CMA_H

/**
 * @file
 * May PEs of a host reach each other's private memory? The lead finds out, for all.
 */

#include <stdbool.h>
#include <stddef.h>

struct rb_target;

enum rb_cma_reach {
	RB_CMA_UNKNOWN,
	RB_CMA_REACHES,
	RB_CMA_FORBIDDEN,
};

/** Once all PEs of the host have said which processes they are. 0, or -EPERM with words: it is
 *  forbidden, and this job cannot do without. */
int rb_cma_open(void);
/** What the lead found; waits for that. */
bool rb_cma_reaches(void);

/** Cross Memory Attach, where another local PE's static data is private. 0 or -errno. */
int rb_cma_put(const struct rb_target *t, const void *src, size_t len);

int rb_cma_get(const struct rb_target *t, void *dst, size_t len);

#endif /* RB_HOST_CMA_H */
