/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "queue.h"

struct coll_queues coll_queues;

static struct coll_request *
empty_inbox(struct coll_queue *q, bool poster)
{
	struct coll_request *r;

	if (!poster)
		return atomic_exchange_explicit(&q->inbox, NULL, memory_order_acquire);
	r = atomic_load_explicit(&q->inbox, memory_order_relaxed);
	if (r != NULL)
		atomic_store_explicit(&q->inbox, NULL, memory_order_relaxed);
	return r;
}

struct coll_request *
coll_queue_unpack(struct coll_queue *q, bool poster)
{
	struct coll_request *r = empty_inbox(q, poster), *next;

	if (r == NULL || r->next == NULL)
		return r;
	for (; r != NULL; r = next) {
		next = r->next;
		r->next = q->first;
		q->first = r;
	}
	r = q->first;
	q->first = r->next;
	return r;
}

/* A post sets the bit behind its push, so one that this look misses sets the bit after it was
 * cleared: seq_cst on both sides. */
void
coll_queue_settle(struct coll_queue *q, uint64_t bit)
{
	uint64_t pending = atomic_load_explicit(&rb_background.pending, memory_order_relaxed);

	if (coll_queues.alone) {
		atomic_store_explicit(&rb_background.pending, pending & ~bit, memory_order_relaxed);
		return;
	}
	atomic_fetch_and_explicit(&rb_background.pending, ~bit, memory_order_seq_cst);
	if (atomic_load_explicit(&q->inbox, memory_order_seq_cst) != NULL)
		atomic_fetch_or_explicit(&rb_background.pending, bit, memory_order_seq_cst);
}

/* A runner may take all meanwhile. */
void
coll_queue_pile(struct coll_queue *q, struct coll_request *r)
{
	struct coll_request *before = atomic_load_explicit(&q->inbox, memory_order_relaxed);

	do
		r->next = before;
	while (!atomic_compare_exchange_weak_explicit(&q->inbox, &before, r, memory_order_release,
						      memory_order_relaxed));
}
