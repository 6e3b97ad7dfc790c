/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/cut.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/exit.h"
#include "base/state.h"
#include "base/tsan.h"
#include "base/window.h"
#include "base/wire.h"
#include "host/ring_state.h"
#include "survive/cut_word.h"
#include "survive/reroute.h"

/* What this host knows: the number of a loss, its cable, the stages of both ends. It only grows.
 * Written by the holder of `lock`. Release: pairs with the acquire in rb_cut_far_stage(). */
static _Atomic uint64_t known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- routes and links; by the holder of `lock` ---- */

/* May requests of routes that this host has left be under way? Set by each change of the routes. */
static _Atomic bool draining;

/* By side: the barrier word sent last, also where none goes. */
static _Atomic uint64_t barrier_sent[RB_SIDES];

/* Is the cable on @p side the one that the cut word is about? */
static bool
is_end(uint64_t word, enum rb_side side)
{
	return word != 0 && rb_rule_cable((unsigned int)rb.host, side, (unsigned int)rb.hosts) ==
				    rb_cut_cable_of(word);
}

/* At an end of the cable: what its link is used for. Release: pairs with the acquire in
 * rb_link_use(). */
static void
use_link(uint64_t word, enum rb_link_use use)
{
	enum rb_side side;

	for (side = RB_LEFT; side < RB_SIDES; side++)
		if (is_end(word, side))
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
	atomic_store_explicit(&draining, true, memory_order_relaxed);
	/* one of the two hosts at the cable says it */
	if (is_end(word, RB_RIGHT))
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
	atomic_store_explicit(&draining, true, memory_order_relaxed);
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
			rb_win_publish64(link, &link->theirs->barrier, word);
		atomic_thread_fence(memory_order_seq_cst); /* pairs with rb_cut_barrier() */
		now = atomic_load_explicit(&barrier_sent[side], memory_order_relaxed);
	} while (now != word);
}

static void
open_cable(uint64_t word)
{
	enum rb_side side;

	use_link(word, RB_LINK_OPENS);
	atomic_thread_fence(memory_order_seq_cst); /* pairs with rb_cut_barrier() */
	for (side = RB_LEFT; side < RB_SIDES; side++)
		if (is_end(word, side))
			repeat_barrier_word(side);
}

static bool
opens_cable(uint64_t before, uint64_t now, enum rb_side side)
{
	return is_end(now, side) && rb_cut_stage_of(before, side) < RB_CUT_OPEN &&
	       rb_cut_stage_of(now, side) >= RB_CUT_OPEN;
}

/* Both ends are in stage BACK: the end hosts say so to each other, so that the one that tells the
 * user knows that every host knows it. */
static uint64_t
finish_healing(uint64_t word)
{
	enum rb_side side;

	use_link(word, RB_LINK_WHOLE);
	for (side = RB_LEFT; side < RB_SIDES; side++)
		if (is_end(word, side))
			word = rb_cut_with_stage(word, side, RB_CUT_DONE);
	return word;
}

/* Every host knows that the ring is whole: from here on the loss of any cable is survived. */
static void
say_whole(uint64_t word)
{
	note_whole();
	if (is_end(word, RB_RIGHT))
		rb_note("the cable between host %u and host %u is back; the job uses it again",
			rb_cut_cable_of(word),
			(rb_cut_cable_of(word) + 1) % (unsigned int)rb.hosts);
}

/* What a host does to its own routes and links when it learns more of a lost cable: before it
 * passes that on, so that its neighbours may rely on it. This host knew @p before, and knows @p
 * now.
 * @return what it knows then: it may have come a stage further. */
static uint64_t
follow_word(uint64_t before, uint64_t now)
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
rb_cut_barrier(enum rb_side side, uint64_t word)
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
	rb_win_publish64(link, &link->theirs->barrier, word);
}

/* ---- the word ---- */

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

	if (!atomic_load_explicit(&draining, memory_order_relaxed))
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

		if (is_end(word, side))
			continue;
		/* release: what this host has sent over the cable is visible to every host that
		 * gets the word, because they pass it on */
		rb_win_publish64(link, &link->theirs->cut, shown_word(word));
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
	now = follow_word(before, now);
	atomic_store_explicit(&known, now, memory_order_release);
	/* a service lcore that sees the link lost has to find this loss in `known` */
	if (rb_cut_number_of(now) != rb_cut_number_of(before))
		use_link(now, RB_LINK_LOST);
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
	if (rb_cut_number_of(word) == number && is_end(word, side))
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
	    atomic_load_explicit(&draining, memory_order_relaxed)) {
		/* release: pairs with the acquire in rb_cut_has_drained() */
		atomic_store_explicit(&draining, false, memory_order_release);
		tell_neighbours(atomic_load_explicit(&known, memory_order_relaxed));
	}
	pthread_mutex_unlock(&lock);
}

bool
rb_cut_has_drained(void)
{
	return !atomic_load_explicit(&draining, memory_order_acquire);
}
