/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_CHAN_H
#define RB_LINK_CHAN_H

/**
 * @file
 * One descriptor ring over a link: single producer, single consumer, the memory at the consumer.
 *
 * Producer: rb_tx_has_room()  ->  fill rb_tx_payload()  ->  rb_tx_commit()  ->  rb_tx_announce():
 * rb_ring_send() is all of it. Nothing is claimed before commit, so giving up in between leaves
 * nothing behind. Own-request rings are shared by threads: rb_tx_lock() around all three. Consumer
 * (poll): rb_rx_peek()  ->  use the copy  ->  rb_rx_release(), then rb_rx_credit().
 *
 * Order: the release store of seq in rb_tx_commit() pairs with the acquire load in rb_rx_peek()
 * (payload and descriptor before seq). The release store of credit in rb_rx_credit() pairs with
 * the acquire load in rb_tx_free() (the slot was read before it is filled again). Over PCIe both
 * are posted writes of one requester to one completer, which arrive in order; a write-combining
 * window needs the store fence of rb_win_order() between, because x86 may drain its buffers late.
 *
 * How a receiver learns which rings hold frames. Notify mode memory: it looks at the next
 * descriptor of each ring. Notify mode doorbell: the sender of a frame rings the channel's doorbell
 * after it, and the receiver reads one register for all channels.
 *
 * Nothing is lost: a ring that holds a descriptor which was not looked at has its doorbell pending,
 * or set in rb_link.due. If a bell came before the clear, its descriptor arrived before the clear
 * too, and the look after the clear finds it. A bell that comes later is pending again. But a clear
 * is a posted write, and a look at local memory does not wait for it: a bell between the look and
 * the arrival of the clear would be lost. Reading the register back waits for the clear.
 * tests/spin/doorbell.pml.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/env.h"
#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/tsan.h"
#include "base/window.h"
#include "base/wire.h"
#include "link/frame.h"

/** Doorbells of a group's rings that rang since the last call, or whose rings were not drained. Not
 *  for notify mode memory, where no doorbell announces a frame. */
uint32_t rb_notify_due(struct rb_link *link, unsigned int group);

/** Ring the neighbour's doorbell for a frame that the neighbour awaits (rb_tx_awaited()). In notify
 *  mode memory once for each time that it has asked. */
void rb_bell(struct rb_link *link, const struct rb_tx *tx);

/** Free slots, as the producer knows; there may be more. Each look at the credits is a cache line
 * that comes from another CPU, so it looks only where it knows of less than @p need. Poll, or the
 * holder of the lock. */
static inline uint32_t
rb_tx_free(struct rb_tx *tx, unsigned int need)
{
	if (unlikely(rb_rule_free(tx->pos, tx->seen, rb.slots) < need))
		tx->seen = (uint32_t)__atomic_load_n(tx->credit, __ATOMIC_ACQUIRE);
	return rb_rule_free(tx->pos, tx->seen, rb.slots);
}

/** Call it with the right to fill the ring, when a frame finds no room: rb_cable_check() ends the
 * job where no room will come. */
static inline void
rb_tx_check_credit(struct rb_link *link, const struct rb_tx *tx)
{
	uint32_t credit = (uint32_t)__atomic_load_n(tx->credit, __ATOMIC_RELAXED);

	if (unlikely(rb_rule_overdrawn(tx->pos, credit, rb.slots)))
		rb_count(&link->overdrawn, 1);
}

static inline uint8_t *
rb_tx_payload(const struct rb_tx *tx)
{
	return tx->slot + (size_t)(tx->pos & (rb.slots - 1)) * rb.chunk;
}

/** Does the receiver wait for a doorbell after this frame? Notify mode doorbell: always. Notify
 * mode memory: only while it sleeps and has asked for bells (relay/sleep.c). */
static inline bool
rb_tx_awaited(const struct rb_link *link, const struct rb_tx *tx)
{
	if (rb.notify == RB_NOTIFY_DOORBELL)
		return true;
	/* the descriptor before the look; pairs with the fence in rb_sleep() */
	atomic_thread_fence(memory_order_seq_cst);
	return (__atomic_load_n(&link->mine->need_bell[tx->group], __ATOMIC_RELAXED) & 1) != 0;
}

