/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_FASTPATH_H
#define RB_MEM_FASTPATH_H

/**
 * @file
 * Part of rb.h: the short way of puts and gets. Where a PE's copy of a symmetric object is plain
 * memory to this process (of this host, or a window that is memory), an operation on a few bytes is
 * a look at one cache line and the copy. A caller that is told no calls rb_put() or rb_get(),
 * which know all ways and what is wrong.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	RB_FAST_PES = 1024, /**< as many as a job has at most */
	RB_FAST_WORD = 16,  /**< bytes of the largest word */
	RB_FAST_MAX = 4096, /**< longer copies have a choice of methods: rb_put(), rb_get() */
};

/** One symmetric segment of a PE. Zero sizes: not this way, at least at present. */
struct rb_fast_seg {
	uintptr_t here;	 /**< this PE's copy of the segment */
	uint64_t size;	 /**< bytes in reach */
	uint64_t words;	 /**< offsets at which a word of any size still lies inside */
	ptrdiff_t shift; /**< from an address of this PE's copy to that of the other PE's */
};

struct rb_fast {
	struct rb_fast_seg heap;
	struct rb_fast_seg data; /* right behind, see rb_fast_seg_of() */
} __attribute__((aligned(64)));

/** By PE. Filled by rb_open(). Sizes are 0 from a fence that orders stores behind frames until
 * those are acknowledged (rb_fast_close, rb_fast_open), and before rb_open() and after rb_close().
 */
extern struct rb_fast rb_fast[] __attribute__((visibility("hidden")));
/** The same of a job that is counted or traced (mem/fastpath_traced.h), where rb_fast[] is empty.
 */
extern struct rb_fast rb_fast_traced[] __attribute__((visibility("hidden")));

/** Fill rb_fast[], once links and routes are known. */
void rb_fast_fill(void);
/** Stores towards @p host go the long way until it has executed the first @p issued requests of
 *  channel @p chan. */
void rb_fast_close(int host, unsigned int chan, uint64_t issued);
/** The long way did not have to wait: try the short one again. */
void rb_fast_open(int host);
/** Empty it until rb_close(): every operation is to take the long way. */
void rb_fast_hide(void);

/** Heap or static data, without a branch: neither is to cost more than the other. */
static inline const struct rb_fast_seg *
rb_fast_seg_of(const struct rb_fast *near, uintptr_t a)
{
	return &near->heap +
	       (a - near->data.here < __atomic_load_n(&near->data.size, __ATOMIC_RELAXED));
}

/** Where PE @p pe's copy of the word at @p addr is. @p pe is valid. False: not this way. */
static inline bool
rb_fast_word(int pe, const void *addr, void **ret)
{
	uintptr_t a = (uintptr_t)addr;
	const struct rb_fast_seg *seg = rb_fast_seg_of(&rb_fast[pe], a);

	*ret = (void *)(a + (uintptr_t)seg->shift);
	/* acquire: pairs with set_seg() */
	return a - seg->here < __atomic_load_n(&seg->words, __ATOMIC_ACQUIRE);
}

static inline bool
rb_fast_find(const struct rb_fast *near, const void *addr, size_t len, void **ret)
{
	uintptr_t a = (uintptr_t)addr;
	const struct rb_fast_seg *seg = rb_fast_seg_of(near, a);
	uint64_t size = __atomic_load_n(&seg->size, __ATOMIC_ACQUIRE); /* as above */

	*ret = (void *)(a + (uintptr_t)seg->shift);
	return len <= size && a - seg->here <= size - len;
}

/** The same for @p len bytes. */
static inline bool
rb_fast_at(int pe, const void *addr, size_t len, void **ret)
{
	return rb_fast_find(&rb_fast[pe], addr, len, ret);
}

/** Copy within reach. Naturally aligned words go as one access, because a peer may be looking at
 *  them (OpenSHMEM 1.6, 9.10: wait on a word that a put updates), or changing them. Release: pairs
 *  with the wait, where this thread has copied what the word tells of for somebody else, whose
 *  fence was one of another CPU. */
static inline __attribute__((always_inline)) void
rb_copy(void *dst, const void *src, size_t len)
{
	uintptr_t both = (uintptr_t)dst | (uintptr_t)src;
	uint64_t v;

	if (len == 8 && both % 8 == 0) {
		v = __atomic_load_n((const uint64_t *)src, __ATOMIC_RELAXED);
		__atomic_store_n((uint64_t *)dst, v, __ATOMIC_RELEASE);
	} else if (len == 4 && both % 4 == 0) {
		uint32_t w = __atomic_load_n((const uint32_t *)src, __ATOMIC_RELAXED);

		__atomic_store_n((uint32_t *)dst, w, __ATOMIC_RELEASE);
	} else {
		memmove(dst, src, len);
	}
}

/** Nothing that the caller reads from here on may be older than what it has just got: a program may
 *  get a flag until it is set, and then the data. Pairs with the release of whoever stored it. */
static inline __attribute__((always_inline)) void
rb_got(void)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
}

#endif /* RB_MEM_FASTPATH_H */
