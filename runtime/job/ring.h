/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_RING_H
#define RB_JOB_RING_H

/**
 * @file
 * Ports, links, service lcores and all else that this host needs on the ring.
 */

#include <stdbool.h>

/** Take the mode of notification and the sizes of the rings from the environment. 0 or -EINVAL with
 *  an error text. */
int rb_ring_choose(void);
/** Join the ring. The lead of the host brings up the ports; the others follow it. 0 or -errno with
 *  an error text. */
int rb_ring_open(void);
/** Meet all PEs of the job. */
void rb_ring_meet(void);
/** Undo rb_ring_open(). @p closed: rb_close() was called before. @p status: of exit() */
void rb_ring_leave(bool closed, int status);

#endif /* RB_JOB_RING_H */