static inline void
rb_tx_commit(struct rb_link *link, struct rb_tx *tx, const struct rb_desc *d)
{
	struct rb_desc *to = &tx->desc[tx->pos & (rb.slots - 1)];

	if (!rb_win_stored(to, d, offsetof(struct rb_desc, seq)))
		memcpy(to, d, offsetof(struct rb_desc, seq));
	rb_win_order(link);
	tx->pos++;
	rb_count(&tx->frames, 1);
	rb_count(&tx->bytes, rb_desc_bytes(d));
	rb_tsan_release();
	rb_win_store32(&to->seq, tx->pos);
	rb_win_wmb(link);
}

static inline void
rb_tx_announce(struct rb_link *link, const struct rb_tx *tx)
{
	if (rb.announce && rb_tx_awaited(link, tx))
		rb_bell(link, tx);
}

/** Is there room for a frame that needs @p need free slots? Poll, or the holder of the lock. */
static inline bool
rb_tx_has_room(struct rb_link *link, struct rb_tx *tx, unsigned int need)
{
	if (likely(rb_tx_free(tx, need) >= need))
		return true;
	rb_count(&tx->retries, 1);
	rb_tx_check_credit(link, tx);
	return false;
}

/** Put a frame into a ring of relays. @p fill copies @p payload, NULL if there is none, into its
 *  slot; rb_survive, if set, copies it itself. 0, or -EAGAIN: no room. Poll, of the group. */
int rb_ring_send(unsigned int port, unsigned int ring, unsigned int need, const struct rb_desc *d,
		 const uint8_t *payload,
		 void (*fill)(const struct rb_link *link, const struct rb_desc *d, uint8_t *to,
			      const uint8_t *from));

void rb_tx_lock(struct rb_tx *tx);

static inline void
rb_tx_unlock(struct rb_tx *tx)
{
	atomic_flag_clear_explicit(&tx->lock, memory_order_release);
}

/** Which rings of a group may hold frames, as bits RB_DB_CHAN(channel). */
static inline uint32_t
rb_rx_due(struct rb_link *link, unsigned int group)
{
	return rb.notify == RB_NOTIFY_MEMORY ? UINT32_MAX : rb_notify_due(link, group);
}

/** The rings of the doorbell of channel @p c may hold more frames. */
static inline void
rb_rx_later(struct rb_link *link, unsigned int group, unsigned int c)
{
	link->due[group] |= RB_DB_CHAN(c);
}

/** @return true and a private copy, because a hostile neighbour may change the ring at any time */
static inline bool
rb_rx_peek(const struct rb_rx *rx, struct rb_desc *d)
{
	const struct rb_desc *from = &rx->desc[rx->pos & (rb.slots - 1)];

	if (__atomic_load_n(&from->seq, __ATOMIC_ACQUIRE) != rx->pos + 1)
		return false;
	rb_tsan_acquire();
	memcpy(d, from, sizeof(*d));
	return true;
}

static inline const uint8_t *
rb_rx_payload(const struct rb_rx *rx)
{
	return rx->slot + (size_t)(rx->pos & (rb.slots - 1)) * rb.chunk;
}

static inline void
rb_rx_release(struct rb_rx *rx)
{
	rx->pos++;
}

/** Return credits for freed slots to the producer, if it is time. */
static inline void
rb_rx_credit(const struct rb_link *link, struct rb_rx *rx, bool idle)
{
	if (!rb_rule_credit_due(rx->pos - rx->returned, rb.slots, idle))
		return;
	rx->returned = rx->pos;
	rb_win_store64(rx->credit, rx->pos);
	if (!link->messages) /* those go with what follows, or by themselves */
		rb_win_wmb(link);
}

/** Set up the rings of one port, in the region and in the window. */
void rb_chan_attach(unsigned int port);

#endif /* RB_LINK_CHAN_H */
