/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_SLICE_H
#define RB_BASE_SLICE_H

/** Ask the kernel for short time slices for the calling thread: the scheduler then runs this thread
 *  sooner when it has work, and takes its CPU away sooner. */
void rb_slice_short(void);
enum {
	RB_SLICE_NS = 100 * 1000 /**< the shortest that Linux accepts */
};

#endif /* RB_BASE_SLICE_H */
