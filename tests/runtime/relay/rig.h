/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RELAY_RIG_H
#define RELAY_RIG_H

/**
 * @file
 * Hand-made links: this process is host 1 of 3, and what its neighbours would see is plain memory
 * beside its region.
 */

#include "base/env.h"
#include "base/rules.h"
#include "base/wire.h"
#include "rb_test.h"

/** The neighbours' regions. */
extern uint8_t *beyond[RB_SIDES];
/** Doorbells: set for this host, and rung by it. */
extern uint32_t pending[RB_SIDES], rung[RB_SIDES];
/** The scratchpads of that mode: ours, and the neighbour's. */
extern uint32_t spads[RB_SIDES][8], peer_spads[RB_SIDES][8];

void set_up_groups(unsigned int lcores, enum rb_notify notify);
/** One service lcore, notify mode memory. */
void set_up(void);
void tear_down(void);
/** What the neighbour on @p side would store into our ring. */
void feed(unsigned int side, unsigned int ring, struct rb_desc d, const void *payload);
const struct rb_desc *out_desc(unsigned int side, unsigned int ring, uint32_t pos);
uint64_t acked(unsigned int side, unsigned int target, unsigned int cls);

#endif /* RELAY_RIG_H */
