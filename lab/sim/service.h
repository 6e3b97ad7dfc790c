/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_SERVICE_H
#define SIM_SERVICE_H

struct sim_thread;

void sim_service_step(struct sim_thread *t);
/** Words have their turn within a copy. */
void sim_service_words(struct sim_thread *t);

#endif /* SIM_SERVICE_H */
