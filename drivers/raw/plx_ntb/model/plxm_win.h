/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_WIN_H
#define PLXM_WIN_H

#include "plxm_walk.h"

/* An access to a window by any requester; 0 or -EIO. */
int plxm_win_access(struct plxm_port *p, unsigned int bar, uint64_t off, struct plxm_request rq);

#endif /* PLXM_WIN_H */
