/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_APP_H
#define SIM_APP_H

#include "state.h"

void sim_app_step(struct sim_thread *t);
void sim_app_acked(struct sim_app *a, uint32_t count);
void sim_app_got(struct sim_app *a);

#endif /* SIM_APP_H */
