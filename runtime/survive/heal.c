/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/heal.h"

#include <stdatomic.h>
#include <stdint.h>

#include "survive/cut_word.h"
#include "base/link.h"
#include "base/state.h"
#include "link/cable.h"
#include "survive/cut.h"
#include "survive/retransmit.h"
#include "relay/ack.h"
#include "survive/loop.h"
#include "relay/sleep.h"
#include "survive/watch.h"

/* By group: how far it has come, and in which loss, as the word of a host has it. Written by the
 * poll of the group. */
static _Atomic uint64_t reached[RB_MAX_LCORES];

static bool
may_take(enum rb_side side, unsigned int group)
{
	return rb_cut_far_stage(side) >= RB_CUT_PARTED && rb_loop_marks(group) &&
	       rb_loop_holds_none(group) && rb_retx_empty(side, group) && rb_watch_is_back(side);
}

static bool
send_again(enum rb_side side, unsigned int group)
{
	if (rb_retx_begin(side, group) < 0)
		return false;
	rb_loop_open(group);
	return true;
}

/* What has to hold before a group leaves @p stage, and what it does then. */
static bool
leave_stage(enum rb_side side, unsigned int group, enum rb_cut_stage stage)
{
	switch (stage) {
	case RB_CUT_STOPPED:
		if (!rb_cut_has_drained())
			return false;
		/* a link that broke before may be up, and the last stores must not land later */
		rb_cable_drain(side);
		return true;
	case RB_CUT_PARTED:
		if (!may_take(side, group))
			return false;
		rb_retx_clear(side, group);
		return true;
	case RB_CUT_READY:
		if (rb_cut_far_stage(side) < RB_CUT_READY)
			return false;
		rb_watch_rely(side);
		return true;
	case RB_CUT_ENTER:
		return rb_cut_far_stage(side) >= RB_CUT_ENTER && send_again(side, group);
	case RB_CUT_OPEN:
		return rb_cut_far_stage(side) >= RB_CUT_OPEN && rb_loop_empty(group);
	default:
		return false;
	}
}

static uint64_t
word_of(uint64_t number, enum rb_cut_stage stage)
{
	return number << RB_CUT_NUMBER | stage;
}

/* The stage that all groups have reached in loss @p number. Sequentially consistent: of two groups
 * that come last, one sees the other. */
static enum rb_cut_stage
least_of_all(uint64_t number)
{
	enum rb_cut_stage least = RB_CUT_DONE;
	unsigned int g;

	for (g = 0; g < rb.lcores; g++) {
		uint64_t word = atomic_load_explicit(&reached[g], memory_order_seq_cst);
		enum rb_cut_stage stage = word >> RB_CUT_NUMBER == number
						  ? (enum rb_cut_stage)(word & 0xff)
						  : RB_CUT_LEFT;

		least = stage < least ? stage : least;
	}
	return least;
}

/* Service lcores that sleep look again: what their group waits for may have come from this host. */
static void
wake_others(unsigned int group)
{
	unsigned int g;

	for (g = 0; g < rb.lcores; g++)
		if (g != group)
			rb_call(g);
}

static void
publish_stage(enum rb_side side, unsigned int group, enum rb_cut_stage stage)
{
	uint64_t number = rb_cut_number();

	atomic_store_explicit(&reached[group], word_of(number, stage), memory_order_seq_cst);
	rb_cut_reach(side, number, least_of_all(number));
	wake_others(group);
}

void
rb_heal_begin(enum rb_side side, unsigned int group)
{
	rb_retx_freeze(side, group);
	rb_ack_again(side, group);
	if (rb_loop_begin(side, group) < 0)
		rb_cable_end(side, "no memory to go on without it");
}

bool
rb_heal_turn(enum rb_side side, unsigned int group)
{
	enum rb_cut_stage stage = (enum rb_cut_stage)rb_loop_stage(group), next;

	if (stage == RB_CUT_STOPPED &&
	    atomic_load_explicit(&reached[group], memory_order_relaxed) !=
		    word_of(rb_cut_number(), stage)) {
		publish_stage(side, group, stage);
		return true;
	}
	if (!leave_stage(side, group, stage))
		return false;
	next = (enum rb_cut_stage)(stage + 1);
	rb_loop_reach(group, next);
	publish_stage(side, group, next);
	return true;
}
