/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <pthread.h>

#include "core/check.h"
#include "core/hang.h"
#include "core/shmemi.h"
#include "shmemx.h"
#include "coll/ctx.h"

/*
 * Distributed locks (section 9.13): an MCS queue. The long of the lock's home PE has the tail of
 * the queue in one half; each PE's own long has, in the other half, its place in the queue: its
 * successor, and whether the lock has been passed to it. A PE waits on its own memory; a lock
 * crosses the ring once per change of hands and once per arrival. PEs get it in order of arrival.
 */
struct lock_halves {
	uint32_t tail; /* home only: PE + 1 of the last in the queue, 0: free */
	uint32_t node; /* PE + 1 of the successor << 1 | GRANTED */
} __attribute__((may_alias));

_Static_assert(sizeof(struct lock_halves) == sizeof(long), "a lock is one long");

enum {
	GRANTED = 1
};

/* Checked mode: what this PE holds, to detect a PE that would wait for itself. */
static struct {
	pthread_mutex_t lock;
	const long *addr[64];
} held = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Replace @p from in the table. @return whether it was there */
static bool
held_change(const long *from, const long *to)
{
	size_t i, n = sizeof(held.addr) / sizeof(held.addr[0]);

	pthread_mutex_lock(&held.lock);
	for (i = 0; i < n && held.addr[i] != from;)
		i++;
	if (i < n)
		held.addr[i] = to;
	pthread_mutex_unlock(&held.lock);
	return i < n;
}

static void
note_taken(const long *lock)
{
	if (shmemi.check)
		(void)held_change(NULL, lock);
}

/* At PE 0, wherever the lock's home is. */
static void
note_got(const long *lock)
{
	if (__builtin_expect(shmemi.races, 0))
		shmemi_race_acquire(lock, sizeof(*lock), 0, false);
}

static void
note_release(const char *call, const long *lock)
{
	if (__builtin_expect(shmemi.races, 0))
		shmemi_race_touch(call, 0,
				  &(struct shmemi_span){lock, 1, sizeof(*lock), sizeof(*lock)},
				  SHMEMI_LOCK, false);
}

/* Offsets in the heap agree on all PEs; those of static data are the loader's, so PE 0 serves. */
static int
home_of(const char *call, const long *lock)
{
	size_t off = (size_t)((const char *)lock - (const char *)rb_heap_base());
	int home;

	shmemi_enter(call);
	if (shmemi.check)
		shmemi_check_thread(call);
	if (!rb_symmetric(lock, sizeof(*lock)) || (uintptr_t)lock % sizeof(*lock) != 0)
		shmemi_fatal(call, "lock %p is not an aligned symmetric long", (const void *)lock);
	home = off < rb_heap_size() ? (int)(off / 64 % (size_t)shmemi.npes) : 0;
	return home;
}

static uint32_t
lock_amo(const char *call, int pe, uint32_t *word, const struct rb_amo *a)
{
	uint32_t old = 0;
	int err = rb_amo(coll_amo_ctx(), pe, word, a, &old, false);

	if (err != 0)
		shmemi_fail(call, err, pe, word, sizeof(*word));
	return old;
}

/* The PE that a half of a lock names; the words are the program's memory. */
static int
pe_in(const char *call, const void *lock, uint32_t number)
{
	if (number == 0 || number > (uint32_t)shmemi.npes)
		shmemi_fatal(call, "lock %p was not zero before its first use", lock);
	return (int)number - 1;
}

/* Wait for bits of this PE's node; pairs with the atomic that sets them. @p wait: the PE waited for
 * */
static uint32_t
await_node(const uint32_t *node, uint32_t mask, struct rb_wait wait)
{
	uint32_t seen;

	while (((seen = __atomic_load_n(node, __ATOMIC_ACQUIRE)) & mask) == 0)
		rb_wait_turn(&wait);
	rb_wait_end(&wait);
	return seen;
}

