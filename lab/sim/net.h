/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_NET_H
#define SIM_NET_H

#include "state.h"

/** A store of one word or line: it passes between the segments of copies. */
void sim_store(struct sim_thread *t, unsigned int port, const struct event *landing);
/** Publish @p f after the last copy of @p t. */
void sim_commit(struct sim_thread *t, unsigned int port, enum sim_ring ring,
		const struct sim_frame *f);
uint32_t sim_free(const struct sim_host *h, unsigned int port, enum sim_ring ring);
void sim_credit(struct sim_thread *t, unsigned int port, enum sim_ring ring, bool turn_ends);
/** @p bytes are in their final place at @p at. */
void sim_deliver(struct sim *s, uint64_t at, uint64_t bytes);
void sim_break(struct sim *s, const char *rule);

#endif /* SIM_NET_H */
