/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_WINDOW_H
#define RB_BASE_WINDOW_H

/**
 * @file
 * Stores and loads through a window that may be mapped write-combining: every one of the runtime
 * passes here. In an ordinary build that is all, and they are plain stores and copies.
 *
 * With -Dweak_window=true they are as weak as an adapter's may be (base/weak.c): a store
 * goes into a buffer of its thread, which drains in any order, in pieces down to a word, and as
 * late as the thread's next store fence; a load may give what memory held at an earlier load of the
 * same line, unless the thread has made a load fence since.
 */

#include <stdint.h>

#include <rte_pmd_ntb_port.h>

#include "base/weak.h"

/** Store a word that a neighbour polls. */
static inline void
rb_win_store64(uint64_t *to, uint64_t v)
{
	if (!rb_weak_store(to, &v, sizeof(v)))
		__atomic_store_n(to, v, __ATOMIC_RELEASE);
}

static inline void
rb_win_store32(uint32_t *to, uint32_t v)
{
	if (!rb_weak_store(to, &v, sizeof(v)))
		__atomic_store_n(to, v, __ATOMIC_RELEASE);
}

/** The port's next doorbell, peer scratchpad, flush or stop drains the buffers of this CPU first: a
 *  promise of struct ntb_port_ops. */
static inline void
rb_win_port_drains(void)
{
	rb_weak_store_fence("port", "");
	rb_weak_load_fence("port", "");
}

static inline void
rb_win_ring(struct ntb_port *port, uint32_t bits)
{
	rb_win_port_drains();
	ntb_db_ring(port, bits);
}

#endif /* RB_BASE_WINDOW_H */
