/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "space.h"
#include "token.h"

/*
 * What the compiler calls with -fsanitize=thread, in place of that tool's library: a point at every
 * atomic and at every access to memory that processes share. The accesses themselves are
 * sequentially consistent; what windows may reorder is lab/weak's part.
 */

static void
plain_access(const void *at, bool store)
{
	uint64_t where;

	if (dst_self == NULL)
		return;
	where = dst_place((uint64_t)at);
	if (where == 0)
		return;
	dst_point(DST_PLAIN, where, 0);
	if (store)
		dst_changed();
}

#define PLAIN(name, store)               \
	void name(void *at);             \
	void name(void *at)              \
	{                                \
		plain_access(at, store); \
	}
#define PLAINS(n)                                       \
	PLAIN(__tsan_read##n, false)                    \
	PLAIN(__tsan_write##n, true)                    \
	PLAIN(__tsan_unaligned_read##n, false)          \
	PLAIN(__tsan_unaligned_write##n, true)          \
	PLAIN(__tsan_volatile_read##n, false)           \
	PLAIN(__tsan_volatile_write##n, true)           \
	PLAIN(__tsan_unaligned_volatile_read##n, false) \
	PLAIN(__tsan_unaligned_volatile_write##n, true)

PLAINS(1)
PLAINS(2)
PLAINS(4)
PLAINS(8)
PLAINS(16)

void __tsan_read_range(void *at, size_t len);
void
__tsan_read_range(void *at, size_t len)
{
	(void)len;
	plain_access(at, false);
}

void __tsan_write_range(void *at, size_t len);
void
__tsan_write_range(void *at, size_t len)
{
	(void)len;
	plain_access(at, true);
}

void __tsan_init(void);
void
__tsan_init(void)
{
}

void __tsan_atomic_thread_fence(int order);
void
__tsan_atomic_thread_fence(int order)
{
	(void)order;
	dst_point(DST_FENCE, 0, 0);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order);
void
__tsan_atomic_signal_fence(int order)
{
	(void)order;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* A word of this process alone has no name that is equal in every run, nor has it one value before
 * its first store: each store there counts as a change. */
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

static void
note_change(bool changed)
{
	if (changed && dst_self != NULL)
		dst_changed();
}

#define LOAD_STORE(bits, type)                                                                \
	type __tsan_atomic##bits##_load(const volatile type *at, int order);                  \
	type __tsan_atomic##bits##_load(const volatile type *at, int order)                   \
	{                                                                                     \
		(void)order;                                                                  \
		point_at(DST_LOAD, at);                                                       \
		return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                 \
	}                                                                                     \
	void __tsan_atomic##bits##_store(volatile type *at, type v, int order);               \
	void __tsan_atomic##bits##_store(volatile type *at, type v, int order)                \
	{                                                                                     \
		uint64_t where = point_at(DST_STORE, at);                                     \
                                                                                              \
		(void)order;                                                                  \
		note_change(__atomic_exchange_n(at, v, __ATOMIC_SEQ_CST) != v || where == 0); \
	}

#define RMW(bits, type, name, op)                                                \
	type __tsan_atomic##bits##_##name(volatile type *at, type v, int order); \
	type __tsan_atomic##bits##_##name(volatile type *at, type v, int order)  \
	{                                                                        \
		type old;                                                        \
                                                                                 \
		(void)order;                                                     \
		point_at(DST_RMW, at);                                           \
		old = op(at, v, __ATOMIC_SEQ_CST);                               \
		note_change(old != __atomic_load_n(at, __ATOMIC_SEQ_CST));       \
		return old;                                                      \
	}

#define CAS(bits, type, name)                                                             \
	int __tsan_atomic##bits##_##name(volatile type *at, type *old, type v, int order, \
					 int fail);                                       \
	int __tsan_atomic##bits##_##name(volatile type *at, type *old, type v, int order, \
					 int fail)                                        \
	{                                                                                 \
		int done;                                                                 \
                                                                                          \
		(void)order;                                                              \
		(void)fail;                                                               \
		point_at(DST_RMW, at);                                                    \
		done = __atomic_compare_exchange_n(at, old, v, false, __ATOMIC_SEQ_CST,   \
						   __ATOMIC_SEQ_CST);                     \
		note_change(done &&*old != v);                                            \
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
