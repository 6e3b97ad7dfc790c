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
};

struct rb_transport;

/** Ring numbers of a link direction: own requests 0..channels-1, then these two of each group. */
#define RB_RING_TRANSIT(group) (rb.channels + 2u * (group))
#define RB_RING_REPLY(group) (rb.channels + 2u * (group) + 1u)
#define RB_RINGS (rb.channels + 2u * rb.lcores)

/** Where a PE runs. */
struct rb_place {
	uint16_t host;
	uint16_t local; /**< index among the PEs of its host */
};

struct rb_state {
	/* constant after open */
	struct rb_env env;
	int pe, npes, host, hosts;
	int local, locals; /**< of this PE; PEs of this host */
	int most_locals;   /**< PEs of the fullest host */
	struct rb_place place[RB_MAX_PES];
	uint16_t lead[RB_MAX_HOSTS]; /**< first PE of each host */
	bool bells;		     /**< service lcores sleep, and are woken by doorbells */
	bool announce; /**< after a frame is committed, a doorbell may have to be rung */
	enum rb_notify notify;
	const struct rb_transport *transport;
	unsigned int channels, slots;
	unsigned int lcores; /**< service lcores, and groups of rings */
	uint32_t chunk;
	int neighbour[RB_SIDES]; /**< host ids; base/route.h */
	struct rb_link link[RB_SIDES];
	bool survives;		 /**< open; the job goes on where one cable is lost (link/cut.h) */
	unsigned int instrument; /**< RB_INSTRUMENT_*: telemetry and trace */
	bool booted; /**< EAL and links are up; stays so from the first open to process exit */
};
extern struct rb_state rb;

static inline int
rb_pe_host(int pe)
{
	return rb.place[pe].host;
}

/** Are the links cables of the model? */
static inline bool
rb_emulated(void)
{
	return rb.env.emulated;
}

#endif /* RB_BASE_STATE_H */
