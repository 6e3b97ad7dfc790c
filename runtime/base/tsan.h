/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_TSAN_H
#define RB_BASE_TSAN_H

/**
 * @file
 * What a race detector has to be told. ThreadSanitizer looks at one process: that a reply comes
 * after its request, or a barrier after what the other PEs did to this one's memory before, it
 * cannot know, as the link between the two is another process. So each point at which this
 * process lets others see what it did is a release, and each at which it learns something of them
 * an acquire, of one object. In other builds there is nothing here.
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
