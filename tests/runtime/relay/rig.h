/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RELAY_RIG_H
#define RELAY_RIG_H

/**
 * @file
 * Host 1 of 3 (ring_host.h) with ports whose doorbells are words of the test, and
 * frames that its neighbours might send.
 */

#include "base/env.h"
#include "base/wire.h"
#include "cases.h"
#include "ring_host.h"

/** Doorbells: set for this host, and rung by it. */
extern uint32_t pending[RB_RING_PORTS], rung[RB_RING_PORTS];

void set_up_slots(unsigned int lcores, enum rb_notify notify, uint32_t slots);
/** With 16 slots of @p chunk bytes, one service lcore, notify mode memory. */
void set_up_chunk(uint32_t chunk);
/** With 8 slots. */
void set_up_groups(unsigned int lcores, enum rb_notify notify);
/** One service lcore, notify mode memory. */
void set_up(void);
/** After one of these: keep what is sent, until rb_survive_close(). */
void begin_to_survive(void);
/** What the neighbour on @p port would store into our ring. */
void feed(unsigned int port, unsigned int ring, struct rb_desc d, const void *payload);
/** That, and the turn in which it is served. */
void serve_one(unsigned int port, unsigned int ring, struct rb_desc d, const void *payload);
const struct rb_desc *out_desc(unsigned int port, unsigned int ring, uint32_t pos);
uint64_t acked(unsigned int port, unsigned int target, unsigned int cls);

/** Turns of the service lcore until it finds nothing. */
void serve_all(void);

#endif /* RELAY_RIG_H */
