/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_RING_STATE_H
#define RB_HOST_RING_STATE_H

/**
 * @file
 * Part of rb.h: what every PE of a host knows of the cables.
 */

#include <stdbool.h>
#include <stdint.h>

struct rb_ring_state {
	int host, hosts;
	/** bit c: a cable from host c to host c + 1 (mod hosts) is lost, or one to a higher one */
	uint64_t lost;
	bool survives; /**< the job goes on without lost cables while the others join all */
};

/** The state at one time. Any thread, after rb_open(). */
struct rb_ring_state rb_ring_state(void);

/* ---- within the runtime ---- */

/** The lead: a cable is lost. */
void rb_ring_lose(unsigned int cable);
/** The lead has found out whether the job survives a loss. */
void rb_ring_survives(bool survives);

#endif /* RB_HOST_RING_STATE_H */
