/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_FASTPATH_H
#define RB_MEM_FASTPATH_H

/**
 * @file
 * Part of rb.h: the fast path of puts and gets. Where a PE's copy of a symmetric object is plain
 * memory to this process (memory of this host, or a window that is memory), an operation on a few
 * bytes reads one cache line and copies. Where a function here returns false, the caller calls
 * rb_put() or rb_get(): they know all other methods, and report what is wrong.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	RB_FAST_PES = 1024, /**< as many as a job has at most */
	RB_FAST_WORD = 16,  /**< bytes of the largest word */
	RB_FAST_MAX = 4096, /**< longer copies choose a method: rb_put(), rb_get() */
};

/** One symmetric segment of a PE. Sizes of 0 close the fast path, for a time or for good. */
struct rb_fast_seg {
	uintptr_t here;	 /**< this PE's copy of the segment */
	uint64_t size;	 /**< bytes in reach */
	uint64_t words;	 /**< offsets at which a word of any size still lies inside */
	ptrdiff_t shift; /**< from an address of this PE's copy to that of the other PE's */
};

struct rb_fast {
	struct rb_fast_seg heap;
	struct rb_fast_seg data; /* directly after heap: rb_fast_seg_of() relies on it */
} __attribute__((aligned(64)));

/** By PE. Filled by rb_open(). A fence that orders stores after frames sets the sizes to 0 until
 *  those frames are acknowledged (rb_fast_close, rb_fast_open). They are also 0 before rb_open()
 *  and after rb_close().
 */
extern struct rb_fast rb_fast[] __attribute__((visibility("hidden")));

/** Hosts whose words this CPU's own atomics change, as bits: this host, and those beyond a window
 *  that is coherent memory. Where rb_fast[] reaches. Constant after rb_open(). */
extern uint64_t rb_fast_atomics __attribute__((visibility("hidden")));

static inline bool
rb_fast_atomic(int host)
{
	return (rb_fast_atomics >> host & 1) != 0;
}

/** Are operations counted or traced? rb_put() and rb_get() do that, so the caller leaves all
 *  operations to them. No word is in reach then: that closes the path in code that programs have
 *  compiled in. Constant after rb_open(). */
bool rb_fast_counts(void);

/** Fill rb_fast[], once links and routes are known. */
void rb_fast_fill(void);
/** Close the fast path of stores to @p host until that host has executed the first @p issued
 *  requests of channel @p chan. */
void rb_fast_close(int host, unsigned int chan, uint64_t issued);
/** An operation on the slow path did not have to wait: try to open the fast path again. */
void rb_fast_open(int host);
/** Empty the table until rb_close(): every operation takes the slow path. */
void rb_fast_hide(void);

/** Selects heap or static data without a branch, so that neither costs more than the other. */
static inline const struct rb_fast_seg *
rb_fast_seg_of(const struct rb_fast *entry, uintptr_t a)
{
	return &entry->heap +
	       (a - entry->data.here < __atomic_load_n(&entry->data.size, __ATOMIC_RELAXED));
}

/** Find PE @p pe's copy of the word at @p addr. @p pe is valid. False: the fast path does not reach
 *  it. */
static inline bool
rb_fast_word(int pe, const void *addr, void **ret)
{
	uintptr_t a = (uintptr_t)addr;
	const struct rb_fast_seg *seg = rb_fast_seg_of(&rb_fast[pe], a);

	*ret = (void *)(a + (uintptr_t)seg->shift);
	/* acquire: pairs with set_seg() */
	return a - seg->here < __atomic_load_n(&seg->words, __ATOMIC_ACQUIRE);
}

/** The same for @p len bytes. */
static inline bool
rb_fast_at(int pe, const void *addr, size_t len, void **ret)
{
	uintptr_t a = (uintptr_t)addr;
	const struct rb_fast_seg *seg = rb_fast_seg_of(&rb_fast[pe], a);
	uint64_t size = __atomic_load_n(&seg->size, __ATOMIC_ACQUIRE); /* pairs with set_seg() */

	*ret = (void *)(a + (uintptr_t)seg->shift);
	return len <= size && a - seg->here <= size - len;
}

/** Copy within plain memory. A naturally aligned word is copied by one access, because a peer may
 *  be reading it (OpenSHMEM 1.6, 9.10: wait on a word that a put updates) or changing it. Release:
 *  pairs with the acquire of that wait. The word may announce data that this thread copied for
 *  another PE, and that PE's fence ran on another CPU. */
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

/** 16 bytes at any address. */
typedef uint64_t rb_vec __attribute__((vector_size(16), aligned(1), may_alias));

/** rb_store() of lengths that it does not store in line. Set by rb_fast_fill(), constant after
 *  it. */
extern void (*rb_store_any)(void *dst, const void *src, size_t len)
	__attribute__((visibility("hidden")));

/** rb_store() of @p n vectors, 4 at most: all are read before one is stored. */
static inline __attribute__((always_inline)) void
rb_store_vecs(void *dst, const void *src, int n)
{
	const rb_vec *from = src;
	volatile rb_vec *to = dst;
	rb_vec a = from[0], b = from[n > 1], c = from[n > 2 ? 2 : 0], d = from[n > 2 ? 3 : 0];

	to[0] = a;
	if (n > 1)
		to[1] = b;
	if (n > 2) {
		to[2] = c;
		to[3] = d;
	}
}

/** Copy of a put. A PE that has seen the new value of a word may store there at once, and that must
 *  stay: each byte is stored once, in up to RB_FAST_MAX bytes, and of more those of the last 64.
 *  memmove() stores bytes twice where that saves instructions, all of 16, 32 or 64. Volatile, so
 *  that no compiler makes one of it. Release: as in rb_copy(), for every word. Relaxed accesses of
 *  an address that is not aligned are plain ones on x86 and ARMv8. */
static inline __attribute__((always_inline)) void
rb_store(void *dst, const void *src, size_t len)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
	if (len == 8)
		__atomic_store_n((uint64_t *)dst,
				 __atomic_load_n((const uint64_t *)src, __ATOMIC_RELAXED),
				 __ATOMIC_RELAXED);
	else if (len == 4)
		__atomic_store_n((uint32_t *)dst,
				 __atomic_load_n((const uint32_t *)src, __ATOMIC_RELAXED),
				 __ATOMIC_RELAXED);
	else if (len == 16)
		rb_store_vecs(dst, src, 1);
	else if (len == 32)
		rb_store_vecs(dst, src, 2);
	else if (len == 64)
		rb_store_vecs(dst, src, 4);
	else
		rb_store_any(dst, src, len);
}

/** Later reads of the caller must not be older than what it has just got: a program may get a flag
 *  until it is set, and then the data. Pairs with the release of the thread that stored the
 *  flag. */
static inline __attribute__((always_inline)) void
rb_got(void)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
}

#endif /* RB_MEM_FASTPATH_H */
