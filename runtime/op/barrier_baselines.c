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
#include "base/wire.h"
#include "host/wait.h"
#include "op/barrier_word.h"

/* Both run to the right only, so they need the whole ring, but for two hosts on one cable. */
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
	if (rb.env.barrier == RB_BARRIER_TWOWAY || rb.hosts <= 2 ||
	    (rb.link[RB_LEFT].port != NULL && rb.link[RB_RIGHT].port != NULL))
		return 0;
	return rb_fail(-EINVAL, "this host has one cable, and the barrier runs round the ring: set "
				"RINGBELL_BARRIER=twoway");
}

/*
 * A bit is consumed before it can be rung again: host 0 rings the next round only when the last one
 * came back to it, that is after each host has cleared its bit and then passed it on. So flags,
 * which cannot tell two rounds apart, do here. Nobody else clears these bits. The clear is a posted
 * write to another port than the ring behind it; reading the register back waits until it has
 * landed.
 */
static void
wait_bit(uint32_t bit)
{
	struct ntb_port *port = rb.link[in_side()].port;
	struct rb_wait w = {0};

	while ((ntb_db_read(port) & bit) == 0)
		rb_wait_turn(&w);
	rb_wait_end(&w);
	ntb_db_clear(port, bit);
	ntb_db_read(port);
}

/* A start token goes round once all before it have arrived, then an end token tells them so: 2H
 * hops (Lim, Park and Cha 2019). */
void
rb_barrier_token(void)
{
	static const uint32_t rounds[] = {RB_DB_START, RB_DB_END};
	struct ntb_port *next = rb.link[out_side()].port;
	unsigned int i;

	for (i = 0; i < RTE_DIM(rounds); i++) {
		if (rb.host == 0)
			ntb_db_ring(next, rounds[i]);
		wait_bit(rounds[i]);
		if (rb.host != 0)
			ntb_db_ring(next, rounds[i]);
	}
}

/*
 * Each host tells all others, and waits until it has counted them (Joo and Choi 2016). There is no
 * cable to all others here, so each notice is handed on to the right until it has met everybody: H
 * - 1 hops. A doorbell that is pending cannot count a second notice, hence a number in a word,
 * which is half of the two-way barrier: a host that has heard of H - 1 others has told its right
 * neighbour of as many.
 */
void
rb_barrier_linear(uint64_t epoch)
{
	unsigned int hosts = (unsigned int)rb.hosts, heard = 0, n;
	struct rb_wait w = {0};

	rb_barrier_tell(out_side(), rb_rule_arrival(epoch, 1, hosts));
	while (heard < hosts - 1) {
		n = rb_rule_heard(rb_barrier_word(in_side()), epoch, hosts);
		if (n > heard) {
			rb_barrier_tell(out_side(), rb_rule_arrival(epoch, n + 1, hosts));
			heard = n;
		} else {
			rb_wait_turn(&w);
		}
	}
	rb_wait_end(&w);
}