SHMEMI_API(void, set_lock, (long *lock))
{
	static const char call[] = "shmem_set_lock";
	struct lock_halves *l = (struct lock_halves *)lock;
	struct rb_amo a = {.op = RB_AMO_SWAP, .size = 4, .operand = (uint32_t)shmemi.pe + 1};
	int home = home_of(call, lock);
	uint32_t before;

	if (shmemi.check && held_change(lock, lock))
		shmemi_fatal(call, "lock %p is already held by this PE", (void *)lock);
	before = lock_amo(call, home, &l->tail, &a);
	note_taken(lock);
	if (before == 0) {
		note_got(lock);
		return;
	}
	if (before == a.operand)
		shmemi_fatal(call, "lock %p is already held by this PE", (void *)lock);
	a.op = RB_AMO_OR;
	a.operand = ((uint32_t)shmemi.pe + 1) << 1;
	(void)lock_amo(call, pe_in(call, lock, before), &l->node, &a);
	if (shmemi.check)
		shmemi_hang_enter(call);
	(void)await_node(
		&l->node, GRANTED,
		(struct rb_wait){.what = RB_FOR_PE, .whom = (uint64_t)pe_in(call, lock, before)});
	if (shmemi.check)
		shmemi_hang_leave();
	__atomic_and_fetch(&l->node, ~(uint32_t)GRANTED, __ATOMIC_ACQ_REL);
	note_got(lock);
}

static int
try_lock(const char *call, long *lock)
{
	struct lock_halves *l = (struct lock_halves *)lock;
	const struct rb_amo a = {
		.op = RB_AMO_CSWAP, .size = 4, .operand = (uint32_t)shmemi.pe + 1, .cond = 0};

	if (lock_amo(call, home_of(call, lock), &l->tail, &a) != 0)
		return 1;
	note_taken(lock);
	note_got(lock);
	return 0;
}

SHMEMI_API(int, test_lock, (long *lock))
{
	int ret = try_lock("shmem_test_lock", lock);

	/* a program that polls: where its own PE has the word, nothing else waits */
	if (ret != 0)
		rb_progress_tested();
	return ret;
}

/* A place in the queue cannot be given up: the PE before it stores there, the one behind it waits
 * for a store from it. So this PE has none. */
SHMEMX_API(int, set_lock_for, (long *lock, uint64_t ns))
{
	static const char call[] = "shmemx_set_lock_for";
	uint64_t now = rb_now_ns(), until = ns > UINT64_MAX - now ? UINT64_MAX : now + ns;
	struct rb_wait w = {.what = RB_FOR_WORD, .whom = (uintptr_t)lock};
	int ret;

	while ((ret = try_lock(call, lock)) != 0 && rb_now_ns() < until)
		rb_wait_turn(&w);
	rb_wait_end(&w);
	return ret;
}

SHMEMI_API(void, clear_lock, (long *lock))
{
	static const char call[] = "shmem_clear_lock";
	struct lock_halves *l = (struct lock_halves *)lock;
	struct rb_amo a = {
		.op = RB_AMO_CSWAP, .size = 4, .operand = 0, .cond = (uint32_t)shmemi.pe + 1};
	int home = home_of(call, lock);
	uint32_t tail, next;

	if (shmemi.check && !held_change(lock, NULL))
		shmemi_fatal(call, "lock %p is not held by this PE", (void *)lock);
	shmemi_check_quiet(rb_ctx_default);
	rb_quiet(rb_ctx_default);
	note_release(call, lock);
	tail = lock_amo(call, home, &l->tail, &a);
	if (tail == a.cond)
		return;
	if (tail == 0)
		shmemi_fatal(call, "lock %p is not held", (void *)lock);
	/* Another PE has taken the tail and is about to store its number here. */
	next = await_node(&l->node, ~(uint32_t)GRANTED, (struct rb_wait){0});
	__atomic_store_n(&l->node, 0, __ATOMIC_RELAXED);
	a.op = RB_AMO_OR;
	a.operand = GRANTED;
	(void)lock_amo(call, pe_in(call, lock, next >> 1), &l->node, &a);
}
