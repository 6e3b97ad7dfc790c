/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef NTB_SESSION_H
#define NTB_SESSION_H

/*
 * How the two sides of mbuf queues connect, and notice that they no longer are.
 *
 * Both sides draw a random session number whenever their rings begin anew: at configure and after a
 * link loss, which may have swallowed stores. They tell it over scratchpads. Either counter carries
 * a tag made of both numbers, so that counters of an earlier life mean nothing, and neither side
 * needs a restart because the other one had one.
 */

#include "ntb_rxtx.h"

enum {
	NTB_SESSION_SPADS = 4, /* scratchpads that the hello takes, from the first on */
};

enum ntb_link_look {
	NTB_LOOK_LOST, /* the link was lost: not yet is any store let through again */
	NTB_LOOK_DOWN,
	NTB_LOOK_UP, /* the peer's registers and memory can be reached */
};

/* Never 0. */
uint32_t ntb_session_number(void);

/* With the lock held. */
void ntb_queues_link(struct ntb_queues *qs, enum ntb_link_look look); /* what a look has found */
void ntb_queues_leave(struct ntb_queues *qs); /* no more traffic; tells the peer */

/* Without the lock: look at the link now and then while nobody moves mbufs, or no more. */
int ntb_queues_watch(struct ntb_queues *qs);
void ntb_queues_unwatch(struct ntb_queues *qs);

#endif /* NTB_SESSION_H */
