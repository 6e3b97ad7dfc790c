/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LAB_WEAK_H
#define LAB_WEAK_H

/**
 * @file
 * Windows that are as weakly ordered as an adapter's may be, in builds with -Dweak_window=true.
 * base/window.h has the rules, is what the runtime calls, and has nothing in their place elsewhere.
 */

#include <stdbool.h>
#include <stddef.h>

/** Loads and stores of [@p va, @p va + @p len) are weak from here on. */
void rb_weak_window(const void *va, size_t len);
/** True: @p dst is in a window, and the bytes are in the buffer of this thread. */
bool rb_weak_store(void *dst, const void *src, size_t len);
/** True: @p src is in a window, and was loaded. */
bool rb_weak_load(void *dst, const void *src, size_t len);
/** A fence of @p where. RINGBELL_WEAK_SKIP names those that are left out, to see what they are for.
 */
void rb_weak_store_fence(const char *kind, const char *where);
void rb_weak_load_fence(const char *kind, const char *where);
/** A packet that is behind all stores through the window with that address: what is under way
 *  lands. */
void rb_weak_push(const void *window);
/** Is the flush of @p where one of those that are left out? */
bool rb_weak_skips(const char *kind, const char *where);

#endif /* LAB_WEAK_H */
