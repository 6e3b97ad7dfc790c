/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/heal.h"

#include <stdatomic.h>
#include <stdint.h>

#include "base/cut_word.h"
#include "base/group.h"
#include "base/link.h"
#include "base/state.h"
#include "base/window.h"
#include "link/cable.h"
#include "link/chan.h"
#include "link/cut.h"
#include "link/kept.h"
#include "relay/ack.h"
#include "relay/mirror.h"
#include "relay/sleep.h"

/* By group: how far it has come, and in which loss, as the word of a host has it. Written by the
 * poll of the group. */
static _Atomic uint64_t reached[RB_MAX_LCORES];

static bool
rings_empty(const struct rb_link *link, unsigned int group)
{
	struct rb_desc d;
	unsigned int r;

	for (r = 0; r < RB_RINGS; r++)
		if (rb_group_of_ring(r) == group && rb_rx_peek(&link->rx[r], &d))
			return false;
	return true;
}

/* The other end has flushed its senders, so nothing comes any more until it opens. Then it finds
 * all slots free. */
static void
return_slots(const struct rb_link *link, unsigned int group)
{
	unsigned int r;

	for (r = 0; r < RB_RINGS; r++) {
		if (rb_group_of_ring(r) != group)
			continue;
		/* no push: windows are memory where rings go on */
		rb_win_store64(link->rx[r].credit, link->rx[r].pos);
	}
}

/* Has all gone on that had been sent over the cable? */
static bool
nothing_left(enum rb_side side, unsigned int group)
{
	const struct rb_link *link = &rb.link[side];

	return link->kept != NULL ? rb_kept_sent(side, group) : rings_empty(link, group);
}

static bool
may_take(enum rb_side side, unsigned int group)
{
	return rb_cut_beyond(side) >= RB_CUT_PARTED && rb_mirror_marks(group) &&
	       rb_mirror_holds_none(group) && nothing_left(side, group) && rb_cable_heals(side);
}

static void
take_again(enum rb_side side, unsigned int group)
{
	if (rb.link[side].kept == NULL) {
		return_slots(&rb.link[side], group);
		return;
	}
	/* the last look before acknowledgements come over the cable again */
	rb_ack_restore(side, group);
	rb_kept_clear(side, group);
}

static bool
send_again(enum rb_side side, unsigned int group)
{
	if (rb.link[side].kept != NULL && rb_kept_begin(side, group) < 0)
		return false;
	rb_mirror_open(group);
	return true;
}

/* What has to hold before a group leaves @p stage, and what it does then. */
static bool
leave_stage(enum rb_side side, unsigned int group, enum rb_cut_stage stage)
{
	switch (stage) {
	case RB_CUT_STOPPED:
		if (!rb_cut_is_settled())
			return false;
		/* a link that broke before may be up, and the last stores must not land later */
		if (rb.link[side].kept != NULL)
			rb_cable_drain(side);
		return true;
	case RB_CUT_PARTED:
		if (!may_take(side, group))
			return false;
		take_again(side, group);
		return true;
	case RB_CUT_READY:
		if (rb_cut_beyond(side) < RB_CUT_READY)
			return false;
		rb_cable_rely(side);
		return true;
	case RB_CUT_ENTER:
		return rb_cut_beyond(side) >= RB_CUT_ENTER && send_again(side, group);
	case RB_CUT_OPEN:
		return rb_cut_beyond(side) >= RB_CUT_OPEN && rb_mirror_empty(group);
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
	rb_kept_freeze(side, group);
	if (rb.link[side].kept != NULL)
		rb_ack_again(side, group);
	if (rb_mirror_begin(side, group) < 0)
		rb_cable_end(side, "no memory to go on without it");
}

bool
rb_heal_turn(enum rb_side side, unsigned int group)
{
	enum rb_cut_stage stage = (enum rb_cut_stage)rb_mirror_stage(group), next;

	if (stage == RB_CUT_STOPPED &&
	    atomic_load_explicit(&reached[group], memory_order_relaxed) !=
		    word_of(rb_cut_number(), stage)) {
		publish_stage(side, group, stage);
		return true;
	}
	if (!leave_stage(side, group, stage))
		return false;
	next = (enum rb_cut_stage)(stage + 1);
	rb_mirror_reach(group, next);
	publish_stage(side, group, next);
	return true;
}
