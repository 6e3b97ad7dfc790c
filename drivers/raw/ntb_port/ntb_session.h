/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef NTB_SESSION_H
#define NTB_SESSION_H

/*
 * How the two sides of mbuf queues connect, and how they notice that the connection is lost.
 *
 * Both sides draw a random session number whenever their rings begin anew: at configure and after a
 * link loss, which may have dropped stores. They exchange the numbers over scratchpads. Either
 * counter carries a tag made of both numbers. So counters of an earlier session count nothing, and
 * a restart of one side does not force the other side to restart.
 */

#include "ntb_rxtx.h"

enum {
	NTB_SESSION_SPADS = 4, /* scratchpads that the hello takes, from the first on */
};

/* The result of an update of the link. */
enum ntb_link_look {
	NTB_LOOK_LOST, /* the link was lost; no store gets through before this call returns */
	NTB_LOOK_DOWN,
	NTB_LOOK_UP, /* the peer's registers and memory can be reached */
};

/* Never 0. */
uint32_t ntb_session_number(void);

/* With the lock held. */
void ntb_queues_link(struct ntb_queues *qs, enum ntb_link_look look);
void ntb_queues_leave(struct ntb_queues *qs); /* no more traffic; the peer notices */

/* Without the lock: update the link every 10 ms, or stop it. */
int ntb_queues_watch(struct ntb_queues *qs);
void ntb_queues_unwatch(struct ntb_queues *qs);

#endif /* NTB_SESSION_H */
