/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "core/check.h"
#include "core/fiber.h"
#include "core/hang.h"
#include "core/team_table.h"
#include "posted.h"

/*
 * Who runs a queue. Any thread of the PE may: the one that posts, one that waits or tests, one that
 * waits in another call (rb_beside), the service lcore of the process. It claims the queue, and
 * alone has the fiber, the private half of the queue and the state of the team until it gives the
 * queue back. tests/spin/posted.pml explores what is said here.
 */
enum {
	AT_ONCE = 16, /* collectives that end in one turn; others have their turns too */
	EAGER = 1024, /* bytes up to which a post begins the collective itself, if it is the first
		       */
};

struct queue {
	/** Posted, the last one first. Poster: pushes, release. Runner: takes all, acquire. */
	_Alignas(64) struct coll_request *_Atomic inbox;
	/** Count of all posts, by the poster. Only the thread that makes the next call on the team
	 *  compares it, and the program orders the threads that do. */
	_Atomic uint64_t posted;
	_Atomic unsigned int
		open; /**< requests that are not completed by the program; for checks */

	/** A thread runs the queue. Claimed with acquire, given back with release: a runner sees
	 *  all that the last one did, in whichever thread. */
	_Alignas(64) _Atomic bool running;
	/** Count of all that have ended. Runner: release, behind all that the collective did to the
	 *  team. Pairs with drain_queue(): a blocking call of the team follows. */
	_Atomic uint64_t done;
	/* the runner's */
	struct coll_request *first; /**< oldest first: those it has taken from the inbox */
	struct coll_request *now;   /**< it has begun in the fiber */
	struct shmemi_fiber *fiber; /**< made by the first poster, before its push */
};

static struct queue queues[COLL_SLOTS];
static _Atomic bool waiting; /* a thread waits for requests; a hint, where there are several */

static uint64_t
bit_of(const struct queue *q)
{
	return 1ull << (q - queues);
}

static bool
claim_queue(struct queue *q)
{
	return !atomic_load_explicit(&q->running, memory_order_relaxed) &&
	       !atomic_exchange_explicit(&q->running, true, memory_order_acquire);
}

static void
give_back(struct queue *q)
{
	atomic_store_explicit(&q->running, false, memory_order_release);
}

/* The oldest request, or NULL. */
static struct coll_request *
take_oldest(struct queue *q)
{
	struct coll_request *r, *next;

	if (q->first == NULL) {
		r = atomic_exchange_explicit(&q->inbox, NULL, memory_order_acquire);
		for (; r != NULL; r = next) {
			next = r->next;
			r->next = q->first;
			q->first = r;
		}
	}
	r = q->first;
	if (r != NULL)
		q->first = r->next;
	return r;
}

/* Nothing was there. A post sets the bit behind its push, so one that this look misses sets the bit
 * after it was cleared: seq_cst on both sides. */
static void
settle_queue(struct queue *q)
{
	atomic_fetch_and_explicit(&rb_beside.pending, ~bit_of(q), memory_order_seq_cst);
	if (atomic_load_explicit(&q->inbox, memory_order_seq_cst) != NULL)
		atomic_fetch_or_explicit(&rb_beside.pending, bit_of(q), memory_order_seq_cst);
}

static void
run_request(void *arg)
{
	struct coll_request *r = arg;

	r->result = coll_work_run(&r->op, &r->work);
}

static void
finish_request(struct queue *q, struct coll_request *r)
{
	uint64_t done = atomic_load_explicit(&q->done, memory_order_relaxed);

	atomic_store_explicit(&q->done, done + 1, memory_order_release);
	atomic_store_explicit(&r->state, COLL_REQUEST_DONE, memory_order_release);
}

/* Runner. It leaves the queue as soon as @p until has ended: the bit of an empty queue costs
 * little, and the next turn settles it. @return whether anything has gone on */
static bool
run_in_fiber(struct queue *q, const struct coll_request *until)
{
	const struct coll_request *r = NULL;
	bool moved = false, ended;
	int n;

	for (n = 0; n < AT_ONCE && (r == NULL || r != until); n++) {
		if (q->now != NULL) {
			ended = shmemi_fiber_resume(q->fiber);
		} else {
			q->now = take_oldest(q);
			if (q->now == NULL) {
				settle_queue(q);
				break;
			}
			ended = shmemi_fiber_begin(q->fiber, run_request, q->now);
		}
		moved |= shmemi_fiber_moved(q->fiber);
		if (!ended)
			break;
		r = q->now;
		finish_request(q, q->now);
		q->now = NULL;
	}
	return moved;
}

