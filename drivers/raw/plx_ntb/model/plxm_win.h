/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_WIN_H
#define PLXM_WIN_H

#include "plxm_priv.h"

/* An access to a window by any requester; 0 or -EIO. */
struct plxm_request {
	uint8_t *buf; /* only read where the request is a write */
	size_t len;
	uint16_t rid;
	bool write;
	bool dma; /* packets as large as this host allows, where a CPU's are small enough for all */
};

int plxm_win_access(struct plxm_port *p, unsigned int bar, uint64_t off, struct plxm_request rq);

#endif /* PLXM_WIN_H */
