/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_H
#define RB_LINK_H

/**
 * @file
 * One NT port with its rings. The notes on owners read as in rb_int.h: open, app, poll.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_pmd_plx_ntb.h>

#include "rb_rules.h"
#include "rb_wire.h"

/** Producer half of one ring; memory of the ring is at the neighbour. */
struct rb_tx {
	atomic_flag lock;	/**< app: own-request rings are shared by threads */
	uint32_t pos;		/**< holder of lock, or poll: next position to fill */
	struct rb_desc *desc;	/**< open; through the window */
	uint8_t *slot;		/**< open; through the window */
	const uint64_t *credit; /**< open; local memory, written by the neighbour */
} __attribute__((aligned(64)));

/** Consumer half of one ring, in local memory. All fields: poll. */
struct rb_rx {
	uint32_t pos;	   /**< next position to look at */
	uint32_t returned; /**< position last told to the producer */
	const struct rb_desc *desc;
	const uint8_t *slot;
	uint64_t *credit; /**< through the window */
} __attribute__((aligned(64)));

/** One NT port and what is beyond it. */
struct rb_link {
	struct ntb_port *port; /**< open; NULL: no such link */
	int neighbour;	       /**< open; host id */
	struct rb_ctl *mine;   /**< open; local memory, written by the neighbour */
	struct rb_ctl *theirs; /**< open; through the window */
	uint8_t *peer;	       /**< open; window: the neighbour's inbound region */
	bool memory;	       /**< open; window loads are memory loads */
	bool wc;	       /**< open; window is write combining */
	uint64_t asked;	       /**< poll: need_bell as told to the neighbour */
	_Atomic uint64_t rung; /**< app, poll: need_bell for which RB_DB_WAKE was sent last */
	struct rb_tx tx[RB_MAX_RINGS];
	struct rb_rx rx[RB_MAX_RINGS];
};

#endif /* RB_LINK_H */
