/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_LINK_H
#define RB_BASE_LINK_H

/**
 * @file
 * One NT port with its rings. The notes on owners read as in base/state.h: open, app, poll.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_pmd_ntb_port.h>

#include "base/file.h"
#include "base/rules.h"
#include "base/shares.h"
#include "base/wire.h"

/** Counters for telemetry: one thread at a time writes a word, and any may read it. */
static inline void
rb_count(uint64_t *word, uint64_t n)
{
	__atomic_store_n(word, *word + n, __ATOMIC_RELAXED);
}

static inline uint64_t
rb_counted(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/** Producer half of one ring; memory of the ring is at the neighbour. */
struct rb_tx {
	atomic_flag lock;	/**< app: own-request rings are shared by threads */
	uint8_t group;		/**< open; of the receiver, which is the same here */
	uint32_t bell;		/**< open; doorbell that announces a frame */
	uint32_t pos;		/**< holder of lock, or poll: next position to fill */
	uint32_t seen;		/**< the same: the credits when they were last read */
	struct rb_desc *desc;	/**< open; through the window */
	uint8_t *slot;		/**< open; through the window */
	const uint64_t *credit; /**< open; local memory, written by the neighbour */
	uint64_t frames, bytes; /**< counters; of the thread that may fill */
	uint64_t retries;	/**< polls that found too few free slots */
} __attribute__((aligned(64)));

/** Consumer half of one ring, in local memory. All fields: poll. */
struct rb_rx {
	uint32_t pos;	   /**< next position to look at */
	uint32_t returned; /**< position last returned to the producer */
	const struct rb_desc *desc;
	const uint8_t *slot;
	uint64_t *credit; /**< through the window */
} __attribute__((aligned(64)));

/** Counters of the frames that came in on a link, or left by it for others. All fields: poll. */
struct rb_relayed {
	uint64_t forwarded_bytes; /**< came in here and went on in rings */
	/** data of others' puts and gets, stored through the window here */
	uint64_t stored, stored_bytes;
	uint64_t dropped; /**< frames that no host sends */
} __attribute__((aligned(64)));

/** One NT port and the link beyond it. */
struct rb_link {
	struct ntb_port *port;	/**< open; NULL: no such link */
	bool up;		/**< open; by release and acquire: both sides have agreed */
	_Atomic bool lost;	/**< any: its cable is, in a job that goes on without it */
	uint64_t breaks;	/**< open: of the link, before it was up */
	_Atomic uint64_t proof; /**< any: how many rb_ctl.proof were drawn for the neighbour */
	struct rb_ctl *mine;	/**< open; local memory, written by the neighbour */
	struct rb_ctl *theirs;	/**< open; through the window */
	uint8_t *peer;		/**< open; window: the neighbour's inbound region */
	bool memory;		/**< open; window loads are memory loads */
	bool atomics;		/**< open; and atomics there are those of the CPU */
	bool wc;		/**< open; window may be write combining: fences are needed */
	bool messages;		/**< open; window is addresses alone (base/window.h) */
	uint64_t overdrawn;	/**< any: looks that found credits for frames that were not sent */
	/* by group */
	uint64_t asked[RB_MAX_LCORES]; /**< poll: need_bell as stored at the neighbour */
	/** app, poll: need_bell for which the bell was rung last */
	_Atomic uint64_t rung[RB_MAX_LCORES];
	uint32_t due[RB_MAX_LCORES]; /**< poll: doorbells taken whose rings are not empty yet */
	atomic_flag mask_lock;	     /**< poll of any group */
	uint32_t unmasked;	     /**< holder of mask_lock: doorbells that wake */
	struct rb_relayed relayed[RB_MAX_LCORES];
	struct rb_shares shares[RB_MAX_LCORES]; /**< poll; served and sent: any may read */
	struct rb_tx tx[RB_MAX_RINGS];
	struct rb_rx rx[RB_MAX_RINGS];
};

/** Is its cable lost? A store that still goes out over it arrives, or is not missed. Acquire: pairs
 *  with the release in survive/cut.c. */
static inline bool
rb_link_lost(const struct rb_link *link)
{
	return atomic_load_explicit(&link->lost, memory_order_acquire);
}

/** What the window of a port with @p caps needs. The port cannot know whether mappings that it did
 *  not ask for are write combining too: an MTRR of the firmware can make them so. */
static inline void
rb_link_caps(struct rb_link *link, uint32_t caps)
{
	link->memory = (caps & NTB_CAP_WINDOW_IS_MEMORY) != 0;
	link->atomics = (caps & NTB_CAP_ATOMICS) != 0;
	link->messages = (caps & NTB_CAP_WINDOW_MESSAGES) != 0;
	link->wc = !link->memory;
	if (link->messages) /* nothing of it is stored by the CPU */
		link->wc = false;
}

#endif /* RB_BASE_LINK_H */
