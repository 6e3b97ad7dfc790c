/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_QUEUE_H
#define COLL_QUEUE_H

/**
 * @file
 * The queue of posted collectives of a team, in one PE.
 *
 * Who runs it: any thread of the PE may, the one that posts, one that waits or tests, one that
 * waits in another call (rb_background), the service lcore of the process. It claims the queue, and
 * alone has the fiber, the private half of the queue and the state of the team until it gives the
 * queue back. One thread at a time posts, as the standard has it for collectives of a team.
 * tests/spin/posted.pml explores what is said here.
 */

#include <stdatomic.h>

#include "request.h"

struct shmemi_fiber;

struct coll_queue {
	/** Posted, the last one first. Poster: pushes, release. Runner: takes all, acquire. */
	_Alignas(64) struct coll_request *_Atomic inbox;
	/** Count of all posts, by the poster. Only the thread that makes the next call on the team
	 *  compares it, and the program orders the threads that do. */
	_Atomic uint64_t posted;
	/** Requests that are not completed by the program; for checks. */
	_Atomic unsigned int open;
	/** Waits that came right behind their post, one after the other. Any thread that waits,
	 *  relaxed: it only chooses who begins a collective. */
	_Atomic unsigned int at_once;

	/** A thread runs the queue. Claimed with acquire, given back with release: a runner sees
	 *  all that the last one did, in whichever thread. */
	_Alignas(64) _Atomic bool running;
	/** Count of all that have ended. Runner: release, behind all that the collective did to the
	 *  team. Pairs with coll_queue_idle(): a blocking call of the team follows. */
	_Atomic uint64_t done;
	/* the runner's */
	struct coll_request *first; /**< oldest first: those it has taken from the inbox */
	struct coll_request *now;   /**< it has begun in the fiber */
	struct shmemi_fiber *fiber; /**< made by the first poster, before its push */

	/** Free, for the next post of a single thread: it has what the last one has touched. */
	struct coll_request *spare;
};

/** Of all queues; set before anything is posted, and read after that. */
struct coll_queues {
	/** One thread posts and waits: the program has no others, or orders their calls. */
	bool single;
	/** And no service lcore runs queues: then no two threads touch these words at once. */
	bool alone;
};
extern struct coll_queues coll_queues __attribute__((visibility("hidden")));

/** Are there other runners, of which one has claimed the queue? Else the caller has it now. */
static inline bool
coll_queue_claim(struct coll_queue *q)
{
	if (atomic_load_explicit(&q->running, memory_order_relaxed))
		return false;
	if (!coll_queues.alone)
		return !atomic_exchange_explicit(&q->running, true, memory_order_acquire);
	atomic_store_explicit(&q->running, true, memory_order_relaxed);
	return true;
}

static inline void
coll_queue_give_back(struct coll_queue *q)
{
	atomic_store_explicit(&q->running, false, memory_order_release);
}

/** Runner: take the inbox. @p poster: as below. @return the oldest request, or NULL */
struct coll_request *coll_queue_unpack(struct coll_queue *q, bool poster);
/** Runner: nothing was there, as it seemed. */
void coll_queue_settle(struct coll_queue *q, uint64_t bit);

/** Runner, in the thread that posts, where that is a single one: it takes the only request. */
static inline void
coll_queue_empty(struct coll_queue *q)
{
	atomic_store_explicit(&q->inbox, NULL, memory_order_relaxed);
}

/** Runner. @p poster: in the thread that posts, where that is a single one; so nothing is pushed
 *  meanwhile. @return the oldest request, or NULL */
static inline struct coll_request *
coll_queue_take(struct coll_queue *q, bool poster)
{
	struct coll_request *r = q->first;

	if (r != NULL) {
		q->first = r->next;
		return r;
	}
	r = atomic_load_explicit(&q->inbox, memory_order_relaxed);
	if (!poster || r == NULL || r->next != NULL)
		return coll_queue_unpack(q, poster);
	coll_queue_empty(q);
	return r;
}

/** The same runner: is @p r all that there is? */
static inline bool
coll_queue_is_only(const struct coll_queue *q, const struct coll_request *r)
{
	return atomic_load_explicit(&q->inbox, memory_order_relaxed) == r && r->next == NULL &&
	       q->first == NULL && q->now == NULL;
}

/** Runner: a collective has ended. */
static inline void
coll_queue_count(struct coll_queue *q)
{
	uint64_t done = atomic_load_explicit(&q->done, memory_order_relaxed);

	atomic_store_explicit(&q->done, done + 1, memory_order_release);
}

/** Runner: the collective of @p r has ended. */
static inline void
coll_queue_finish(struct coll_queue *q, struct coll_request *r)
{
	coll_queue_count(q);
	atomic_store_explicit(&r->state, COLL_REQUEST_DONE, memory_order_release);
}

/** Has all ended that this thread, or one that is ordered before it, has posted? */
static inline bool
coll_queue_idle(const struct coll_queue *q)
{
	/* acquire: pairs with coll_queue_finish() */
	return atomic_load_explicit(&q->done, memory_order_acquire) ==
	       atomic_load_explicit(&q->posted, memory_order_relaxed);
}

/** Poster: @p bit of the queue in rb_background.pending says that it may not be empty. */
static inline void
coll_queue_mark(uint64_t bit)
{
	uint64_t pending = atomic_load_explicit(&rb_background.pending, memory_order_relaxed);

	/* seq_cst: behind a push; see coll_queue_settle() and struct rb_background */
	if (!coll_queues.alone)
		atomic_fetch_or_explicit(&rb_background.pending, bit, memory_order_seq_cst);
	else if ((pending & bit) == 0)
		atomic_store_explicit(&rb_background.pending, pending | bit, memory_order_relaxed);
}

/** Poster, on top of what is there. */
void coll_queue_pile(struct coll_queue *q, struct coll_request *r);

/** Poster. Nobody else pushes: so an inbox that is empty stays so, and a store does. */
static inline void
coll_queue_push(struct coll_queue *q, struct coll_request *r)
{
	r->next = NULL;
	if (atomic_load_explicit(&q->inbox, memory_order_relaxed) == NULL)
		atomic_store_explicit(&q->inbox, r, memory_order_release);
	else
		coll_queue_pile(q, r);
}

#endif /* COLL_QUEUE_H */
