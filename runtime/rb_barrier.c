/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "rb_barrier.h"
#include "rb_boot.h"
#include "rb_chan.h"
#include "rb_host.h"
#include "rb_span.h"

/*
 * Arrivals run both ways round the ring at once. A word carries epoch and n: n contiguous hosts on
 * that side, the sender included, are in this epoch's barrier. Words only grow, so a posted store
 * each is enough, and a host that is an epoch ahead cannot confuse one that is behind. A host may
 * leave when what it hears from both sides and itself cover the ring; by then it has told both
 * sides all it knows, and that is all that they will ever need of it (doc/protocols.md,
 * tests/spin).
 */
static void
two_way(uint64_t epoch)
{
	uint64_t hello = rb_rule_arrival(epoch, 1, (unsigned int)rb.hosts), words[RB_SIDES];
	uint64_t next[RB_SIDES] = {hello, hello};
	struct rb_arrivals seen = {0};
	struct rb_wait w = {0};
	bool leave = false;

	for (;;) {
		rb_barrier_tell(RB_RIGHT, next[RB_RIGHT]);
		rb_barrier_tell(RB_LEFT, next[RB_LEFT]);
		if (leave)
			break;
		words[RB_LEFT] = rb_barrier_word(RB_LEFT);
		words[RB_RIGHT] = rb_barrier_word(RB_RIGHT);
		leave = rb_rule_barrier(&seen, words, epoch, (unsigned int)rb.hosts, next);
		if (leave || (next[RB_LEFT] | next[RB_RIGHT]) != 0)
			continue;
		if (unlikely(rb.opening))
			rb_greet_far(&seen);
		rb_wait_turn(&w);
	}
	rb_wait_end(&w);
}

/* All hosts of the ring; called by one PE of each. */
static void
ring_barrier(uint64_t epoch)
{
	switch (rb.env.barrier) {
	case RB_BARRIER_STARTEND:
		rb_barrier_startend();
		break;
	case RB_BARRIER_COUNTING:
		rb_barrier_counting(epoch);
		break;
	default:
		two_way(epoch);
		break;
	}
	/* out of the write-combining buffers before the program computes */
	rb_win_push(&rb.link[RB_LEFT]);
	rb_win_push(&rb.link[RB_RIGHT]);
}

/* Has the lead heard of all other hosts? What its neighbours store is in the host's memory. */
static bool
lead_heard(uint64_t epoch)
{
	unsigned int side, sum = 1;

	for (side = 0; side < RB_SIDES; side++) {
		const struct rb_ctl *mine = (const struct rb_ctl *)(rb.region + rb.lay.ctl[side]);

		/* acquire: as in rb_barrier_word() */
		sum += rb_rule_heard(__atomic_load_n(&mine->barrier, __ATOMIC_ACQUIRE), epoch,
				     (unsigned int)rb.hosts);
	}
	return sum >= (unsigned int)rb.hosts;
}

/* The lead need not run again to let the others go: they see what it will. */
static void
follow(uint64_t epoch)
{
	bool both_ways = rb.env.barrier == RB_BARRIER_COUNT;
	struct rb_wait w = {0};

	while (!rb_host_released(epoch)) {
		if (both_ways && lead_heard(epoch)) {
			rb_wait_end(&w);
			rb_host_meet(epoch);
			return;
		}
		rb_wait_turn(&w);
	}
	rb_wait_end(&w);
}

/* The PEs of a host meet first, the lead speaks for them on the ring. */
static void
meet(void)
{
	uint64_t epoch = rb.epoch + 1;

	__atomic_store_n(&rb.epoch, epoch, __ATOMIC_RELAXED);
	if (rb.locals > 1)
		rb_host_arrive(epoch);
	if (rb.hosts == 1)
		return;
	if (rb.local != 0) {
		follow(epoch);
		return;
	}
	ring_barrier(epoch);
	if (rb.locals > 1)
		rb_host_release(epoch);
}

void
rb_barrier(void)
{
	struct rb_stats *s;
	uint64_t begin;

	if (likely(rb.watch == 0)) {
		meet();
		return;
	}
	s = rb_stats_mine();
	begin = rb_span_enter();
	rb_stats_do(s, RB_DOING_BARRIER);
	meet();
	rb_stats_do(s, RB_DOING_RUN);
	rb_count(&s->barriers, 1);
	rb_count(&s->barrier_ticks, rb_span_leave(RB_TRACE_BARRIER, begin));
}
