/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LOSS_H
#define LOSS_H

/**
 * @file
 * A ring that loses a cable: link/cut.c and relay/mirror.c, with time. Windows are memory, so that
 * what was stored before arrives.
 */

#include "state.h"

/** @return 0 or -ENOMEM */
int sim_loss_init(struct sim *s);
void sim_loss_free(struct sim *s);

/** The port by which a request to @p dst leaves, and its hops, as far as the host knows. */
unsigned int sim_loss_first(const struct sim_host *h, unsigned int dst, unsigned int deal);
unsigned int sim_loss_hops(const struct sim_host *h, unsigned int dst);

/** May the program send to @p dst? False: its earlier requests are under way by the old way. */
bool sim_loss_settled(struct sim_app *a, unsigned int dst);

/** At the begin of a turn of the service lcore: stop, and send the mark. */
void sim_loss_turn(struct sim_host *h);
/** Is there room to hold a request that would cross it? */
bool sim_loss_holds(const struct sim_host *h);
void sim_loss_hold(struct sim_host *h, const struct sim_frame *f);
void sim_loss_marked(struct sim_host *h);

/** Frames of a source to a target arrive in the order in which they were sent. */
uint32_t sim_loss_number(struct sim *s, unsigned int src, unsigned int dst);
void sim_loss_arrived(struct sim *s, const struct sim_frame *f);

/** What is wrong with the host at the end, or NULL. */
const char *sim_loss_judge(const struct sim_host *h);

#endif /* LOSS_H */
