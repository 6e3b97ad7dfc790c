/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "op/barrier_baselines.h"

#include <errno.h>

#include "base/env.h"
#include "base/error.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/types.h"
#include "base/window.h"
#include "base/wire.h"
#include "host/wait.h"
#include "op/barrier_word.h"

/* Both barriers go to the right only. So they need the whole ring, except between two hosts on one
 * cable. */
static enum rb_side
out_side(void)
{
	return rb.link[RB_RIGHT].port != NULL ? RB_RIGHT : RB_LEFT;
}

static enum rb_side
in_side(void)
{
	return rb.link[RB_LEFT].port != NULL ? RB_LEFT : RB_RIGHT;
}

int
rb_barrier_check(void)
{
	if (rb.env.barrier != RB_BARRIER_TWOWAY && rb.hosts > 2 &&
	    (rb.link[RB_LEFT].port == NULL || rb.link[RB_RIGHT].port == NULL))
		return rb_fail(-EINVAL,
			       "this barrier needs a closed ring, but this host has one cable: set "
			       "RINGBELL_BARRIER=twoway");
	return 0;
}

/*
 * A host clears its bit before anyone can ring it again: host 0 rings the next round only after the
 * last one has come back to it, that is after each host has cleared its bit and then passed the
 * token on. So flags, which cannot tell two rounds apart, are enough here. Nobody else clears these
 * bits. The clear is a posted write, to another port than the ring that follows; reading the
 * register back waits until the clear has arrived.
 */
static void
wait_bit(uint32_t bit)
{
	struct ntb_port *port = rb.link[in_side()].port;

	RB_WAIT_FOR((ntb_db_read(port) & bit) != 0, .leaves = true);
	ntb_db_clear(port, bit);
	ntb_db_read(port);
}

/* A start token goes round once all hosts before it have arrived. Then an end token goes round and
 * releases them: 2H hops (Lim, Park and Cha 2019). */
void
rb_barrier_token(void)
{
	static const uint32_t rounds[] = {RB_DB_START, RB_DB_END};
	struct ntb_port *next = rb.link[out_side()].port;
	unsigned int i;

	for (i = 0; i < RTE_DIM(rounds); i++) {
		if (rb.host == 0)
			rb_win_ring(next, rounds[i]);
		wait_bit(rounds[i]);
		if (rb.host != 0)
			rb_win_ring(next, rounds[i]);
	}
}

/*
 * Each host notifies all others and waits until it has counted all of them (Joo and Choi 2016).
 * Here there is no cable between all pairs of hosts, so each host passes a notice on to its right
 * until all hosts have received it: H - 1 hops. A pending doorbell cannot count a second notice, so
 * a word holds the number. This is one half of the two-way barrier: a host that has received the
 * notices of H - 1 others has sent that number to its right neighbour.
 */
void
rb_barrier_linear(uint64_t epoch)
{
	unsigned int hosts = (unsigned int)rb.hosts, counted = 0, n;
	struct rb_wait w = {.leaves = true};

	rb_barrier_send(out_side(), rb_rule_arrival(epoch, 1, hosts));
	while (counted < hosts - 1) {
		n = rb_rule_arrived(rb_barrier_word(in_side()), epoch, hosts);
		if (n > counted) {
			rb_barrier_send(out_side(), rb_rule_arrival(epoch, n + 1, hosts));
			counted = n;
		} else {
			rb_wait_turn(&w);
		}
	}
	rb_wait_end(&w);
}
