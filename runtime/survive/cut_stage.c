/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/cut_stage.h"

#include <stdatomic.h>

#include "survive/cut_word.h"
#include "base/exit.h"
#include "base/state.h"
#include "base/tsan.h"
#include "base/window.h"
#include "base/wire.h"
#include "host/ring_state.h"
#include "survive/reroute.h"

_Atomic bool rb_cut_draining_flag;

/* By side: the barrier word sent last, also where none goes. */
static _Atomic uint64_t barrier_sent[RB_SIDES];

bool
rb_change_ends(uint64_t word, enum rb_side side)
{
	return word != 0 && rb_rule_cable((unsigned int)rb.host, side, (unsigned int)rb.hosts) ==
				    rb_cut_cable_of(word);
}

/* Release: pairs with the acquire in rb_link_use(). */
void
rb_change_use(uint64_t word, enum rb_link_use use)
{
	enum rb_side side;

	for (side = RB_LEFT; side < RB_SIDES; side++)
		if (rb_change_ends(word, side))
			atomic_store_explicit(&rb.link[side].use, use, memory_order_release);
}

/* The cable that rb_ring_lose() was called for last; -1: it is back. */
static int lost = -1;

static void
note_whole(void)
{
	if (lost >= 0)
		rb_ring_regain((unsigned int)lost);
	lost = -1;
}

/* This host learns of a loss: from here on its requests go the other way. */
static void
leave_cable(uint64_t word)
{
	const struct rb_ring ring = {.changes = (uint32_t)(2 * rb_cut_number_of(word) - 1),
				     .lost = (int)rb_cut_cable_of(word)};
	enum rb_side side;

	lost = ring.lost;
	rb_ring_lose((unsigned int)lost);
	for (side = RB_LEFT; side < RB_SIDES; side++)
		atomic_store_explicit(&rb.link[side].use, RB_LINK_WHOLE, memory_order_relaxed);
	rb_reroute(&ring);
	atomic_store_explicit(&rb_cut_draining_flag, true, memory_order_relaxed);
	/* one of the two hosts at the cable says it */
	if (rb_change_ends(word, RB_RIGHT))
		rb_note("the cable between host %d and host %d is lost; the job goes on the other "
			"way round",
			ring.lost, (ring.lost + 1) % rb.hosts);
}

/* Both ends have the cable in use: requests go the short way again, each after those of the long
 * one. */
static void
return_to_cable(uint64_t word)
{
	const struct rb_ring ring = {.changes = (uint32_t)(2 * rb_cut_number_of(word)), .lost = -1};

	rb_reroute(&ring);
	atomic_store_explicit(&rb_cut_draining_flag, true, memory_order_relaxed);
}

/*
 * The neighbour beyond the cable has not got the barrier words that were sent meanwhile, and needs
 * them where another cable is lost during that barrier. The thread in a barrier stores its word in
 * barrier_sent first, and looks at link->use then; here it is the other way round. So one of the
 * two sees the other, and if both store, this thread looks again: the younger word is stored last.
 */
static void
repeat_barrier_word(enum rb_side side)
{
	struct rb_link *link = &rb.link[side];
	uint64_t word, now = atomic_load_explicit(&barrier_sent[side], memory_order_relaxed);

	do {
		word = now;
		if (word != 0)
			rb_win_say64(link, &link->theirs->barrier, word);
		atomic_thread_fence(memory_order_seq_cst); /* pairs with rb_change_barrier() */
		now = atomic_load_explicit(&barrier_sent[side], memory_order_relaxed);
	} while (now != word);
}

static void
open_cable(uint64_t word)
{
	enum rb_side side;

	rb_change_use(word, RB_LINK_OPENS);
	atomic_thread_fence(memory_order_seq_cst); /* pairs with rb_change_barrier() */
	for (side = RB_LEFT; side < RB_SIDES; side++)
		if (rb_change_ends(word, side))
			repeat_barrier_word(side);
}

static bool
opens_cable(uint64_t before, uint64_t now, enum rb_side side)
{
	return rb_change_ends(now, side) && rb_cut_stage_of(before, side) < RB_CUT_OPEN &&
	       rb_cut_stage_of(now, side) >= RB_CUT_OPEN;
}

/* Both ends are in stage BACK: the end hosts say so to each other, so that the one that tells the
 * user knows that every host knows it. */
static uint64_t
finish_healing(uint64_t word)
{
	enum rb_side side;

	rb_change_use(word, RB_LINK_WHOLE);
	for (side = RB_LEFT; side < RB_SIDES; side++)
		if (rb_change_ends(word, side))
			word = rb_cut_with_stage(word, side, RB_CUT_DONE);
	return word;
}

/* Every host knows that the ring is whole: from here on the loss of any cable is survived. */
static void
say_whole(uint64_t word)
{
	note_whole();
	if (rb_change_ends(word, RB_RIGHT))
		rb_note("the cable between host %u and host %u is back; the job uses it again",
			rb_cut_cable_of(word),
			(rb_cut_cable_of(word) + 1) % (unsigned int)rb.hosts);
}

uint64_t
rb_change_follow(uint64_t before, uint64_t now)
{
	if (rb_cut_number_of(now) != rb_cut_number_of(before)) {
		/* where this host has not seen the end of the last loss, that has ended */
		if (before != 0 && !rb_cut_both(before, RB_CUT_DONE))
			say_whole(before);
		leave_cable(now);
		before = rb_cut_with_stage(rb_cut_with_stage(now, RB_LEFT, RB_CUT_LEFT), RB_RIGHT,
					   RB_CUT_LEFT);
	}
	if (opens_cable(before, now, RB_LEFT) || opens_cable(before, now, RB_RIGHT))
		open_cable(now);
	if (rb_cut_both(now, RB_CUT_OPEN) && !rb_cut_both(before, RB_CUT_OPEN))
		return_to_cable(now);
	if (rb_cut_both(now, RB_CUT_BACK) && !rb_cut_both(before, RB_CUT_BACK))
		now = finish_healing(now);
	if (rb_cut_both(now, RB_CUT_DONE) && !rb_cut_both(before, RB_CUT_DONE))
		say_whole(now);
	return now;
}

void
rb_change_barrier(enum rb_side side, uint64_t word)
{
	struct rb_link *link = &rb.link[side];

	atomic_store_explicit(&barrier_sent[side], word, memory_order_relaxed);
	if (unlikely(rb_link_lost(link))) {
		/* the word before the second look; pairs with the fences in open_cable() */
		atomic_thread_fence(memory_order_seq_cst);
		if (rb_link_lost(link))
			return;
	}
	rb_tsan_release();
	rb_win_say64(link, &link->theirs->barrier, word);
}
