/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Fibers: many switches, in turn by two threads, several fibers at once, stacks that keep their
 * contents, guards that stay with their fiber, and one that keeps the thread. Sanitizers follow.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cases.h"
#include "core/fiber.h"
#include "rb.h"

enum {
	FIBERS = 3,
	TURNS = 100000 /* more than a sanitizer has room for, if a switch left something */
};

_Atomic unsigned int rb_wait_leavers; /* of the runtime, which is not linked */

static bool refuses;

/* Instead of that of the C library: as where a process has as many mappings as it may. */
int
mprotect(void *addr, size_t len, int prot)
{
	if (!refuses)
		return (int)syscall(SYS_mprotect, addr, len, prot);
	errno = ENOMEM;
	return -1;
}

struct work {
	struct shmemi_fiber *fiber;
	pthread_mutex_t lock;
	long turns, sum;
	bool over, wrong;
};

/* Keeps something on its stack over each wait. */
static void
wait_often(void *arg)
{
	struct work *w = arg;
	struct rb_wait wait = {.what = RB_FOR_PE, .whom = 7};
	char kept[4096];
	long i;

	for (i = 0; i < w->turns; i++) {
		memset(kept, (int)(i & 0x7f), sizeof(kept));
		if (!shmemi_fiber_wait(&wait))
			w->wrong = true;
		w->wrong |= kept[0] != (i & 0x7f) || kept[sizeof(kept) - 1] != (i & 0x7f);
		w->sum += i;
	}
}

static void *
resume_in_turn(void *arg)
{
	struct work *w = arg;
	bool over = false;

	while (!over) {
		pthread_mutex_lock(&w->lock);
		if (!w->over)
			w->over = shmemi_fiber_resume(w->fiber);
		over = w->over;
		pthread_mutex_unlock(&w->lock);
	}
	return NULL;
}

static void
two_threads(void)
{
	struct work w = {.lock = PTHREAD_MUTEX_INITIALIZER, .turns = TURNS};
	pthread_t other;

	w.fiber = shmemi_fiber_new();
	CU_ASSERT_PTR_NOT_NULL_FATAL(w.fiber);
	CU_ASSERT_FALSE(shmemi_fiber_begin(w.fiber, wait_often, &w));
	CU_ASSERT_EQUAL(pthread_create(&other, NULL, resume_in_turn, &w), 0);
	resume_in_turn(&w);
	pthread_join(other, NULL);
	shmemi_fiber_free(w.fiber);
	CU_ASSERT_FALSE(w.wrong);
	CU_ASSERT_EQUAL(w.sum, (long)TURNS * (TURNS - 1) / 2);
}

/* Each is where it was, also after another one has run; and one runs function after function. */
static void
several(void)
{
	struct work w[FIBERS];
	struct rb_wait wait = {0};
	int i, left = FIBERS;

	CU_ASSERT_FALSE(shmemi_fiber_inside());
	CU_ASSERT_FALSE(shmemi_fiber_wait(&wait));
	for (i = 0; i < FIBERS; i++) {
		w[i] = (struct work){.fiber = shmemi_fiber_new(), .turns = 10 * (i + 1)};
		CU_ASSERT_PTR_NOT_NULL_FATAL(w[i].fiber);
		CU_ASSERT_FALSE(shmemi_fiber_begin(w[i].fiber, wait_often, &w[i]));
	}
	while (left > 0)
		for (i = 0; i < FIBERS; i++)
			if (!w[i].over && shmemi_fiber_resume(w[i].fiber)) {
				w[i].over = true;
				left--;
			}
	for (i = 0; i < FIBERS; i++) {
		CU_ASSERT_EQUAL(w[i].sum, w[i].turns * (w[i].turns - 1) / 2);
		w[i].turns = 0;
		CU_ASSERT(shmemi_fiber_begin(w[i].fiber, wait_often, &w[i]));
		CU_ASSERT_FALSE(w[i].wrong);
		shmemi_fiber_free(w[i].fiber);
	}
}

static void
no_guard_page(void)
{
	refuses = true;
	CU_ASSERT_PTR_NULL(shmemi_fiber_new());
	refuses = false;
}

/* A fiber that keeps the thread resumes another one in its wait, which gives it back. */
struct nest {
	struct work inner;
	bool left, over, wrong;
};

static void
wait_and_nest(void *arg)
{
	struct nest *n = arg;
	struct rb_wait wait = {0};

	n->wrong = !shmemi_fiber_leaves() || !shmemi_fiber_wait(&wait);
	n->left = shmemi_fiber_inside() && !shmemi_fiber_leaves();
	while (!n->over) {
		n->wrong |= shmemi_fiber_wait(&wait);
		n->over = shmemi_fiber_resume(n->inner.fiber);
		n->wrong |= !shmemi_fiber_inside() || shmemi_fiber_leaves();
	}
}

static void
finish_one(void)
{
	struct shmemi_fiber *outer = shmemi_fiber_new();
	struct nest n = {.inner = {.fiber = shmemi_fiber_new(), .turns = TURNS / 10}};

	CU_ASSERT_PTR_NOT_NULL_FATAL(outer);
	CU_ASSERT_PTR_NOT_NULL_FATAL(n.inner.fiber);
	CU_ASSERT_FALSE(shmemi_fiber_begin(n.inner.fiber, wait_often, &n.inner));
	CU_ASSERT_FALSE(shmemi_fiber_begin(outer, wait_and_nest, &n));
	shmemi_fiber_finish(outer);
	CU_ASSERT_FALSE(shmemi_fiber_inside());
	CU_ASSERT(n.left);
	CU_ASSERT(n.over);
	CU_ASSERT_FALSE(n.wrong);
	CU_ASSERT_FALSE(n.inner.wrong);
	CU_ASSERT_EQUAL(n.inner.sum, n.inner.turns * (n.inner.turns - 1) / 2);
	/* what it began in, it may give back again */
	n.inner.turns = 1;
	CU_ASSERT_FALSE(shmemi_fiber_begin(outer, wait_often, &n.inner));
	CU_ASSERT(shmemi_fiber_resume(outer));
	shmemi_fiber_free(n.inner.fiber);
	shmemi_fiber_free(outer);
}

TEST_PROGRAM("fiber", NULL, NULL, {"two threads resume a fiber", two_threads},
	     {"several fibers", several}, {"no fiber without a guard page", no_guard_page},
	     {"a fiber that keeps the thread", finish_one})
