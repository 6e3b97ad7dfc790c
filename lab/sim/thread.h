/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_THREAD_H
#define SIM_THREAD_H

/**
 * @file
 * Threads, each on a core. Each call returns at once, and step() is called when it is done.
 */

#include "state.h"

void sim_thread_start(struct sim_thread *t);
void sim_thread_busy(struct sim_thread *t, uint64_t time);
void sim_thread_park(struct sim_thread *t);
void sim_thread_wake(struct sim_thread *t);
/** Work for @p time, then copy @p len bytes through @p port. */
void sim_thread_copy(struct sim_thread *t, unsigned int port, uint64_t len, uint64_t time);
/** The next number of splitmix64. */
uint64_t sim_random(struct sim *s);

#endif /* SIM_THREAD_H */
