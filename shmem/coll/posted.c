/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "core/caller.h"
#include "core/check.h"
#include "core/fiber.h"
#include "core/hang.h"
#include "core/team_table.h"
#include "posted.h"
#include "queue.h"

enum {
	A_TURN = 16, /* collectives that end in one turn; others have their turns too */
	/* Bytes up to which a post begins the collective itself, if it is the first one. */
	EAGER = 1024,
	/* A wait so soon after the post finds nothing that could have gone on meanwhile. After FEW
	 * such waits in a row posts leave the collective to the wait, which saves the switch to the
	 * fiber and back; of these, one of SAMPLED looks at the clock. */
	AT_ONCE_NS = 2000,
	FEW = 4,
	SAMPLED = 64,
};

static struct coll_queue queues[COLL_SLOTS];
static _Atomic bool waiting; /* a thread waits for requests; a hint, where there are several */

static uint64_t
bit_of(const struct coll_queue *q)
{
	return 1ull << (q - queues);
}

static bool
is_done(const struct coll_request *r)
{
	/* acquire: pairs with coll_queue_finish() */
	return atomic_load_explicit(&r->state, memory_order_acquire) == COLL_REQUEST_DONE;
}

static void
run_request(void *arg)
{
	struct coll_request *r = arg;
	struct coll_op op;

	coll_begin_posted(&op, r->call, r->team);
	op.posted = r->posted;
	coll_work_run(&op, &r->work);
}

/* Runner: a turn. It leaves the queue where the fiber waits. @return whether anything has gone on
 */
static bool
run_in_fiber(struct coll_queue *q, bool poster)
{
	bool moved = false, ended;
	int n;

	for (n = 0; n < A_TURN; n++) {
		if (q->now != NULL) {
			ended = shmemi_fiber_resume(q->fiber);
		} else {
			q->now = coll_queue_take(q, poster);
			if (q->now == NULL) {
				coll_queue_settle(q, bit_of(q));
				break;
			}
			ended = shmemi_fiber_begin(q->fiber, run_request, q->now);
		}
		moved |= shmemi_fiber_moved(q->fiber);
		if (!ended)
			break;
		coll_queue_finish(q, q->now);
		q->now = NULL;
	}
	return moved;
}

/* Runner, in a thread that would wait anyway: until @p until has ended, or all where it is NULL.
 * What was begun goes on in its fiber, and the rest runs without. The bit of a queue that is empty
 * afterwards costs little, and the next turn settles it. */
static void
run_out(struct coll_queue *q, const struct coll_request *until)
{
	struct coll_request *r;

	/* Looked at here: a wait for what comes behind @p until might be one for what the program
	 * does after it. */
	while (until == NULL || !is_done(until)) {
		r = q->now;
		if (r != NULL) {
			shmemi_fiber_finish(q->fiber);
			q->now = NULL;
		} else {
			r = coll_queue_take(q, coll_queues.single);
			if (r == NULL) {
				coll_queue_settle(q, bit_of(q));
				return;
			}
			run_request(r);
		}
		coll_queue_finish(q, r);
	}
}

static bool
advance_queue(struct coll_queue *q, bool poster)
{
	bool moved;

	if (!coll_queue_claim(q))
		return false;
	moved = run_in_fiber(q, poster);
	coll_queue_give_back(q);
	return moved;
}

/* What the runtime calls. A service lcore leaves it to a thread that waits for a request. A thread
 * of the runtime that calls something for the program is none of those that the program orders. */
static bool
turn_beside(bool service)
{
	uint64_t left = atomic_load_explicit(&rb_background.pending, memory_order_acquire);
	bool moved = false, poster = coll_queues.single && !service;

	if (shmemi_fiber_leaves() || (poster && rb_thread_is_ours()) ||
	    (service && atomic_load_explicit(&waiting, memory_order_relaxed) && !rb_wait_napping()))
		return false;
	for (; left != 0; left &= left - 1)
		moved |= advance_queue(&queues[__builtin_ctzll(left)], poster);
	return moved;
}

void
coll_posted_advance(void)
{
	(void)turn_beside(false);
}

static void
after_turn(bool moved, struct rb_wait *w)
{
	if (moved)
		rb_wait_end(w);
	else
		rb_wait_turn(w);
}

