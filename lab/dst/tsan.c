/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "token.h"

/*
 * What the compiler calls with -fsanitize=thread, in place of that tool's library: a point at every
 * atomic and at every access to memory that processes share. The accesses themselves are
 * sequentially consistent; what windows may reorder is lab/weak's part.
 */

enum {
	PLAIN = 32, /* one in so many plain accesses is a point: most are of loops over payload */
};

static void
shared_access(const void *at, bool store, bool rare)
{
	uint64_t where;

	if (dst_self == NULL)
		return;
	where = dst_place((uint64_t)at);
	if (where == 0 && rare)
		return;
	if (!rare || DST_AT->plain++ % PLAIN == 0)
		dst_point(DST_PLAIN, where, 0);
	if (store && where != 0)
		dst_changed();
}

#define ACCESS(name, store, rare)               \
	void name(void *at)                     \
	{                                       \
		shared_access(at, store, rare); \
	}
#define ACCESSES(n)                                             \
	ACCESS(__tsan_read##n, false, true)                     \
	ACCESS(__tsan_write##n, true, true)                     \
	ACCESS(__tsan_unaligned_read##n, false, true)           \
	ACCESS(__tsan_unaligned_write##n, true, true)           \
	ACCESS(__tsan_volatile_read##n, false, false)           \
	ACCESS(__tsan_volatile_write##n, true, false)           \
	ACCESS(__tsan_unaligned_volatile_read##n, false, false) \
	ACCESS(__tsan_unaligned_volatile_write##n, true, false)

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void
__tsan_read_range(void *at, size_t len)
{
	(void)len;
	shared_access(at, false, true);
}

void
__tsan_write_range(void *at, size_t len)
{
	(void)len;
	shared_access(at, true, true);
}

void
__tsan_init(void)
{
}

void
__tsan_atomic_thread_fence(int order)
{
	(void)order;
	dst_point(DST_FENCE, 0, 0);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void
__tsan_atomic_signal_fence(int order)
{
	(void)order;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* A word of this process alone has no name that is equal in every run. */
static uint64_t
point_at(enum dst_kind kind, const volatile void *at)
{
	uint64_t where;

	if (dst_self == NULL)
		return 0;
	where = dst_place((uint64_t)at);
	dst_point(kind, where, 0);
	return where;
}

/* Who waits for a word of its process looks again when its time has come: counters there change in
 * every turn of every loop. */
static void
note_change(uint64_t where, bool changed)
{
	if (changed && where != 0)
		dst_changed();
}

#define LOAD_STORE(bits, type)                                                         \
	type __tsan_atomic##bits##_load(const volatile type *at, int order)            \
	{                                                                              \
		(void)order;                                                           \
		point_at(DST_LOAD, at);                                                \
		return __atomic_load_n(at, __ATOMIC_SEQ_CST);                          \
	}                                                                              \
	void __tsan_atomic##bits##_store(volatile type *at, type v, int order)         \
	{                                                                              \
		uint64_t where = point_at(DST_STORE, at);                              \
                                                                                       \
		(void)order;                                                           \
		note_change(where, __atomic_exchange_n(at, v, __ATOMIC_SEQ_CST) != v); \
	}

#define RMW(bits, type, name, op)                                                 \
	type __tsan_atomic##bits##_##name(volatile type *at, type v, int order)   \
	{                                                                         \
		uint64_t where = point_at(DST_RMW, at);                           \
		type old;                                                         \
                                                                                  \
		(void)order;                                                      \
		old = op(at, v, __ATOMIC_SEQ_CST);                                \
		note_change(where, old != __atomic_load_n(at, __ATOMIC_SEQ_CST)); \
		return old;                                                       \
	}

#define CAS(bits, type, name)                                                             \
	int __tsan_atomic##bits##_##name(volatile type *at, type *old, type v, int order, \
					 int fail)                                        \
	{                                                                                 \
		uint64_t where = point_at(DST_RMW, at);                                   \
		int done;                                                                 \
                                                                                          \
		(void)order;                                                              \
		(void)fail;                                                               \
		done = __atomic_compare_exchange_n(at, old, v, false, __ATOMIC_SEQ_CST,   \
						   __ATOMIC_SEQ_CST);                     \
		note_change(where, done &&*old != v);                                     \
		return done;                                                              \
	}

#define ATOMICS(bits, type)                              \
	LOAD_STORE(bits, type)                           \
	RMW(bits, type, exchange, __atomic_exchange_n)   \
	RMW(bits, type, fetch_add, __atomic_fetch_add)   \
	RMW(bits, type, fetch_sub, __atomic_fetch_sub)   \
	RMW(bits, type, fetch_and, __atomic_fetch_and)   \
	RMW(bits, type, fetch_or, __atomic_fetch_or)     \
	RMW(bits, type, fetch_xor, __atomic_fetch_xor)   \
	RMW(bits, type, fetch_nand, __atomic_fetch_nand) \
	CAS(bits, type, compare_exchange_strong)         \
	CAS(bits, type, compare_exchange_weak)

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
