/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_APP_H
#define SIM_APP_H

#include "state.h"

void sim_app_step(struct sim_thread *t);
void sim_app_acked(struct sim_app *a, uint32_t count);
/** @p f answers a get or atomics. */
void sim_app_got(struct sim_app *a, const struct sim_frame *f);
/** A put or an atomic of @p src is complete at @p at: the program may wait for it. */
void sim_app_message(struct sim_app *a, unsigned int src, uint64_t at);

#endif /* SIM_APP_H */
