/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_NOISE_H
#define PLXM_NOISE_H

#include "plxm_priv.h"

int plxm_noise_init(struct plxm_port *p);
void plxm_noise_fini(struct plxm_port *p);

/* Numbers by count, so that threads that draw at once need no lock. 0 for a bound of 0. */
uint64_t plxm_noise_draw(struct plxm_port *p, enum plxm_draw kind, uint64_t below);
/* A packet that the port sends. @return by how much a replay makes it and all behind it later */
uint64_t plxm_noise_packet(struct plxm_port *p);
/* When a posted write that the port sends now arrives; 0: at once. */
uint64_t plxm_noise_due(struct plxm_port *p, enum plxm_draw kind);
/* A read through the window takes its time. */
void plxm_noise_read(struct plxm_port *p);
/* There is a write that is due before all that the thread knows. */
void plxm_noise_wake(struct plxm_port *p);

#endif /* PLXM_NOISE_H */
