/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_GATHER_H
#define SIM_GATHER_H

/**
 * @file
 * Atomics that are nonblocking or have no result. While a frame of them to a host is not answered,
 * later ones gather, and leave together.
 */

#include "state.h"

/** Add the operation of @p a. @return they have to leave now */
bool sim_gather_add(struct sim_app *a);

/** @return the host whose atomics have to leave before the operation of @p a; RB_MAX_HOSTS: none */
unsigned int sim_gather_before(const struct sim_app *a);

/** One frame of all that wait for @p dst, by a thread that has a slot of @p port. */
void sim_gather_send(struct sim_app *a, struct sim_thread *t, unsigned int port, unsigned int dst);

/** The turn of the service lcore: what waits for an answer that has come. @return it sent some */
bool sim_gather_turn(struct sim_thread *t);

#endif /* SIM_GATHER_H */