/* Runner, in a thread that would wait anyway, with nothing begun: without the fiber, until @p until
 * has ended, or all where it is NULL. */
static void
run_here(struct queue *q, const struct coll_request *until)
{
	struct coll_request *r;

	while ((r = take_oldest(q)) != NULL) {
		run_request(r);
		finish_request(q, r);
		if (r == until)
			return;
	}
	settle_queue(q);
}

static bool
advance_queue(struct queue *q)
{
	bool moved;

	if (!claim_queue(q))
		return false;
	moved = run_in_fiber(q, NULL);
	give_back(q);
	return moved;
}

/* What the runtime calls. A service lcore leaves it to a thread that waits for a request. */
static bool
turn_beside(bool service)
{
	uint64_t left = atomic_load_explicit(&rb_beside.pending, memory_order_acquire);
	bool moved = false;

	if (shmemi_fiber_inside() ||
	    (service && atomic_load_explicit(&waiting, memory_order_relaxed) && !rb_wait_napping()))
		return false;
	for (; left != 0; left &= left - 1)
		moved |= advance_queue(&queues[__builtin_ctzll(left)]);
	return moved;
}

void
coll_posted_advance(void)
{
	(void)turn_beside(false);
}

static bool
is_done(const struct coll_request *r)
{
	/* acquire: pairs with finish_request() */
	return atomic_load_explicit(&r->state, memory_order_acquire) == COLL_REQUEST_DONE;
}

static void
after_turn(bool moved, struct rb_wait *w)
{
	if (shmemi.check && moved)
		shmemi_hang_wait_end();
	else if (shmemi.check)
		shmemi_hang_wait();
	if (!moved)
		rb_wait_once(w);
}

/* One turn of a wait for what is in @p q. */
static void
wait_turn(struct queue *q, const struct coll_request *until, struct rb_wait *w)
{
	bool moved = false, mine = claim_queue(q);

	if (mine && q->now == NULL) {
		run_here(q, until);
		moved = true;
	} else if (mine) {
		moved = run_in_fiber(q, until);
		if (q->now != NULL)
			shmemi_fiber_waits_for(q->fiber, w);
	}
	if (mine)
		give_back(q);
	after_turn(moved, w);
}

static void
wait_begin(const char *call)
{
	atomic_store_explicit(&waiting, true, memory_order_relaxed);
	if (shmemi.check)
		shmemi_hang_enter(call);
}

static void
wait_over(struct rb_wait *w)
{
	if (shmemi.check) {
		shmemi_hang_wait_end();
		shmemi_hang_leave();
	}
	rb_wait_end(w);
	atomic_store_explicit(&waiting, false, memory_order_relaxed);
}

void
coll_posted_wait(struct coll_request *r)
{
	struct rb_wait w = {0};

	if (is_done(r))
		return;
	wait_begin("shmemx_req_wait");
	while (!is_done(r))
		wait_turn(&queues[r->slot], r, &w);
	wait_over(&w);
}

void
coll_posted_wait_any(bool (*ended)(void *arg), void *arg)
{
	struct rb_wait w = {0};

	if (ended(arg))
		return;
	wait_begin("shmemx_req_wait_any");
	while (!ended(arg))
		after_turn(turn_beside(false), &w);
	wait_over(&w);
}

static bool
is_empty(const struct queue *q)
{
	/* acquire: pairs with finish_request() */
	return atomic_load_explicit(&q->done, memory_order_acquire) ==
	       atomic_load_explicit(&q->posted, memory_order_relaxed);
}

static void
drain_queue(const char *call, struct queue *q)
{
	struct rb_wait w = {0};

	if (is_empty(q))
		return;
	wait_begin(call);
	while (!is_empty(q))
		wait_turn(q, NULL, &w);
	wait_over(&w);
}

static void
drain_team(const struct coll_op *op)
{
	drain_queue(op->call, &queues[op->team->slot]);
}

void
coll_posted_drain_all(const char *call)
{
	int i;

	for (i = 0; i < COLL_SLOTS; i++)
		drain_queue(call, &queues[i]);
}

