/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_WALK_H
#define PLXM_WALK_H

#include "plxm_priv.h"

/* Of any requester. */
struct plxm_request {
	uint8_t *buf; /* only read where the request is a write */
	size_t len;
	uint16_t rid;
	bool write;
	bool dma; /* packets as large as this host allows, where a CPU's are small enough for all */
};

/* A request through a window BAR, after all delays; 0 or -EIO. */
int plxm_walk(struct plxm_port *p, unsigned int bar, uint64_t off, struct plxm_request rq);
/* One to the peer's registers at its end. */
void plxm_walk_registers(struct plxm_port *p, const struct plxm_request *rq, uint32_t off,
			 size_t n);
uint16_t plxm_walk_cpu_rid(const struct plxm_port *p, bool write);

#endif /* PLXM_WALK_H */
