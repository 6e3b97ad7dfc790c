/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/fastpath.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/deal.h"
#include "base/state.h"
#include "base/wire.h"
#include "mem/layout.h"
#include "mem/target.h"

struct rb_fast rb_fast[RB_FAST_PES];
_Static_assert((int)RB_FAST_PES == (int)RB_MAX_PES, "PEs without an entry");

uint64_t rb_fast_atomics;

static bool filled;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Hosts within reach, as bits, and the PEs of each as a list: the first one, and for each PE the
 * next. */
static _Atomic uint64_t reachable;
static struct {
	int first, pes;
	_Atomic uint32_t asked; /* calls of rb_fast_open() since the path was closed */
} hosts[RB_MAX_HOSTS];
static int next_of[RB_MAX_PES];

bool
rb_fast_counts(void)
{
	return rb.instrument != 0;
}

/* memmove() copies much as this CPU does best. A program that waits for a word of a long put waits
 * for one at its end, which is stored once. */
static __attribute__((noinline, cold)) void
store_long(uint8_t *to, const uint8_t *from, size_t len)
{
	size_t many = (len - 64) & ~(size_t)63;

	memmove(to, from, many);
	rb_store_any(to + many, from + many, len - many);
}

/* at any address */
typedef uint64_t wide __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint64_t word __attribute__((aligned(1), may_alias));
typedef uint32_t half __attribute__((aligned(1), may_alias));

/* Few branches that are taken, and four vectors a turn: a CPU that shares its core with a busy one
 * pays for both more than for stores. */
static inline __attribute__((always_inline)) void
store_once(uint8_t *to, const uint8_t *from, size_t len)
{
#define STORE(type) \
	*(volatile type *)to = *(const type *)from, to += sizeof(type), from += sizeof(type)
	/* nothing of the source may be overwritten before it is read */
	if (__builtin_expect((uintptr_t)to - (uintptr_t)from - 1 < len, 0)) {
		memmove(to, from, len);
		return;
	}
	if (len >= 128) {
		const uint8_t *end = from + (len & ~(size_t)127);

		if (__builtin_expect(len > RB_FAST_MAX, 0)) {
			store_long(to, from, len);
			return;
		}
		do {
			wide v[4];

			memcpy(v, from, sizeof(v));
#pragma GCC unroll 4
			for (int i = 0; i < 4; i++)
				((volatile wide *)to)[i] = v[i];
			to += sizeof(v), from += sizeof(v);
		} while (from != end);
		if (__builtin_expect(len % 128 == 0, 1))
			return;
	}
	if ((len & 64) != 0)
		STORE(wide), STORE(wide);
	if ((len & 32) != 0)
		STORE(wide);
	if ((len & 16) != 0)
		STORE(rb_vec);
	if ((len & 8) != 0)
		STORE(word);
	if (len % 8 == 0)
		return;
	if ((len & 4) != 0)
		STORE(half);
	for (len &= 3; len > 0; len--)
		STORE(uint8_t);
#undef STORE
}

static void
store_any(void *dst, const void *src, size_t len)
{
	store_once(dst, src, len);
}

void (*rb_store_any)(void *dst, const void *src, size_t len) = store_any;

#ifdef __x86_64__
static __attribute__((target("avx2,tune=haswell"))) void
store_any_wide(void *dst, const void *src, size_t len)
{
	store_once(dst, src, len);
}
#endif

static uint8_t *
segment_at(int pe, enum rb_seg seg)
{
	const struct rb_loc loc = {.seg = seg, .off = 0};
	struct rb_target t;

	rb_target_at(&t, pe, &loc);
	if (t.host == rb.host)
		return rb_local(&t);
	return rb.link[t.port].memory && rb.link[t.port].peer != NULL ? rb_direct(&t) : NULL;
}

static struct rb_fast_seg
seg_of(int pe, enum rb_seg seg)
{
	uintptr_t here = (uintptr_t)(seg == RB_SEG_HEAP ? rb_mem.heap : rb_mem.data);
	uintptr_t there = (uintptr_t)segment_at(pe, seg);
	uint64_t size = there == 0 ? 0 : rb_seg_size(seg);

	return (struct rb_fast_seg){
		.here = here,
		.size = size,
		.words = size < RB_FAST_WORD || rb_fast_counts() ? 0 : size - RB_FAST_WORD + 1,
		.shift = (ptrdiff_t)(there - here),
	};
}

static bool
in_reach(int host)
{
	return (atomic_load_explicit(&reachable, memory_order_relaxed) >> host & 1) != 0;
}

