/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * SHMEM_THREAD_MULTIPLE: four threads of every PE use all kinds of calls at once, each in an order
 * of its own, and each checks its results.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "multi.h"

#define THREADS 4
#define BLOCK 3000
#define ROUNDS 100

/* What other PEs write for one thread of this one. */
struct mailbox {
	unsigned char data[BLOCK];
	uint64_t signal; /* rounds sent by the left neighbour's thread */
	uint64_t taken;	 /* rounds that the right one's has read */
};

/* Words that all threads use; the lock of a thread is shared with the same thread of other PEs. */
struct shared {
	struct mailbox box[THREADS];
	unsigned char shelf[THREADS][MT_FAR][BLOCK];
	long sums[THREADS];
	long lock[THREADS], guarded[THREADS];
	unsigned int bits[THREADS];
	uint64_t flags[THREADS][THREADS]; /* by thread that waits, by thread that sets */
};

static struct shared in_data;
static pthread_barrier_t meeting;

struct worker {
	int id;
	shmem_ctx_t ctx;
	uint64_t random;
	long added[MT_FAR]; /* to PEs at these distances */
	long locked;
	struct shared *at;
};

static void
put_and_get(struct worker *w, int round)
{
	int d = (int)(mt_random(&w->random) % (unsigned int)mt_distances());
	unsigned char *there = w->at->shelf[w->id][d];
	size_t len = mt_random(&w->random) % BLOCK;
	uint64_t key = mt_random(&w->random);
	unsigned char mine[BLOCK], back[BLOCK];

	mt_fill(mine, len, key);
	if (round % 2)
		shmem_ctx_putmem(w->ctx, there, mine, len, mt_pe(d));
	else
		shmem_ctx_putmem_nbi(w->ctx, there, mine, len, mt_pe(d));
	if (round % 3)
		shmem_ctx_quiet(w->ctx);
	else
		shmem_ctx_pe_quiet(w->ctx, (int[]){mt_pe(d)}, 1);
	memset(back, 0, len);
	if (round % 5)
		shmem_ctx_getmem(w->ctx, back, there, len, mt_pe(d));
	else
		shmem_ctx_getmem_nbi(w->ctx, back, there, len, mt_pe(d));
	shmem_ctx_quiet(w->ctx);
	CHECK_MSG(mt_differs(back, len, key) == len, "thread %d round %d: %zu bytes, distance %d",
		  w->id, round, len, d);
}

static void
add(struct worker *w)
{
	int d = (int)(mt_random(&w->random) % (unsigned int)mt_distances());
	long by = (long)(mt_random(&w->random) % 100);
	unsigned int bit = 1u << (unsigned int)mt_me % 32;
	long *sum = &w->at->sums[mt_random(&w->random) % THREADS];

	if (by % 2)
		shmem_ctx_long_atomic_add(w->ctx, sum, by, mt_pe(d));
	else
		(void)shmem_ctx_long_atomic_fetch_add(w->ctx, sum, by, mt_pe(d));
	w->added[d] += by;
	/* This PE's bit in the word of this thread's number: no other thread sets or clears it. */
	shmem_ctx_uint_atomic_or(w->ctx, &w->at->bits[w->id], bit, mt_pe(d));
	if ((shmem_ctx_uint_atomic_fetch_and(w->ctx, &w->at->bits[w->id], ~bit, mt_pe(d)) & bit) ==
	    0)
		CHECK_MSG(mt_npes > 32, "thread %d: a bit that was set is not", w->id);
}

/* A letter a round to the right; the box is free again when the last one was read. */
static void
letter(struct worker *w, uint64_t round)
{
	struct mailbox *box = &w->at->box[w->id];
	unsigned char mine[BLOCK];
	size_t bad;

	shmem_uint64_wait_until(&box->taken, SHMEM_CMP_GE, round - 1);
	mt_fill(mine, BLOCK, round * 64 + (uint64_t)w->id);
	if (round % 2)
		shmem_ctx_putmem_signal(w->ctx, box->data, mine, BLOCK, &box->signal, 1,
					SHMEM_SIGNAL_ADD, mt_pe(1));
	else
		shmem_ctx_putmem_signal_nbi(w->ctx, box->data, mine, BLOCK, &box->signal, 1,
					    SHMEM_SIGNAL_ADD, mt_pe(1));
	if (shmem_signal_wait_until(&box->signal, SHMEM_CMP_GE, round) != round)
		CHECK_MSG(false, "thread %d: letter %llu came early", w->id,
			  (unsigned long long)round);
	bad = mt_differs(box->data, BLOCK, round * 64 + (uint64_t)w->id);
	CHECK_MSG(bad == BLOCK, "thread %d: letter %llu is wrong at %zu", w->id,
		  (unsigned long long)round, bad);
	shmem_ctx_quiet(w->ctx); /* mine is on the stack */
	shmem_ctx_uint64_atomic_inc(w->ctx, &box->taken, mt_pe(-1));
}

