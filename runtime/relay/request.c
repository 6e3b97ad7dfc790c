/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/request.h"

#include <rte_common.h>

#include "base/types.h"
#include "base/wire.h"
#include "host/lbuf.h"
#include "host/proxy_queue.h"
#include "host/wait.h"

struct rb_requests rb_requests;

/* Lock-free: a thread that loses its CPU between its load and its exchange holds up no other. */
static struct rb_req *
take_entry(void)
{
	unsigned int w;

	for (w = 0; w < RTE_DIM(rb_requests.claimed); w++) {
		uint64_t seen = atomic_load_explicit(&rb_requests.claimed[w], memory_order_relaxed);

		while (~seen != 0) {
			uint64_t bit = ~seen & (seen + 1);

			/* acquire: pairs with the release in give_entry() */
			if (atomic_compare_exchange_weak_explicit(&rb_requests.claimed[w], &seen,
								  seen | bit, memory_order_acquire,
								  memory_order_relaxed))
				return &rb_requests
						.req[64 * w + (unsigned int)__builtin_ctzll(bit)];
		}
	}
	return NULL;
}

static void
give_entry(const struct rb_req *req)
{
	unsigned int i = (unsigned int)(req - rb_requests.req);

	atomic_fetch_and_explicit(&rb_requests.claimed[i / 64], ~(1ull << i % 64),
				  memory_order_release);
}

struct rb_req *
rb_req_claim(const struct rb_lbuf *dst, uint32_t len, _Atomic uint32_t *pending)
{
	struct rb_req *req;

	RB_WAIT_FOR((req = take_entry()) != NULL, RB_WAIT_INNER);
	req->dst = *dst;
	req->len = len;
	req->remote_store = false;
	/* a late or forged reply to the last use of the entry does not match */
	req->id = ((req->id >> 8) + 1) << 8 | (uint32_t)(req - rb_requests.req + 1);
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
	req = &rb_requests.req[i - 1];
	if (req->id != d->req || req->len != d->len ||
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
