/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "rb_chan.h"
#include "rb_host.h"

/*
 * Arrivals run both ways round the ring at once. A word carries epoch << 8 | n: n contiguous hosts
 * on that side, the sender included, are in this epoch's barrier. Words only grow, so a posted
 * store each is enough, and a host that is an epoch ahead cannot confuse one that is behind.
 * A host may leave when what it hears from both sides and itself cover the ring; by then it has
 * told both sides all it knows, and that is all that they will ever need of it
 * (doc/protocols.md, tests/spin).
 */
enum {
	COUNT_BITS = 8
};

static unsigned int
heard(enum rb_side side, uint64_t epoch)
{
	const struct rb_link *link = &rb.link[side];
	uint64_t v;

	if (link->port == NULL)
		return 0;
	/* acquire: pairs with tell(); what the sender did before its barrier is visible after */
	v = __atomic_load_n(&link->mine->barrier, __ATOMIC_ACQUIRE);
	if (v >> COUNT_BITS > epoch)
		return (unsigned int)rb.hosts - 1;
	if (v >> COUNT_BITS < epoch)
		return 0;
	return v & ((1u << COUNT_BITS) - 1);
}

static void
tell(enum rb_side side, uint64_t epoch, unsigned int n)
{
	struct rb_link *link = &rb.link[side];

	if (link->port == NULL)
		return;
	if (n > (unsigned int)rb.hosts - 1)
		n = (unsigned int)rb.hosts - 1;
	rb_win_order(link);
	__atomic_store_n(&link->theirs->barrier, epoch << COUNT_BITS | n, __ATOMIC_RELEASE);
}

/* All hosts of the ring; called by one PE of each. */
static void
ring_barrier(uint64_t epoch)
{
	unsigned int left = 0, right = 0, l, r;
	struct rb_wait w = {0};

	tell(RB_RIGHT, epoch, 1);
	tell(RB_LEFT, epoch, 1);
	for (;;) {
		l = heard(RB_LEFT, epoch);
		r = heard(RB_RIGHT, epoch);
		if (l > left)
			tell(RB_RIGHT, epoch, l + 1);
		if (r > right)
			tell(RB_LEFT, epoch, r + 1);
		left = l;
		right = r;
		/* decided on the very values that were passed on: a fresh look could release this
		 * host by a count that its neighbours never hear of */
		if (left + right + 1 >= (unsigned int)rb.hosts)
			break;
		rb_wait_turn(&w);
	}
	rb_wait_end(&w);
	/* out of the write-combining buffers before the program computes */
	rb_win_push(&rb.link[RB_LEFT]);
	rb_win_push(&rb.link[RB_RIGHT]);
}

/* The PEs of a host meet first, the lead speaks for them on the ring. */
void
rb_barrier(void)
{
	uint64_t epoch = ++rb.epoch;

	if (rb.locals > 1)
		rb_host_arrive(epoch);
	if (rb.hosts == 1)
		return;
	if (rb.local != 0) {
		rb_host_wait(epoch);
		return;
	}
	ring_barrier(epoch);
	if (rb.locals > 1)
		rb_host_release(epoch);
}
