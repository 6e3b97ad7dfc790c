/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_SLICE_H
#define RB_BASE_SLICE_H

/** Ask the kernel for short time slices for the calling thread: then it lets this thread run as
 * soon as it has something to do, and takes its CPU away as soon. */
void rb_slice_short(void);
enum {
	RB_SLICE_NS = 100 * 1000 /**< the least that Linux takes */
};

#endif /* RB_BASE_SLICE_H */