static void
guard(struct worker *w)
{
	long *count = &w->at->guarded[w->id], now;

	if (mt_random(&w->random) % 2)
		shmem_set_lock(&w->at->lock[w->id]);
	else if (shmem_test_lock(&w->at->lock[w->id]) != 0)
		return;
	now = shmem_long_g(count, 0);
	shmem_long_p(count, now + 1, 0);
	shmem_quiet();
	shmem_clear_lock(&w->at->lock[w->id]);
	w->locked++;
}

/* Every thread of this PE signals every other one, and waits for the signals of all. */
static void
tell_siblings(struct worker *w, uint64_t round)
{
	uint64_t *mine = w->at->flags[w->id];
	int told[THREADS] = {0}, i;
	size_t left, n, at[THREADS];

	for (i = 0; i < THREADS; i++)
		shmem_ctx_uint64_atomic_set(w->ctx, &w->at->flags[i][w->id], round, mt_me);
	for (left = THREADS; left > 0; left -= n) {
		n = shmem_uint64_wait_until_some(mine, THREADS, at, told, SHMEM_CMP_GE, round);
		for (i = 0; i < (int)n; i++)
			told[at[i]] = 1;
	}
}

static void *
work(void *arg)
{
	struct worker *w = arg;
	int round;

	for (round = 1; round <= ROUNDS * mt_options.factor; round++) {
		if (round % 8 == 1 && w->id != 0) {
			long options = w->id == 1 ? SHMEM_CTX_PRIVATE : SHMEM_CTX_SERIALIZED;

			if (w->ctx != SHMEM_CTX_DEFAULT)
				shmem_ctx_destroy(w->ctx);
			if (shmem_ctx_create(options, &w->ctx) != 0)
				w->ctx = SHMEM_CTX_DEFAULT;
		}
		put_and_get(w, round);
		add(w);
		letter(w, (uint64_t)round);
		guard(w);
		if (round % 5 == 0)
			tell_siblings(w, (uint64_t)round);
	}
	if (w->ctx != SHMEM_CTX_DEFAULT)
		shmem_ctx_destroy(w->ctx);
	shmem_quiet();
	pthread_barrier_wait(&meeting);
	return NULL;
}

/* The counts of all threads of all PEs agree with the words. */
static void
balance(const struct worker *w, struct shared *at)
{
	static long added[1], locked[THREADS], total, held[THREADS], sum, sums;
	int i, d;

	added[0] = 0;
	sum = 0;
	for (i = 0; i < THREADS; i++) {
		for (d = 0; d < MT_FAR; d++)
			added[0] += w[i].added[d];
		locked[i] = w[i].locked;
		sum += at->sums[i];
	}
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &total, added, 1);
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sums, &sum, 1);
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, held, locked, THREADS);
	CHECK_EQ(sums, total);
	for (i = 0; i < THREADS && mt_me == 0; i++)
		CHECK_EQ(at->guarded[i], held[i]);
}

static void
mix(struct shared *at)
{
	struct worker w[THREADS];
	pthread_t threads[THREADS];
	int i, started;

	memset(at, 0, sizeof(*at));
	memset(w, 0, sizeof(w));
	CHECK_EQ(pthread_barrier_init(&meeting, NULL, THREADS), 0);
	shmem_barrier_all();
	mt_waiting("threads at work");
	for (started = 0; started < THREADS; started++) {
		w[started].id = started;
		w[started].ctx = SHMEM_CTX_DEFAULT;
		w[started].random = mt_options.seed + (uint64_t)(mt_me * THREADS + started);
		w[started].at = at;
		if (pthread_create(&threads[started], NULL, work, &w[started]) != 0)
			break;
	}
	CHECK_EQ(started, THREADS);
	if (started < THREADS)
		shmem_global_exit(1); /* the others wait for them */
	for (i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&meeting);
	mt_waiting("the balance");
	shmem_barrier_all();
	balance(w, at);
	shmem_barrier_all();
}

static void
case_heap(void)
{
	struct shared *at = mt_alloc(sizeof(*at));

	mix(at);
	shmem_free(at);
}

static void
case_static(void)
{
	mix(&in_data);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"heap", case_heap},
		{"static", case_static},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_MULTIPLE, cases);
}
