/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_STATE_H
#define RB_BASE_STATE_H

/**
 * @file
 * State of the runtime in this process. Each shared word has a note on its owner: open = rb_open()
 * before any other thread runs; app = threads of the program; poll = holder of the group's
 * poll_lock (service lcore, or an app thread that waits).
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <rte_branch_prediction.h>
#include <rte_common.h>
#include <rte_pmd_ntb_port.h>

#include "base/deal.h"
#include "base/env.h"
#include "base/link.h"
#include "base/rules.h"
#include "base/types.h"
#include "base/wire.h"

enum {
	RB_PAGE = 4096,
	RB_PORT_DEAD = RB_MAX_PORTS,
};

/** Windows of messages (link/window.c); base/window.h calls them. */
struct rb_messages {
	/** False: the address is in no such window. */
	bool (*write)(void *dst, const void *src, size_t len);
	bool (*read)(void *dst, const void *src, size_t len);
	void (*poll)(void); /**< receive and answer, at all of them */
};

/** Ring numbers of a link direction: own requests 0..channels-1, then these four of each group. The
 *  last two hold RB_DESC_WORD, and have no payload in slots. */
#define RB_RING_TRANSIT(group) (rb.channels + 4u * (group))
#define RB_RING_REPLY(group) (rb.channels + 4u * (group) + 1u)
#define RB_RING_WORD(group) (rb.channels + 4u * (group) + 2u)
#define RB_RING_ANSWER(group) (rb.channels + 4u * (group) + 3u)
#define RB_RINGS (rb.channels + 4u * rb.lcores)
#define RB_SLOT_RINGS (rb.channels + 2u * rb.lcores)

/** Where a PE runs. */
struct rb_place {
	uint16_t host;
	uint16_t local; /**< index among the PEs of its host */
};

struct rb_state {
	/* constant after open */
	struct rb_env env;
	int pe, npes, host, hosts;
	/* each operation reads these, and the host: one cache line */
	unsigned int instrument; /**< RB_INSTRUMENT_*: telemetry and trace */
	bool survives;		 /**< open; the job goes on where one cable is lost (survive/) */
	bool booted; /**< EAL and links are up; stays so from the first open to process exit */
	int local, locals; /**< of this PE; PEs of this host */
	int most_locals;   /**< PEs of the fullest host */
	struct rb_place place[RB_MAX_PES];
	uint16_t lead[RB_MAX_HOSTS]; /**< first PE of each host */
	bool bells;		     /**< service lcores sleep, and are woken by doorbells */
	bool announce; /**< after a frame is committed, a doorbell may have to be rung */
	bool flushes;  /**< a window is no memory: a read through it completes stores there */
	enum rb_notify notify;
	const struct rb_messages *messages; /**< NULL: all windows are memory, or a bridge's */
	unsigned int channels, slots;
	unsigned int lcores; /**< service lcores, and groups of rings */
	uint32_t chunk;
	unsigned int ports; /**< NT ports of this host, numbered from 0; those of a ring at least */
	bool ring;	    /**< hosts are in a ring or chain by their numbers, at ports 0 and 1 */
	int neighbour[RB_MAX_PORTS + 1]; /**< host ids, -1: not known; base/route.h */
	uint8_t far[RB_MAX_PORTS];	 /**< the port at the other end of each port's cable */
	struct rb_link link[RB_MAX_PORTS + 1]; /**< no cable is at the last one, RB_PORT_DEAD */
};
extern struct rb_state rb;

/** A port, for messages. */
static inline const char *
rb_port_name(unsigned int port)
{
	static const char *const names[RB_MAX_PORTS] = {"port 0", "port 1", "port 2", "port 3",
							"port 4", "port 5", "port 6", "port 7"};

	return names[port];
}

static inline int
rb_pe_host(int pe)
{
	return rb.place[pe].host;
}

/** Was this process started by a PMIx launcher such as mpirun or srun, and not by oshrun? */
bool rb_pmix_here(void);

/** Are the links cables of the model? */
static inline bool
rb_emulated(void)
{
	return rb.env.emulated;
}

/*
 * Groups: the rings of one service lcore, and who polls them. The notes on owners read as in
 * base/state.h: open, app, poll.
 */

/**
 * The work of one service lcore: the channels c with c % lcores == its number, and a transit and a
 * reply ring on each port. Frames of a channel stay within its group all the way, so that each
 * group is a ring of relays of its own, and has one consumer: the holder of its poll_lock.
 */
struct rb_group {
	atomic_flag poll_lock;
	_Atomic unsigned int waiters; /**< poll; application threads that poll inside a wait */
	bool asleep;		      /**< poll; the service lcore sleeps */
	_Atomic uint32_t
		call; /**< futex of the service lcore; counts up to wake it, and as it leaves */
	unsigned int lcore; /**< open */
	uint32_t bells;	    /**< open; doorbells of its rings */
} __attribute__((aligned(64)));

/** By service lcore. */
extern struct rb_group rb_groups[RB_MAX_LCORES];

/** The group that serves a channel, on every host. */
static inline unsigned int
rb_group_of(unsigned int chan)
{
	return rb.lcores == 1 ? 0 : chan % rb.lcores;
}

/** The group whose service lcore polls a ring: an own-request ring, or one of a group. */
static inline unsigned int
rb_group_of_ring(unsigned int ring)
{
	return ring < rb.channels ? rb_group_of(ring) : (ring - rb.channels) / 4;
}

/** Does it hold replies? */
static inline bool
rb_ring_replies(unsigned int ring)
{
	return ring >= rb.channels && (ring - rb.channels) % 2 == 1;
}

/** Whose payloads are where those of a ring would be: of rings of words, which have none, those of
 *  their group. */
static inline unsigned int
rb_slot_ring(unsigned int ring)
{
	return ring < rb.channels
		       ? ring
		       : rb.channels + 2 * rb_group_of_ring(ring) + rb_ring_replies(ring);
}

/** Become the one consumer of the rings of a group. Acquire and release: the next holder sees what
 *  the last one did. */
static inline bool
rb_poll_try(unsigned int group)
{
	return !atomic_flag_test_and_set_explicit(&rb_groups[group].poll_lock,
						  memory_order_acquire);
}

static inline void
rb_poll_end(unsigned int group)
{
	atomic_flag_clear_explicit(&rb_groups[group].poll_lock, memory_order_release);
}

/** Does an application thread poll the group? A hint, without poll_lock. */
static inline bool
rb_poll_borrowed(unsigned int group)
{
	return atomic_load_explicit(&rb_groups[group].waiters, memory_order_relaxed) != 0;
}

#endif /* RB_BASE_STATE_H */
