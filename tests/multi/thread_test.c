/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * SHMEM_THREAD_MULTIPLE: four threads of every PE do atomics, one waits in the library while the
 * others work, and each has quiets and fences of its own. What threads do otherwise is in
 * tests/calls. Others are there before shmem_init, as those of MPI: static data moves under their
 * feet, no store is lost, and who waits goes on to wait.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "multi.h"

#define THREADS 4
#define BLOCK 20000

struct worker {
	int id;
	shmem_ctx_t ctx;
	unsigned char *at; /* symmetric: a block for each thread of the left neighbours */
};

static long counter, counts[THREADS], released;

/** Run @p work on THREADS threads, with a context each if wanted. */
static void
run(void *(*work)(void *), bool contexts)
{
	struct worker w[THREADS];
	pthread_t threads[THREADS];
	unsigned char *at = mt_alloc(THREADS * BLOCK);
	int i, started;

	for (i = 0; i < THREADS; i++) {
		w[i] = (struct worker){i, SHMEM_CTX_DEFAULT, at + i * BLOCK};
		if (contexts)
			CHECK_EQ(shmem_ctx_create(0, &w[i].ctx), 0);
	}
	shmem_barrier_all();
	mt_waiting("threads at work");
	for (started = 0; started < THREADS; started++)
		if (pthread_create(&threads[started], NULL, work, &w[started]))
			break;
	CHECK_EQ(started, THREADS);
	for (i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	shmem_barrier_all();
	for (i = 0; i < THREADS && contexts; i++)
		shmem_ctx_destroy(w[i].ctx);
	shmem_free(at);
}

/** Put, quiet, get back; no other thread uses this place. */
static void *
put_get(void *arg)
{
	struct worker *w = arg;
	unsigned char *data = malloc(BLOCK), *back = malloc(BLOCK);
	int round, d;
	size_t len;

	for (round = 0; round < 20 * mt_options.factor && data && back; round++) {
		d = round % mt_distances();
		/* Distances in turn would let two PEs write one place: the PE's own third. */
		len = BLOCK / MT_FAR - (size_t)(round * 7 + w->id);
		mt_fill(data, len, (uint64_t)(mt_me * 64 + w->id * 8 + round));
		if (round % 2)
			shmem_ctx_putmem_nbi(w->ctx, w->at + d * (BLOCK / MT_FAR), data, len,
					     mt_pe(d));
		else
			shmem_ctx_putmem(w->ctx, w->at + d * (BLOCK / MT_FAR), data, len, mt_pe(d));
		shmem_ctx_quiet(w->ctx);
		memset(back, 0, len);
		if (round % 3)
			shmem_ctx_getmem(w->ctx, back, w->at + d * (BLOCK / MT_FAR), len, mt_pe(d));
		else
			shmem_ctx_getmem_nbi(w->ctx, back, w->at + d * (BLOCK / MT_FAR), len,
					     mt_pe(d));
		shmem_ctx_quiet(w->ctx);
		CHECK_MSG(memcmp(data, back, len) == 0, "thread %d round %d", w->id, round);
	}
	CHECK(data && back);
	free(back);
	free(data);
	return NULL;
}

static void *
count(void *arg)
{
	struct worker *w = arg;
	long last = -1, now;
	int round;

	for (round = 0; round < 200 * mt_options.factor; round++) {
		now = shmem_ctx_long_atomic_fetch_inc(w->ctx, &counter, 0);
		CHECK_MSG(now > last, "ticket %ld after %ld", now, last);
		shmem_ctx_long_atomic_fetch_inc_nbi(w->ctx, &last, &counter, 0);
		shmem_ctx_long_atomic_add(w->ctx, &counts[w->id], 1, mt_pe(round));
		shmem_ctx_quiet(w->ctx);
		CHECK_MSG(last > now, "ticket %ld after %ld", last, now);
	}
	return NULL;
}

static void
case_atomics(void)
{
	static long sum;
	long all = 200 * mt_options.factor * THREADS * mt_npes;
	int i, way;

	for (way = 0; way < 2; way++) {
		sum = 0;
		shmem_barrier_all();
		counter = 0;
		memset(counts, 0, sizeof(counts));
		run(count, way);
		if (mt_me == 0)
			CHECK_EQ(counter, 2 * all);
		for (i = 0; i < THREADS; i++)
			shmem_long_atomic_add(&sum, counts[i], 0);
		shmem_barrier_all();
		if (mt_me == 0)
			CHECK_EQ(sum, all);
		shmem_barrier_all();
	}
}

/** Thread 0 waits inside the library; the others must make progress meanwhile, and release it at
 *  last. */
static void *
blocked(void *arg)
{
	struct worker *w = arg;

	if (w->id == 0) {
		shmem_long_wait_until(&released, SHMEM_CMP_EQ, THREADS - 1);
	} else {
		put_get(w);
		shmem_ctx_long_atomic_inc(w->ctx, &released, mt_me);
	}
	return NULL;
}

static void
case_blocked(void)
{
	run(blocked, true);
}

/* Words of each thread at the right neighbour; others' threads are at work beside them. */
static long added[THREADS], told[THREADS];

/** A quiet completes what this thread issued, also while others are in a quiet of theirs. */
static void *
quiet_each(void *arg)
{
	struct worker *w = arg;
	long round;

	for (round = 1; round <= 2000 * mt_options.factor; round++) {
		shmem_long_atomic_add(&added[w->id], 1, mt_pe(1));
		shmem_quiet();
		if (!mt_check(shmem_long_g(&added[w->id], mt_pe(1)) == round, __FILE__, __LINE__,
			      "thread %d: not complete after quiet %ld", w->id, round))
			break;
	}
	return NULL;
}

static void
case_quiet_each(void)
{
	memset(added, 0, sizeof(added));
	run(quiet_each, false);
}

/** A fence orders what this thread issued, also while others fence. */
static void *
fence_each(void *arg)
{
	struct worker *w = arg;
	long round, seen = 0, word;

	for (round = 1; round <= 2000 * mt_options.factor; round++) {
		shmem_long_atomic_add(&added[w->id], 1, mt_pe(1));
		shmem_fence();
		shmem_long_p(&told[w->id], round, mt_pe(1));
		/* The same from the left. */
		while (shmem_long_test(&told[w->id], SHMEM_CMP_GT, seen))
			seen++;
		word = __atomic_load_n(&added[w->id], __ATOMIC_RELAXED);
		if (!mt_check(word >= seen, __FILE__, __LINE__,
			      "thread %d: the flag is %ld, the word is %ld", w->id, seen, word))
			break;
	}
	return NULL;
}

static void
case_fence_each(void)
{
	memset(added, 0, sizeof(added));
	memset(told, 0, sizeof(told));
	run(fence_each, false);
}

enum {
	LAP = 512 * 512 /* words of 512 pages: the copy takes a while */
};

static volatile long words[THREADS][LAP];
static long lost[THREADS];
static char text[8];
static int ends[2];
static _Atomic bool done;
static pthread_t early[THREADS];

/* Each word holds what was stored there a lap ago. The last thread waits for a text. */
static void *
store_always(void *arg)
{
	long t = (long)(intptr_t)arg, value, last = LAP;

	if (t == THREADS - 1)
		lost[t] = 5 - read(ends[0], text, sizeof(text));
	for (value = LAP; !done || last-- > 0; value++) {
		lost[t] += words[t][value % LAP] != (value < 2 * LAP ? 0 : value - LAP);
		words[t][value % LAP] = value;
	}
	return NULL;
}

static void
case_early(void)
{
	long *word = (long *)(intptr_t)&words[0][0], was = shmem_long_g(word, mt_pe(1)), t;

	mt_waiting("a store that another PE sees");
	while (shmem_long_g(word, mt_pe(1)) == was)
		;
	shmem_barrier_all();
	done = true;
	CHECK_EQ(write(ends[1], "early", 5), 5);
	for (t = 0; t < THREADS; t++) {
		pthread_join(early[t], NULL);
		CHECK_EQ(lost[t], 0);
	}
	CHECK_EQ(memcmp(text, "early", 5), 0);
}

int
main(int argc, char **argv)
{
	long t;
	static const struct mt_case cases[] = {
#ifndef __SANITIZE_THREAD__ /* under which threads that make no calls get no signals */
		{"early", case_early},
#endif
		{"atomics", case_atomics},
		{"blocked", case_blocked},
		{"quiet_each", case_quiet_each},
		{"fence_each", case_fence_each},
		{0},
	};

	CHECK_EQ(pipe(ends), 0);
	for (t = 0; cases[0].run == case_early && t < THREADS; t++)
		CHECK_EQ(pthread_create(&early[t], NULL, store_always, (void *)(intptr_t)t), 0);
	while (t > 0 && words[0][LAP - 1] == 0)
		;
	return mt_main(argc, argv, SHMEM_THREAD_MULTIPLE, cases);
}
