/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_SHARES_H
#define RB_BASE_SHARES_H

/**
 * @file
 * Equal shares of a cable for all sources whose requests go over it: rules 8 to 10 and 12 of
 * doc/protocols.md. Functions of numbers, as in base/rules.h.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/rules.h"

enum {
	RB_HOLD = 2048,	      /**< turns that one source leaves slots to those that are due */
	RB_SHARE_FRAMES = 64, /**< so many say which sources there are, at least */
	RB_SHARE_LEAST = RB_LONG / RB_BUDGET, /**< bytes that a frame counts at least */
	RB_SHARE_PART = 8192,	/**< bytes that a program stores before it looks again */
	RB_SHARE_ALONE = 65536, /**< the same, where its relay sends nothing over the cable */
	RB_SHARE_AHEAD = 65536, /**< bytes that it may be ahead of others, or behind */
	RB_SHARE_TURN = 2,	/**< sources that make a turn longer, at most */
};

/** Requests of others that a relay sends over a cable: those that pass, and by index 1 those that
 *  enter there. */
struct rb_shares {
	uint64_t served;	 /**< bytes that each source got that had some to send always */
	uint32_t sent;		 /**< the turn in which the last one went */
	uint32_t ahead[2];	 /**< what those of each kind got beyond @ref served */
	uint32_t wanted[2];	 /**< the turn in which one was here last */
	uint32_t blocked[2];	 /**< and in which it lacked slots */
	uint64_t now[2], old[2]; /**< bits of sources */
	uint32_t frames;	 /**< in @ref now */
	uint32_t held, held_at;	 /**< turns since one took a slot; the last of them */
};

/** Of the last frames of a kind, 1 or more. */
static inline uint32_t
rb_share_sources(const struct rb_shares *s, bool enters)
{
	uint64_t all = s->now[enters] | s->old[enters];

	return all == 0 ? 1 : (uint32_t)__builtin_popcountll(all);
}

/** Bytes behind which the turn of a ring ends whose next request passes to this cable: a core that
 *  sends over several gives more to the one where more sources wait. */
static inline uint32_t
rb_share_turn(const struct rb_shares *s)
{
	uint32_t sources = rb_share_sources(s, false);

	return RB_LONG * (sources < RB_SHARE_TURN ? sources : RB_SHARE_TURN);
}

/** Free slots that a request needs to enter in turn @p turn: half of the ring, so that what is
 * under way has room to move; no more than @ref RB_ENTER where it is due. */
static inline uint32_t
rb_share_enter(const struct rb_shares *s, uint32_t turn, uint32_t slots)
{
	bool due = s->ahead[1] <= s->ahead[0] && turn - s->wanted[0] < 2;

	return due || slots / 2 < RB_ENTER ? RB_ENTER : slots / 2;
}

/** A request is at the head of its ring in turn @p turn, which is 2 or more. @p room: there are
 *  slots, or it needs none as @p stored. @return do those of the other kind go first? */
static inline bool
rb_share_waits(struct rb_shares *s, bool enters, bool room, bool stored, uint32_t turn)
{
	bool others = s->ahead[enters] > s->ahead[!enters] && turn - s->wanted[!enters] < 2;
	uint32_t sources;

	s->wanted[enters] = turn;
	if (!room)
		s->blocked[enters] = turn;
	if (!others || turn - s->blocked[!enters] >= 2)
		return others;
	/* they lack slots: none is taken, for a while */
	sources = rb_share_sources(s, enters);
	if (stored || s->held >= RB_HOLD / (sources * sources))
		return false;
	s->held += s->held_at != turn;
	s->held_at = turn;
	return true;
}

/** A request of @p src of @p len bytes went in turn @p turn. */
static inline void
rb_share_went(struct rb_shares *s, bool enters, bool stored, unsigned int src, uint32_t len,
	      uint32_t turn)
{
	uint32_t got = s->ahead[enters], other = s->ahead[!enters];
	unsigned int kind;

	if (s->frames++ == RB_SHARE_FRAMES) {
		for (kind = 0; kind < 2; kind++) {
			s->old[kind] = s->now[kind];
			s->now[kind] = 0;
		}
		s->frames = 1;
	}
	s->now[enters] |= UINT64_C(1) << src;
	s->ahead[!enters] = other > got ? other - got : 0;
	s->ahead[enters] =
		(len > RB_SHARE_LEAST ? len : RB_SHARE_LEAST) / rb_share_sources(s, enters);
	/* programs look at both, and need no order */
	__atomic_store_n(&s->served, s->served + got, __ATOMIC_RELAXED);
	__atomic_store_n(&s->sent, turn, __ATOMIC_RELAXED);
	if (!stored)
		s->held = s->blocked[0] = s->blocked[1] = 0;
}

/**
 * Does the program of this host wait before it stores its next @p len bytes through a window?
 * @param sent   what it stored, as if it had begun with the relay
 * @param served as in rb_shares
 * @param busy   the relay sends there, and over no other cable since: else it loses nothing
 */
static inline bool
rb_share_paces(uint64_t *sent, uint64_t served, bool busy, uint32_t len)
{
	bool ahead = *sent > served + RB_SHARE_AHEAD;

	if (ahead && busy)
		return true;
	if (ahead)
		*sent = served + RB_SHARE_AHEAD;
	else if (*sent + RB_SHARE_AHEAD < served)
		*sent = served - RB_SHARE_AHEAD;
	*sent += len;
	return false;
}

#endif /* RB_BASE_SHARES_H */
