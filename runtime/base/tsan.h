/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_TSAN_H
#define RB_BASE_TSAN_H

/**
 * @file
 * Annotations for ThreadSanitizer, which sees only one process. It cannot know that a reply follows
 * its request, or that a barrier follows the earlier stores of other PEs, because another process
 * links the two. So each point at which this process publishes its stores is a release, and each
 * point at which it learns of others' stores an acquire, both of one object. In other builds both
 * are empty.
 */

#include "base/state.h"

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>

static inline void
rb_tsan_release(void)
{
	__tsan_release(&rb);
}

static inline void
rb_tsan_acquire(void)
{
	__tsan_acquire(&rb);
}
#else
static inline void
rb_tsan_release(void)
{
}

static inline void
rb_tsan_acquire(void)
{
}
#endif

#endif /* RB_BASE_TSAN_H */