int
coll_posted_end(struct coll_request *r)
{
	int result = r->result;

	if (shmemi.check)
		atomic_fetch_sub_explicit(&queues[r->slot].open, 1, memory_order_relaxed);
	coll_request_free(r);
	if (result != 0)
		rb_gone_note(-1);
	return result;
}

unsigned int
coll_posted_open_on(const struct shmemi_team *team)
{
	return atomic_load_explicit(&queues[team->slot].open, memory_order_relaxed);
}

static void
push_request(struct queue *q, struct coll_request *r)
{
	struct coll_request *before = atomic_load_explicit(&q->inbox, memory_order_relaxed);

	do
		r->next = before;
	while (!atomic_compare_exchange_weak_explicit(&q->inbox, &before, r, memory_order_release,
						      memory_order_relaxed));
	/* behind the push; see settle_queue() and struct rb_beside */
	atomic_fetch_or_explicit(&rb_beside.pending, bit_of(q), memory_order_seq_cst);
}

/* Nothing is under way on the team. @return false: not begun, as another thread has the queue still
 */
static bool
begin_now(struct queue *q, struct coll_request *r)
{
	if (!claim_queue(q))
		return false;
	/* first: a fiber knows by it that it is one (core/wait.h); only a runner clears it */
	if ((atomic_load_explicit(&rb_beside.pending, memory_order_relaxed) & bit_of(q)) == 0)
		atomic_fetch_or_explicit(&rb_beside.pending, bit_of(q), memory_order_seq_cst);
	q->now = r;
	if (shmemi_fiber_begin(q->fiber, run_request, r)) {
		finish_request(q, r);
		q->now = NULL;
	}
	give_back(q);
	rb_beside_wake();
	return true;
}

static int
post_request(const char *call, struct shmemi_team *team, const struct coll_work *work,
	     shmemx_req_h *request)
{
	struct queue *q = &queues[team->slot];
	struct coll_request *r;
	uint64_t before;

	if (shmemi.check)
		shmemi_check_thread(call);
	if (q->fiber == NULL)
		q->fiber = shmemi_fiber_new();
	r = q->fiber == NULL ? NULL : coll_request_new();
	if (r == NULL)
		return -1;
	coll_begin_posted(&r->op, call, team);
	r->work = *work;
	r->slot = team->slot;
	atomic_store_explicit(&r->state, COLL_REQUEST_POSTED, memory_order_relaxed);
	*request = coll_request_handle(r);
	before = atomic_load_explicit(&q->posted, memory_order_relaxed);
	atomic_store_explicit(&q->posted, before + 1, memory_order_relaxed);
	if (shmemi.check)
		atomic_fetch_add_explicit(&q->open, 1, memory_order_relaxed);
	if (before == atomic_load_explicit(&q->done, memory_order_acquire) &&
	    work->kind != COLL_WORK_BARRIER && coll_work_bytes(&r->op, work) <= EAGER &&
	    begin_now(q, r))
		return 0;
	push_request(q, r);
	rb_beside_wake();
	return 0;
}

int
coll_post_work(const char *call, shmem_team_t handle, const struct coll_work *work,
	       shmemx_req_h *request)
{
	struct shmemi_team *team;

	shmemi_enter(call);
	if (request == NULL)
		shmemi_fatal(call, "request is NULL");
	*request = SHMEMX_REQ_INVALID;
	team = shmemi_team_of(call, handle);
	return team == NULL ? -1 : post_request(call, team, work, request);
}

int
coll_post_on_world(const char *call, const struct coll_work *work, shmemx_req_h *request)
{
	shmemi_enter(call);
	if (request == NULL)
		shmemi_fatal(call, "request is NULL");
	*request = SHMEMX_REQ_INVALID;
	return post_request(call, &shmemi_team_world, work, request);
}

void
coll_posted_open(void)
{
	memset(queues, 0, sizeof(queues));
	atomic_store_explicit(&rb_beside.pending, 0, memory_order_relaxed);
	coll_drain = drain_team;
	rb_beside_register(turn_beside);
}

void
coll_posted_close(void)
{
	int i;

	rb_beside_register(NULL);
	atomic_store_explicit(&rb_beside.pending, 0, memory_order_relaxed);
	for (i = 0; i < COLL_SLOTS; i++) {
		shmemi_fiber_free(queues[i].fiber);
		queues[i].fiber = NULL;
	}
	coll_requests_close();
}
