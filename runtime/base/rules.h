/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_RULES_H
#define RB_BASE_RULES_H

/**
 * @file
 * The rules of the ring as pure functions of numbers: which way round, when a frame may take a
 * slot, when credits go back, what a barrier tells whom. No memory of a link, no clock: the runtime
 * follows them on real links and the simulator (sim/) on modelled ones. doc/protocols.md has the
 * proofs.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/wire.h"

enum rb_side {
	RB_LEFT = 0,
	RB_RIGHT = 1,
	RB_SIDES = 2
};

enum {
	RB_ENTER = 2,	    /**< free slots that entering transit or reply rings takes */
	RB_PASS = 1,	    /**< free slots that going on in them takes */
	RB_BUDGET = 16,	    /**< frames of one ring in one turn of a service lcore */
	RB_ACK_LATE = 1024, /**< turns that an ack waits at most */
	RB_PIECES = 128,    /**< of a large transfer, where hosts have CPUs of their own */
	RB_PIECE_MIN = 8192,
};

struct rb_route {
	enum rb_side side;
	unsigned int hops;
};

/** The shorter way round; at equal length even hosts go right and odd ones left, so that both
 *  directions carry load. */
static inline struct rb_route
rb_rule_route(unsigned int from, unsigned int to, unsigned int hosts)
{
	unsigned int right = (to + hosts - from) % hosts, left = hosts - right;
	struct rb_route r = {RB_RIGHT, right};

	if (right != 0 && (left < right || (left == right && from % 2 != 0)))
		r = (struct rb_route){RB_LEFT, left};
	return r;
}

/** Slots that the producer at @p pos knows to be free. */
static inline uint32_t
rb_rule_free(uint32_t pos, uint32_t credit, uint32_t slots)
{
	uint32_t used = pos - credit;

	return used <= slots ? slots - used : 0;
}

/** Free slots that a frame needs in the ring of the next link: a request that comes from its
 *  source's ring enters, and so does a new reply; what is in transit passes. */
static inline uint32_t
rb_rule_need(bool enters)
{
	return enters ? RB_ENTER : RB_PASS;
}

/** Is it time to tell the producer about @p fresh freed slots? At once when a quarter of the ring
 *  is, else at the end of the turn. */
static inline bool
rb_rule_credit_due(uint32_t fresh, uint32_t slots, bool turn_ends)
{
	return fresh != 0 && (turn_ends || fresh >= slots / 4);
}

/**
 * Are owed acks to be paid at the end of this turn? Where @p flush, a relay has to read through the
 * window first and stands still for a round trip. In the middle of a transfer that would add the
 * round trip to the transfer, since a relay that is late stays late; nobody's quiet can be over
 * then anyway.
 * @param idle  the turn found nothing
 * @param more  the last request said that more of it follows
 * @param late  turns since an ack has been owed
 */
static inline bool
rb_rule_ack_due(bool idle, bool more, uint32_t late, bool flush)
{
	return !flush || (idle && !more) || late >= RB_ACK_LATE;
}

/**
 * Payload of a frame of a put, or of a reply to a get, of @p len bytes. What the second hop adds is
 * the time of one frame, so that small ones cost no bandwidth, as long as each host's service lcore
 * has a CPU.
 */
static inline uint32_t
rb_rule_piece(uint64_t len, uint32_t chunk, bool pipelined)
{
	uint64_t piece = (len / RB_PIECES + RB_PIECE_MIN - 1) / RB_PIECE_MIN * RB_PIECE_MIN;

	if (!pipelined || piece >= chunk)
		return chunk;
	return piece < RB_PIECE_MIN ? RB_PIECE_MIN : (uint32_t)piece;
}

/** What a host inside a barrier has heard from both sides, and passed on. */
struct rb_arrivals {
	unsigned int heard[RB_SIDES];
};

static inline unsigned int
rb_rule_heard(uint64_t word, uint64_t epoch, unsigned int hosts)
{
	if (word >> RB_ARRIVE_BITS > epoch)
		return hosts - 1;
	if (word >> RB_ARRIVE_BITS < epoch)
		return 0;
	return word & ((1u << RB_ARRIVE_BITS) - 1);
}

/** The word that says: @p n contiguous hosts up to here have arrived. */
static inline uint64_t
rb_rule_arrival(uint64_t epoch, unsigned int n, unsigned int hosts)
{
	return epoch << RB_ARRIVE_BITS | (n < hosts ? n : hosts - 1);
}

/**
 * One look at the words of both neighbours.
 * @param words  one load each
 * @param tell   by side: the word to store there, 0 for none
 * @return may this host leave, once it has told? Decided on the very values that are passed on: a
 *         fresh look could release it by a count that its neighbours never hear of.
 */
static inline bool
rb_rule_barrier(struct rb_arrivals *a, const uint64_t words[RB_SIDES], uint64_t epoch,
		unsigned int hosts, uint64_t tell[RB_SIDES])
{
	unsigned int side, n, sum = 1;

	for (side = 0; side < RB_SIDES; side++) {
		n = rb_rule_heard(words[side], epoch, hosts);
		tell[side ^ 1u] = n > a->heard[side] ? rb_rule_arrival(epoch, n + 1, hosts) : 0;
		a->heard[side] = n;
		sum += n;
	}
	return sum >= hosts;
}

#endif /* RB_BASE_RULES_H */
