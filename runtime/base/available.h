/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_AVAILABLE_H
#define RB_BASE_AVAILABLE_H

/**
 * @file
 * How much memory there is for this process: that of the machine, and of each memory control group
 * (version 1 and 2) which it is in. A group that is full has its processes killed, and so has a
 * machine; no call fails. So whoever takes much has to ask before. No DPDK here.
 */

#include <stdint.h>

struct rb_available {
	uint64_t limit;	    /**< bytes there are at most, UINT64_MAX: unknown */
	uint64_t left;	    /**< bytes that may still be taken, UINT64_MAX: unknown */
	char limit_of[128]; /**< what has no more: "the machine", "memory cgroup /x" */
	char bound[128];    /**< what leaves so little: "the machine", "memory cgroup /x" */
	uint64_t bound_of;  /**< bytes that it has */
	/** processes that the kernel has killed for want of memory, so far: on this machine, and in
	 *  the groups (of version 2 also below them) */
	uint64_t killed, killed_here;
};

/** @param root where proc and sys are found, "" on a real machine */
void rb_available_look(const char *root, struct rb_available *room);

#endif /* RB_BASE_AVAILABLE_H */
