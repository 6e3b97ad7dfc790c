/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/cut.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include "survive/cut_word.h"
#include "base/state.h"
#include "base/window.h"
#include "base/wire.h"
#include "survive/cut_stage.h"
#include "survive/reroute.h"

/* What this host knows: the number of a loss, its cable, the stages of both ends. It only grows.
 * Written by the holder of `lock`. Release: pairs with the acquire in rb_cut_far_stage(). */
static _Atomic uint64_t known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* May another loss have the next number? */
static bool
is_whole(uint64_t word)
{
	return word == 0 || rb_cut_both(word, RB_CUT_BACK);
}

/* What the neighbours get to know. An end that has seen PARTED of the other one knows of every host
 * between that the requests of its old ways are complete. */
static uint64_t
shown_word(uint64_t word)
{
	enum rb_side side;

	if (!atomic_load_explicit(&rb_cut_draining_flag, memory_order_relaxed))
		return word;
	for (side = RB_LEFT; side < RB_SIDES; side++)
		if (rb_cut_stage_of(word, side) == RB_CUT_PARTED)
			word = rb_cut_with_stage(word, side, RB_CUT_STOPPED);
	return word;
}

/* Nothing goes over the cable of the loss itself, also when it is in use again: what comes from its
 * other end has to come by all the other hosts. */
static void
tell_neighbours(uint64_t word)
{
	enum rb_side side;

	for (side = RB_LEFT; side < RB_SIDES; side++) {
		struct rb_link *link = &rb.link[side];

		if (rb_change_ends(word, side))
			continue;
		/* release: what this host has sent over the cable is visible to every host that
		 * gets the word, because they pass it on */
		rb_win_say64(link, &link->theirs->cut, shown_word(word));
		rb_win_ring(link->port, RB_DB_CUT);
	}
}

/* By the holder of `lock`: add to what this host knows. 0, or -EBUSY: @p word is about another
 * cable. */
static int
add_word(uint64_t word)
{
	uint64_t before = atomic_load_explicit(&known, memory_order_relaxed), now = before;

	if (rb_cut_number_of(word) > rb_cut_number_of(before))
		now = word;
	else if (rb_cut_number_of(word) == rb_cut_number_of(before) &&
		 rb_cut_cable_of(word) != rb_cut_cable_of(before))
		return -EBUSY;
	else if (rb_cut_number_of(word) == rb_cut_number_of(before))
		now = rb_cut_merge(before, word);
	if (now == before)
		return 0;
	now = rb_change_follow(before, now);
	atomic_store_explicit(&known, now, memory_order_release);
	/* a service lcore that sees the link lost has to find this loss in `known` */
	if (rb_cut_number_of(now) != rb_cut_number_of(before))
		rb_change_use(now, RB_LINK_LOST);
	tell_neighbours(now);
	return 0;
}

static int
learn_word(uint64_t word)
{
	int ret;

	pthread_mutex_lock(&lock);
	ret = add_word(word);
	pthread_mutex_unlock(&lock);
	return ret;
}

int
rb_cut_own(enum rb_side side)
{
	unsigned int cable = rb_rule_cable((unsigned int)rb.host, side, (unsigned int)rb.hosts);
	uint64_t word;
	int ret = 0;

	pthread_mutex_lock(&lock);
	word = atomic_load_explicit(&known, memory_order_relaxed);
	if (is_whole(word))
		ret = add_word((rb_cut_number_of(word) + 1) << RB_CUT_NUMBER | cable);
	else if (rb_cut_cable_of(word) != cable)
		ret = -EBUSY;
	pthread_mutex_unlock(&lock);
	return ret;
}

/* Untrusted: a word that no host stores says nothing. */
static bool
is_sound(uint64_t word, uint64_t before)
{
	return rb_cut_number_of(word) != 0 && rb_cut_cable_of(word) < (unsigned int)rb.hosts &&
	       rb_cut_stage_of(word, RB_LEFT) <= RB_CUT_DONE &&
	       rb_cut_stage_of(word, RB_RIGHT) <= RB_CUT_DONE &&
	       (rb_cut_number_of(word) == rb_cut_number_of(before) ||
		(rb_cut_number_of(word) == rb_cut_number_of(before) + 1 &&
		 (before == 0 || rb_cut_both(before, RB_CUT_OPEN)) &&
		 !rb_cut_both(word, RB_CUT_OPEN)));
}

static bool
is_news(uint64_t word)
{
	uint64_t before = atomic_load_explicit(&known, memory_order_relaxed);

	if (word == before || rb_cut_number_of(word) < rb_cut_number_of(before) ||
	    !is_sound(word, before))
		return false;
	return rb_cut_number_of(word) != rb_cut_number_of(before) ||
	       rb_cut_cable_of(word) != rb_cut_cable_of(before) ||
	       rb_cut_merge(before, word) != before;
}

int
rb_cut_look(void)
{
	enum rb_side side;
	int ret = 0;

	for (side = RB_LEFT; ret == 0 && side < RB_SIDES; side++) {
		uint64_t word = rb_cut_word_from(side);

		if (unlikely(word != 0) && is_news(word))
			ret = learn_word(word);
	}
	return ret;
}

uint64_t
rb_cut_number(void)
{
	return rb_cut_number_of(atomic_load_explicit(&known, memory_order_acquire));
}

void
rb_cut_reach(enum rb_side side, uint64_t number, enum rb_cut_stage stage)
{
	uint64_t word;

	pthread_mutex_lock(&lock);
	word = atomic_load_explicit(&known, memory_order_relaxed);
	if (rb_cut_number_of(word) == number && rb_change_ends(word, side))
		add_word(
			rb_cut_with_stage(word, side, RTE_MAX(stage, rb_cut_stage_of(word, side))));
	pthread_mutex_unlock(&lock);
}

enum rb_cut_stage
rb_cut_far_stage(enum rb_side side)
{
	return rb_cut_stage_of(atomic_load_explicit(&known, memory_order_acquire),
			       (enum rb_side)(side ^ 1u));
}

bool
rb_cut_parted(void)
{
	return rb_cut_both(atomic_load_explicit(&known, memory_order_acquire), RB_CUT_PARTED);
}

void
rb_cut_routes_drained(uint32_t changes)
{
	pthread_mutex_lock(&lock);
	if (rb_reroute_ring().changes == changes &&
	    atomic_load_explicit(&rb_cut_draining_flag, memory_order_relaxed)) {
		/* release: pairs with the acquire in rb_cut_has_drained() */
		atomic_store_explicit(&rb_cut_draining_flag, false, memory_order_release);
		tell_neighbours(atomic_load_explicit(&known, memory_order_relaxed));
	}
	pthread_mutex_unlock(&lock);
}

bool
rb_cut_has_drained(void)
{
	return !atomic_load_explicit(&rb_cut_draining_flag, memory_order_acquire);
}
