/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_POSTED_H
#define PLXM_POSTED_H

#include "plxm_priv.h"

bool plxm_posted_hold(struct plxm_port *p, uint32_t reg, uint32_t val);
uint64_t plxm_posted_arrive(struct plxm_port *p, uint64_t now_ns);
void plxm_posted_push(struct plxm_port *p);
void plxm_posted_set(struct plxm_port *p, bool on);

#endif /* PLXM_POSTED_H */
