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
 * With -Dweak_window=true they are as weak as an adapter's may be (lab/weak/weak.c): a store
 * goes into a buffer of its thread, which drains in any order, in pieces down to a word, and as
 * late as the thread's next store fence; a load may give what memory held at an earlier load of the
 * same line, unless the thread has made a load fence since.
 *
 * Some windows are addresses alone (NTB_CAP_WINDOW_MESSAGES): stores and loads become calls of
 * their port. They arrive in order, so fences only send what has been gathered.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <rte_atomic.h>
#include <rte_branch_prediction.h>
#include <rte_pmd_ntb_port.h>

#include "base/link.h"
#include "base/state.h"

#ifdef RB_WEAK_WINDOW
#include "weak/weak.h"
#else
#define rb_weak_window(va, len) ((void)(va))
#define rb_weak_store(dst, src, len) ((void)(dst), (void)(src), (void)(len), false)
#define rb_weak_load(dst, src, len) ((void)(dst), (void)(src), (void)(len), false)
#define rb_weak_store_fence(kind, where) ((void)(where))
#define rb_weak_load_fence(kind, where) ((void)(where))
#define rb_weak_push(window) ((void)(window))
#define rb_weak_skips(kind, where) false
#endif

/** Did a store, or a load, of @p len bytes go another way than by the CPU? A load of a dead window
 *  gives ones. */
#define rb_win_stored(dst, src, len)                                             \
	((unlikely(rb.messages != NULL) && rb.messages->write(dst, src, len)) || \
	 rb_weak_store(dst, src, len))
#define rb_win_loaded(dst, src, len)                                            \
	((unlikely(rb.messages != NULL) && rb.messages->read(dst, src, len)) || \
	 rb_weak_load(dst, src, len))

static inline void
rb_win_load(void *dst, const void *src, size_t len)
{
	if (!rb_win_loaded(dst, src, len))
		memcpy(dst, src, len);
}

/** Store a word that a neighbour polls. */
static inline void
rb_win_store64(uint64_t *to, uint64_t v)
{
	if (!rb_win_stored(to, &v, sizeof(v)))
		__atomic_store_n(to, v, __ATOMIC_RELEASE);
}

static inline void
rb_win_store32(uint32_t *to, uint32_t v)
{
	if (!rb_win_stored(to, &v, sizeof(v)))
		__atomic_store_n(to, v, __ATOMIC_RELEASE);
}

/* Fences know the function that they stand in: RINGBELL_WEAK_SKIP names them by it. */
#define rb_win_order(link) rb_win_order_in(__func__, link)
#define rb_win_wmb(link) rb_win_wmb_in(__func__, link)
#define rb_win_rmb(link) rb_win_rmb_in(__func__, link)

/** Make all earlier stores through the window visible before any later one. */
static inline void
rb_win_order_in(const char *where, const struct rb_link *link)
{
	if (link->wc)
		rte_wmb();
	else
		atomic_thread_fence(memory_order_release);
	rb_weak_store_fence("order", where);
}

/** Flush the last word of a message out of a write-combining buffer now, because no other store may
 *  follow. */
static inline void
rb_win_wmb_in(const char *where, const struct rb_link *link)
{
	if (link->wc)
		rte_wmb();
	if (unlikely(link->messages))
		link->port->ops->push(link->port);
	rb_weak_store_fence("wmb", where);
}

/** Store a word that a neighbour polls, and that no other store may follow for a while. */
static inline void
rb_win_publish64(const struct rb_link *link, uint64_t *to, uint64_t v)
{
	rb_win_store64(to, v);
	rb_win_wmb(link);
}

/** Order earlier loads of any memory before later loads through the window. The CPU may read a
 *  write-combining window early, and does not discard the value when the memory changes. So the
 *  word that the program waited for must be read first. */
static inline void
rb_win_rmb_in(const char *where, const struct rb_link *link)
{
	if (link->wc)
		rte_rmb();
	rb_weak_load_fence("rmb", where);
}

/** The port's next doorbell, peer scratchpad, flush or stop drains the buffers of this CPU first: a
 *  promise of struct ntb_port_ops. It then follows all stores through its window, of which
 *  @p window is an address. */
static inline void
rb_win_port_drains(const void *window)
{
	rb_weak_store_fence("port", "");
	rb_weak_load_fence("port", "");
	rb_weak_push(window);
}

/** Nothing where ports have no doorbells: no receiver sleeps there. */
static inline void
rb_win_ring(struct ntb_port *ntb, uint32_t bits)
{
	if (ntb->ops->push != NULL)
		ntb->ops->push(ntb);
	if (ntb->ops->db_ring == NULL)
		return;
	rb_win_port_drains(ntb->window);
	ntb_db_ring(ntb, bits);
}

#endif /* RB_BASE_WINDOW_H */
