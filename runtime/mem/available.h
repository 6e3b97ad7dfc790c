/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_AVAILABLE_H
#define RB_BASE_AVAILABLE_H

/**
 * @file
 * How much memory is left for this process: on the machine, and in each memory control group
 * (version 1 and 2) of the process. Where a group or a machine is full, the kernel kills processes
 * instead of failing calls. So code that takes much memory has to ask first. No DPDK here.
 */

#include <stdint.h>

struct rb_available {
	uint64_t limit;	    /**< bytes of the smallest limit, UINT64_MAX: unknown */
	uint64_t left;	    /**< bytes that may still be taken, UINT64_MAX: unknown */
	char limit_of[128]; /**< name of that limit: "the machine", "memory cgroup /x" */
	char bound[128];    /**< name of the limit that leaves so little */
	uint64_t bound_of;  /**< bytes of that limit */
	/** processes that the kernel has killed so far because memory was full: on this machine,
	 *  and in the groups (version 2: also below them) */
	uint64_t killed, killed_here;
};

/** @param root where proc and sys are found, "" on a real machine */
void rb_available_look(const char *root, struct rb_available *room);

#endif /* RB_BASE_AVAILABLE_H */