/* One turn of a wait for what is in @p q. */
static void
wait_turn(struct coll_queue *q, const struct coll_request *until, struct rb_wait *w)
{
	bool mine = coll_queue_claim(q);

	if (mine) {
		run_out(q, until);
		coll_queue_give_back(q);
	}
	after_turn(mine, w);
}

static void
wait_begin(const char *call)
{
	atomic_store_explicit(&waiting, true, memory_order_relaxed);
	if (shmemi.check)
		shmemi_hang_enter(call);
}

static void
wait_over(void)
{
	if (shmemi.check)
		shmemi_hang_leave();
	atomic_store_explicit(&waiting, false, memory_order_relaxed);
}

/* The post was timed: has the program come to the wait at once? */
static __attribute__((noinline)) void
note_wait(struct coll_queue *q, struct coll_request *r)
{
	unsigned int before = atomic_load_explicit(&q->at_once, memory_order_relaxed);
	bool soon = rb_now_ns() - r->since < AT_ONCE_NS;

	r->since = 0;
	if (soon && before == FEW)
		return;
	atomic_store_explicit(&q->at_once, soon ? before + 1 : 0, memory_order_relaxed);
}

static __attribute__((noinline)) void
wait_long(struct coll_queue *q, struct coll_request *r)
{
	struct rb_wait w = {0};

	while (!is_done(r))
		wait_turn(q, r, &w);
	rb_wait_end(&w);
}

void
coll_posted_wait(struct coll_request *r)
{
	struct coll_queue *q = &queues[r->slot];

	if (r->since != 0)
		note_wait(q, r);
	if (is_done(r))
		return;
	wait_begin("shmemx_req_wait");
	if (coll_queue_claim(q)) {
		run_out(q, r);
		coll_queue_give_back(q);
	}
	if (!is_done(r))
		wait_long(q, r);
	wait_over();
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
	rb_wait_end(&w);
	wait_over();
}

