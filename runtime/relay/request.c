/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/request.h"

#include <errno.h>
#include <string.h>

#include <rte_mempool.h>

#include "base/error.h"
#include "base/tsan.h"
#include "base/types.h"
#include "base/wire.h"
#include "host/lbuf.h"
#include "host/proxy_queue.h"
#include "host/wait.h"

struct rb_requests rb_requests;

/*
 * Requests that wait for a reply. An rte_mempool over DPDK's lock-free stack holds the idle
 * entries. A ring would not do: a thread that loses its CPU while it moves the head of a ring
 * blocks all later threads, but in the stack it blocks none. The pool has caches only for the EAL's
 * lcores, and application threads claim entries. So one idle entry stays in front of the pool, in a
 * word that is exchanged atomically: a thread that fetches repeatedly gets the entry that it has
 * just returned, with two atomic instructions instead of the pool's eight.
 */
static struct rb_req *
take_entry(void)
{
	struct rb_req *req = NULL;
	void *obj;

	if (atomic_load_explicit(&rb_requests.spare, memory_order_relaxed) != NULL)
		/* acquire: pairs with the release in give_entry() */
		req = atomic_exchange_explicit(&rb_requests.spare, NULL, memory_order_acquire);
	if (req == NULL && rte_mempool_get(rb_requests.pool, &obj) == 0)
		req = obj;
	return req;
}

static void
give_entry(struct rb_req *req)
{
	struct rb_req *none = NULL;

	/* a race detector cannot see into DPDK's library */
	rb_tsan_release();
	if (!atomic_compare_exchange_strong_explicit(&rb_requests.spare, &none, req,
						     memory_order_release, memory_order_relaxed))
		rte_mempool_put(rb_requests.pool, req);
}

/* An entry keeps its index for ever. */
static void
number_entry(struct rte_mempool *pool, void *arg, void *obj, unsigned int i)
{
	(void)pool;
	(void)arg;
	rb_requests.req[i] = obj;
	*rb_requests.req[i] = (struct rb_req){.id = i + 1};
}

int
rb_req_open(void)
{
	struct rte_mempool *pool =
		rte_mempool_create_empty("ringbell_req", RB_REQS, sizeof(struct rb_req), 0, 0,
					 SOCKET_ID_ANY, RTE_MEMPOOL_F_NO_IOVA_CONTIG);

	if (pool == NULL)
		return rb_fail(-ENOMEM, "no memory for the request table");
	rb_requests.pool = pool;
	if (rte_mempool_set_ops_byname(pool, "lf_stack", NULL) < 0) {
		rb_req_close();
		return rb_fail(-ENOTSUP, "DPDK has no mempool driver \"lf_stack\": install its "
					 "mempool_stack library (Debian: librte-mempool-stack*)");
	}
	if (rte_mempool_populate_default(pool) < RB_REQS) {
		rb_req_close();
		return rb_fail(-ENOMEM, "no memory for the request table");
	}
	rte_mempool_obj_iter(pool, number_entry, NULL);
	return 0;
}

void
rb_req_close(void)
{
	rte_mempool_free(rb_requests.pool);
	rb_requests.pool = NULL;
	atomic_store_explicit(&rb_requests.spare, NULL, memory_order_relaxed);
}

struct rb_req *
rb_req_claim(const struct rb_lbuf *dst, uint32_t len, _Atomic uint32_t *pending)
{
	struct rb_req *req;

	RB_WAIT_FOR((req = take_entry()) != NULL, RB_WAIT_INNER);
	/* the last owner has finished with the entry; see give_entry() */
	rb_tsan_acquire();
	req->dst = *dst;
	req->len = len;
	req->remote_store = false;
	req->id += 1u << 8; /* a late or forged reply to the last use of the entry does not match */
	atomic_fetch_add_explicit(pending, 1, memory_order_relaxed);
	__atomic_store_n(&req->pending, pending, __ATOMIC_RELAXED);
	return req;
}

/* Nothing of the reply is outstanding any more. */
static void
finish_entry(struct rb_req *req)
{
	_Atomic uint32_t *pending = req->pending;
	uint32_t left;

	__atomic_store_n(&req->pending, NULL, __ATOMIC_RELAXED);
	give_entry(req);
	/* last access: the counter of a blocking caller is on its stack. Release: pairs with
	 * rb_pending_wait(); acquire: host/proxy_queue.c */
	left = atomic_fetch_sub_explicit(pending, 1, memory_order_acq_rel) - 1;
	rb_proxy_replied(pending, left);
}

void
rb_req_finish(const struct rb_desc *d, const uint8_t *payload)
{
	unsigned int i = d->req & 0xff;
	struct rb_req *req;

	if (i == 0 || i > RB_REQS)
		return;
	req = rb_requests.req[i - 1];
	if (req == NULL || req->id != d->req || req->len != d->len ||
	    __atomic_load_n(&req->pending, __ATOMIC_ACQUIRE) == NULL)
		return;
	if (d->op == RB_OP_AMO_REPLY && d->len > sizeof(d->arg[0]))
		return;
	if ((d->flags & RB_DESC_STORED) == 0)
		rb_lbuf_write(&req->dst, 0,
			      d->op == RB_OP_AMO_REPLY ? (const uint8_t *)&d->value : payload,
			      d->len);
	else if (!req->remote_store)
		return;
	finish_entry(req);
}

void
rb_pending_wait(_Atomic uint32_t *pending)
{
	RB_WAIT_FOR(atomic_load_explicit(pending, memory_order_acquire) == 0, RB_WAIT_POLL);
}
