/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/turns.h"

#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/shares.h"
#include "base/state.h"
#include "host/wait.h"
#include "link/chan.h"
#include "link/frame.h"

/* Of the service lcores. Written by the thread that polls for the group; programs look at it, and
 * need no order: what they see late makes them wait shorter or longer. */
static struct {
	uint32_t turn;
	uint32_t port; /* by which a request of others went last */
} lcores[RB_MAX_LCORES];

static uint32_t
turn_of(unsigned int group)
{
	return __atomic_load_n(&lcores[group].turn, __ATOMIC_RELAXED) + 2;
}

bool
rb_turn_may(unsigned int group, unsigned int out, unsigned int need, bool stored)
{
	struct rb_link *link = &rb.link[out];
	struct rb_shares *shares = &link->shares[group];
	bool enters = need == RB_ENTER, room, waits;

	if (enters)
		need = rb_share_enter(shares, turn_of(group), rb.slots);
	room = stored || rb_tx_has_room(link, &link->tx[RB_RING_TRANSIT(group)], need);
	waits = rb_share_waits(shares, enters, room, stored, turn_of(group));
	if (room && !waits)
		__atomic_store_n(&lcores[group].port, out, __ATOMIC_RELAXED);
	return room && !waits;
}

void
rb_turn_went(unsigned int group, unsigned int out, unsigned int need, bool stored,
	     const struct rb_desc *d)
{
	rb_share_went(&rb.link[out].shares[group], need == RB_ENTER, stored,
		      (unsigned int)rb_pe_host(d->src_pe), (uint32_t)rb_desc_bytes(d),
		      turn_of(group));
}

void
rb_turn_begin(unsigned int group)
{
	__atomic_store_n(&lcores[group].turn, lcores[group].turn + 1, __ATOMIC_RELAXED);
}

static bool
does_relay(const struct rb_shares *s, unsigned int group)
{
	return turn_of(group) - __atomic_load_n(&s->sent, __ATOMIC_RELAXED) < 2;
}

static bool
has_to_wait(uint64_t *sent, unsigned int out, unsigned int group, size_t len)
{
	const struct rb_shares *s = &rb.link[out].shares[group];
	bool busy = does_relay(s, group) &&
		    __atomic_load_n(&lcores[group].port, __ATOMIC_RELAXED) == out;

	return rb_share_paces(sent, __atomic_load_n(&s->served, __ATOMIC_RELAXED), busy,
			      (uint32_t)len);
}

size_t
rb_turn_pace(unsigned int out, unsigned int group, size_t len, bool parts)
{
	static _Thread_local uint64_t sent[RB_MAX_PORTS];
	const struct rb_shares *s = &rb.link[out].shares[group];

	/* a window that is memory holds up nobody */
	if (rb.link[out].memory || len < RB_PIECE_MIN)
		return len;
	if (parts)
		len = RTE_MIN(len, (size_t)(does_relay(s, group) ? RB_SHARE_PART : RB_SHARE_ALONE));
	RB_WAIT_FOR(!has_to_wait(&sent[out], out, group, len), .what = RB_FOR_HOST,
		    .whom = (uint64_t)rb_route_beyond(&rb.link[out]), .inner = true);
	return len;
}