static void
list_hosts(void)
{
	uint64_t found = 0;
	int h, pe;

	rb_fast_atomics = 1ull << rb.host;
	for (h = 0; h < rb.hosts; h++)
		hosts[h].first = -1, hosts[h].pes = 0;
	for (pe = rb.npes - 1; pe >= 0; pe--) {
		h = rb_pe_host(pe);
		next_of[pe] = hosts[h].first;
		hosts[h].first = pe;
		hosts[h].pes++;
		if (segment_at(pe, RB_SEG_HEAP) == NULL)
			continue;
		found |= 1ull << h;
		if (h != rb.host && rb.link[rb_route_port(h)].atomics)
			rb_fast_atomics |= 1ull << h;
	}
	atomic_store_explicit(&reachable, found, memory_order_relaxed);
}

void
rb_fast_fill(void)
{
	int pe;

#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2"))
		rb_store_any = store_any_wide;
#endif
	pthread_mutex_lock(&lock);
	filled = true;
	list_hosts();
	for (pe = 0; pe < rb.npes; pe++)
		rb_fast[pe] = (struct rb_fast){.heap = seg_of(pe, RB_SEG_HEAP),
					       .data = seg_of(pe, RB_SEG_DATA)};
	pthread_mutex_unlock(&lock);
}

void
rb_fast_hide(void)
{
	filled = false;
	memset(rb_fast, 0, (size_t)rb.npes * sizeof(rb_fast[0]));
}

/*
 * By host and channel: requests that must be executed before stores may follow, because a fence
 * ordered stores after them. The fast path to a host is open while all of these are acknowledged.
 * Protected by `lock`. Closing raises `held` first, so a thread that reopens the path always sees
 * it.
 */
static uint64_t held[RB_MAX_HOSTS][RB_MAX_CHANNELS];

/* Release: pairs with the acquire in rb_fast_word() and rb_fast_at(). A thread that finds the
 * fast path open may store at once, because the acknowledgements that opened it were read before.
 * On most CPUs a store that depends on the load waits for it anyway; that the store also comes
 * after what other hosts have executed follows only from this pair. */
static void
set_seg(struct rb_fast_seg *seg, const struct rb_fast_seg *to)
{
	__atomic_store_n(&seg->size, to->size, __ATOMIC_RELEASE);
	__atomic_store_n(&seg->words, to->words, __ATOMIC_RELEASE);
}

static void
set_host(int host, bool open)
{
	static const struct rb_fast_seg none;
	int pe;

	for (pe = hosts[host].first; pe >= 0; pe = next_of[pe]) {
		struct rb_fast_seg heap = open ? seg_of(pe, RB_SEG_HEAP) : none;
		struct rb_fast_seg data = open ? seg_of(pe, RB_SEG_DATA) : none;

		set_seg(&rb_fast[pe].heap, &heap);
		set_seg(&rb_fast[pe].data, &data);
	}
	atomic_store_explicit(&hosts[host].asked, 0, memory_order_relaxed);
}

static bool
is_open(int host)
{
	return __atomic_load_n(&rb_fast[rb.lead[host]].heap.size, __ATOMIC_RELAXED) != 0;
}

void
rb_fast_close(int host, unsigned int chan, uint64_t issued)
{
	if (!in_reach(host))
		return;
	pthread_mutex_lock(&lock);
	if (held[host][chan] < issued)
		held[host][chan] = issued;
	if (is_open(host))
		set_host(host, false);
	pthread_mutex_unlock(&lock);
}

/*
 * Opening and closing each cost a store for each PE of the host. A program that makes a fence and a
 * put after each atomic would pay for both each time. So the path is opened only after one put on
 * the slow path for each PES_A_PUT PEs of the host: these puts share the cost.
 */
enum {
	PES_A_PUT = 16
};

static bool
fence_allows(int host)
{
	unsigned int chan;
	bool acked = true;

	for (chan = 0; acked && chan < rb.channels; chan++)
		acked = rb_acked(host, chan, RB_CLS_EXECUTED, held[host][chan]);
	return acked;
}

void
rb_fast_open(int host)
{
	uint32_t asked;

	if (!filled || !in_reach(host) || is_open(host))
		return;
	asked = atomic_fetch_add_explicit(&hosts[host].asked, 1, memory_order_relaxed) + 1;
	if ((uint64_t)asked * PES_A_PUT < (uint64_t)hosts[host].pes)
		return;
	pthread_mutex_lock(&lock);
	if (in_reach(host) && fence_allows(host) && !is_open(host))
		set_host(host, true);
	pthread_mutex_unlock(&lock);
}
