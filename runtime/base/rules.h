/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_RULES_H
#define RB_BASE_RULES_H

/**
 * @file
 * The rules of the ring as pure functions of numbers: which way round a request goes, when a frame
 * may take a slot, when credits go back, which words a barrier stores. They read no memory of a
 * link and no clock: the runtime applies them to real links, and the simulator (lab/sim/) to
 * modelled ones. doc/protocols.md has the proofs.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/wire.h"

/** The two ports of a host on a ring. */
enum {
	RB_PORT_PREV = 0, /**< to the host before this one */
	RB_PORT_NEXT = 1, /**< to the host after it */
	RB_RING_PORTS = 2,
};

enum {
	RB_ENTER = 2,	/**< free slots required to enter a transit or reply ring; it takes one */
	RB_PASS = 1,	/**< free slots required to go on in such rings */
	RB_BUDGET = 16, /**< frames of one ring in one turn of a service lcore */
	RB_ACK_LATE = 1024, /**< an ack waits this many turns at most */
	RB_PIECES = 128,    /**< pieces of a large transfer, where hosts have CPUs of their own */
	RB_PIECE_MIN = 8192,
	RB_LONG = RB_PIECE_MIN, /**< bytes behind which the turn of a ring ends as well */
	RB_SPLIT = 16384,	/**< bytes of a relay's copy behind which words have a turn */
};

struct rb_route {
	unsigned int port;
	unsigned int hops;
};

/** The shorter way round; at equal length even hosts go on to the next and odd ones back to the one
 *  before, so that both directions carry load. */
static inline struct rb_route
rb_rule_route(unsigned int from, unsigned int to, unsigned int hosts)
{
	unsigned int on = (to + hosts - from) % hosts, back = hosts - on;
	struct rb_route r = {RB_PORT_NEXT, on};

	if (on != 0 && (back < on || (back == on && from % 2 != 0)))
		r = (struct rb_route){RB_PORT_PREV, back};
	return r;
}

/** Slots that the producer at @p pos knows to be free. */
static inline uint32_t
rb_rule_free(uint32_t pos, uint32_t credit, uint32_t slots)
{
	uint32_t used = pos - credit;

	return used <= slots ? slots - used : 0;
}

/** Is @p credit for frames that the producer at @p pos has not sent? No right consumer says so. */
static inline bool
rb_rule_overdrawn(uint32_t pos, uint32_t credit, uint32_t slots)
{
	return pos - credit > slots;
}

/** Free slots that a frame needs in the ring of the next link. A request from its source's ring
 *  enters, and so does a new reply; a frame in transit passes. */
static inline uint32_t
rb_rule_need(bool enters)
{
	return enters ? RB_ENTER : RB_PASS;
}

/** Do credits for @p fresh freed slots go back? At once for a quarter, else as the turn ends. */
static inline bool
rb_rule_credit_due(uint32_t fresh, uint32_t slots, bool turn_ends)
{
	return fresh != 0 && (turn_ends || fresh >= slots / 4);
}

/**
 * Are pending acks flushed at the end of this turn? With @p flush, a relay has to read through the
 * window first, and stops for a round trip. In the middle of a transfer the round trip would be
 * added to the transfer, because a late relay stays late; and no quiet can end before the transfer
 * does.
 * @param idle the turn found no work
 * @param more  the last request said that more of it follows
 * @param late turns since an ack became pending
 */
static inline bool
rb_rule_ack_due(bool idle, bool more, uint32_t late, bool flush)
{
	return !flush || (idle && !more) || late >= RB_ACK_LATE;
}

/**
 * Payload of a frame of a put, or of a reply to a get, of @p len bytes. The second hop adds the
 * time of one frame. So a transfer is split into many small frames; that costs no bandwidth as long
 * as each host's service lcore has a CPU.
 */
static inline uint32_t
rb_rule_piece(uint64_t len, uint32_t chunk, bool pipelined)
{
	uint64_t piece = (len / RB_PIECES + RB_PIECE_MIN - 1) / RB_PIECE_MIN * RB_PIECE_MIN;

	if (!pipelined || piece >= chunk)
		return chunk;
	return piece < RB_PIECE_MIN ? RB_PIECE_MIN : (uint32_t)piece;
}

/** Arrivals that a host inside a barrier has received from both sides, and passed on. */
struct rb_arrivals {
	unsigned int received[RB_RING_PORTS];
};

static inline unsigned int
rb_rule_arrived(uint64_t word, uint64_t epoch, unsigned int hosts)
{
	if (word >> RB_ARRIVE_BITS > epoch)
		return hosts - 1;
	if (word >> RB_ARRIVE_BITS < epoch)
		return 0;
	return word & ((1u << RB_ARRIVE_BITS) - 1);
}

/** The barrier word for: @p n contiguous hosts up to this one have arrived. */
static inline uint64_t
rb_rule_arrival(uint64_t epoch, unsigned int n, unsigned int hosts)
{
	return epoch << RB_ARRIVE_BITS | (n < hosts ? n : hosts - 1);
}

/**
 * One poll of the words of both neighbours.
 * @param words  one load each
 * @param store by port: the word to store there; 0: none
 * @return may this host leave after it has stored these words? Decided by the values that are
 * passed on: by a second load, this host could leave on a count that its neighbours never receive.
 */
static inline bool
rb_rule_barrier(struct rb_arrivals *a, const uint64_t words[RB_RING_PORTS], uint64_t epoch,
		unsigned int hosts, uint64_t store[RB_RING_PORTS])
{
	unsigned int port, n, sum = 1;

	for (port = 0; port < RB_RING_PORTS; port++) {
		n = rb_rule_arrived(words[port], epoch, hosts);
		store[port ^ 1u] = n > a->received[port] ? rb_rule_arrival(epoch, n + 1, hosts) : 0;
		a->received[port] = n;
		sum += n;
	}
	return sum >= hosts;
}

#endif /* RB_BASE_RULES_H */
