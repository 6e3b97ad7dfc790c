/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_LATE_H
#define PLXM_LATE_H

#include "plxm_walk.h"

/* @return whether the write is under way now; else it is the caller's. */
bool plxm_late_hold(struct plxm_port *p, unsigned int bar, uint64_t off,
		    const struct plxm_request *rq);
/* Let what is due by then arrive. @return when the next one is due, UINT64_MAX: there is none */
uint64_t plxm_late_arrive(struct plxm_port *p, uint64_t now_ns);
void plxm_late_drop(struct plxm_port *p);

#endif /* PLXM_LATE_H */