static void
drain_queue(const char *call, struct coll_queue *q)
{
	struct rb_wait w = {0};

	if (coll_queue_idle(q))
		return;
	wait_begin(call);
	while (!coll_queue_idle(q))
		wait_turn(q, NULL, &w);
	rb_wait_end(&w);
	wait_over();
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

static inline void
give_back_request(struct coll_queue *q, struct coll_request *r)
{
	if (!coll_queues.single || q->spare != NULL) {
		coll_request_free(r);
		return;
	}
	coll_request_turn(r);
	q->spare = r;
}

void
coll_posted_end(struct coll_request *r)
{
	struct coll_queue *q = &queues[r->slot];

	if (r->since != 0) /* the program has not come to coll_posted_wait() */
		atomic_store_explicit(&q->at_once, 0, memory_order_relaxed);
	if (shmemi.check)
		atomic_fetch_sub_explicit(&q->open, 1, memory_order_relaxed);
	give_back_request(q, r);
}

static __attribute__((noinline)) void
complete_any(struct coll_request *r)
{
	coll_posted_wait(r);
	coll_posted_end(r);
}

/* Has this thread claimed the queue, and is @p r all that is in it? Then nobody has begun it. */
static inline bool
claim_only(struct coll_queue *q, const struct coll_request *r)
{
	if (!coll_queues.single || r->since != 0 || !coll_queue_claim(q))
		return false;
	if (coll_queue_is_only(q, r))
		return true;
	coll_queue_give_back(q);
	return false;
}

/* The short way is that of a program that has come to the wait at once. It says nothing of `state`,
 * as no other thread has the request. */
void
coll_posted_complete(struct coll_request *r)
{
	struct coll_queue *q = &queues[r->slot];

	if (!claim_only(q, r)) {
		complete_any(r);
		return;
	}
	coll_queue_empty(q);
	run_request(r);
	coll_queue_count(q);
	coll_queue_give_back(q);
	give_back_request(q, r);
}

unsigned int
coll_posted_open_on(const struct shmemi_team *team)
{
	return atomic_load_explicit(&queues[team->slot].open, memory_order_relaxed);
}

/* Nothing is under way on the team. @return false: not begun, as another thread has the queue still
 */
static __attribute__((noinline)) bool
begin_now(struct coll_queue *q, struct coll_request *r)
{
	if (!coll_queue_claim(q))
		return false;
	q->now = r;
	if (shmemi_fiber_begin(q->fiber, run_request, r)) {
		coll_queue_finish(q, r);
		q->now = NULL;
	} else {
		coll_queue_mark(bit_of(q)); /* only a runner clears it */
	}
	coll_queue_give_back(q);
	return true;
}

/* The first post on the team, or several are under way. NULL: no memory. */
static __attribute__((noinline)) struct coll_request *
new_request(struct coll_queue *q)
{
	if (q->fiber == NULL)
		q->fiber = shmemi_fiber_new();
	return q->fiber == NULL ? NULL : coll_request_new();
}

static inline struct coll_request *
get_request(struct coll_queue *q)
{
	struct coll_request *r = q->spare;

	if (__builtin_expect(r == NULL, 0))
		return new_request(q);
	q->spare = NULL;
	coll_request_turn(r);
	return r;
}

struct coll_request *
coll_post_begin(const char *call, shmem_team_t handle, shmemx_req_h *request)
{
	struct shmemi_team *team;
	struct coll_request *r;

	shmemi_enter(call);
	if (__builtin_expect(request == NULL, 0))
		shmemi_fatal(call, "request is NULL");
	*request = SHMEMX_REQ_INVALID;
	team = shmemi_team_of(call, handle);
	if (team == NULL)
		return NULL;
	if (__builtin_expect(shmemi.check, 0))
		shmemi_check_thread(call);
	r = get_request(&queues[team->slot]);
	if (r == NULL)
		return NULL;
	r->call = call;
	r->team = team;
	r->slot = team->slot;
	r->since = 0;
	if (__builtin_expect(shmemi.check, 0))
		r->posted = shmemi_caller_pc();
	atomic_store_explicit(&r->state, COLL_REQUEST_POSTED, memory_order_relaxed);
	*request = coll_request_handle(r);
	return r;
}

static inline void
leave_to_next(struct coll_queue *q, struct coll_request *r)
{
	coll_queue_push(q, r);
	coll_queue_mark(1ull << r->slot);
}

/* Nothing else is under way on the team, and the program may compute now; or the wait is timed. */
static __attribute__((noinline)) int
post_first(struct coll_queue *q, struct coll_request *r, bool eager)
{
	if (!eager || r->work.kind == COLL_WORK_BARRIER ||
	    coll_work_bytes(&r->work, r->team->size) > EAGER || !begin_now(q, r))
		leave_to_next(q, r);
	rb_background_wake();
	r->since = rb_now_ns(); /* no other thread has the handle so far */
	return 0;
}

/* Begun here, if nothing else is under way on the team, or left to whoever runs the queue next. */
int
coll_post_request(struct coll_request *r)
{
	struct coll_queue *q = &queues[r->slot];
	uint64_t before = atomic_load_explicit(&q->posted, memory_order_relaxed);
	bool first = before == atomic_load_explicit(&q->done, memory_order_acquire), eager;

	atomic_store_explicit(&q->posted, before + 1, memory_order_relaxed);
	if (__builtin_expect(shmemi.check, 0))
		atomic_fetch_add_explicit(&q->open, 1, memory_order_relaxed);
	eager = atomic_load_explicit(&q->at_once, memory_order_relaxed) < FEW;
	if (__builtin_expect(first && (eager || before % SAMPLED == 0), 0))
		return post_first(q, r, eager);
	leave_to_next(q, r);
	rb_background_wake();
	return 0;
}

void
coll_posted_open(void)
{
	memset(queues, 0, sizeof(queues));
	/* the thread of the checked mode waits in the runtime, too */
	coll_queues.single = shmemi.thread_level < SHMEM_THREAD_MULTIPLE && !shmemi.check;
	coll_queues.alone = coll_queues.single && !rb_background_served();
	atomic_store_explicit(&rb_background.pending, 0, memory_order_relaxed);
	coll_drain = drain_team;
	rb_background_register(turn_beside);
	rb_wait_leave_by(shmemi_fiber_wait);
}

void
coll_posted_close(void)
{
	int i;

	rb_background_register(NULL);
	rb_wait_leave_by(NULL);
	atomic_store_explicit(&rb_background.pending, 0, memory_order_relaxed);
	for (i = 0; i < COLL_SLOTS; i++) {
		shmemi_fiber_free(queues[i].fiber);
		queues[i].fiber = NULL;
	}
	coll_requests_close();
}
