/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/chan.h"

#include <errno.h>
#include <stdatomic.h>

#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/types.h"
#include "base/window.h"
#include "base/wire.h"
#include "link/copy.h"
#include "host/wait.h"
#include "link/cable.h"
#include "mem/layout.h"

void
rb_tx_lock(struct rb_tx *tx)
{
	if (unlikely(atomic_flag_test_and_set_explicit(&tx->lock, memory_order_acquire)))
		RB_WAIT_FOR(!atomic_flag_test_and_set_explicit(&tx->lock, memory_order_acquire),
			    RB_WAIT_INNER);
}

int
rb_ring_send(unsigned int port, unsigned int ring, unsigned int need, const struct rb_desc *d,
	     const uint8_t *payload,
	     void (*fill)(const struct rb_link *link, const struct rb_desc *d, uint8_t *to,
			  const uint8_t *from))
{
	struct rb_link *link = &rb.link[port];
	struct rb_tx *tx = &link->tx[ring];

	if (unlikely(rb_survive != NULL))
		return rb_survive->ring_send(port, ring, need, d, payload);
	if (link->port == NULL || !rb_tx_has_room(link, tx, need))
		return -EAGAIN;
	if (payload != NULL)
		fill(link, d, rb_tx_payload(tx), payload);
	rb_tx_commit(link, tx, d);
	rb_tx_announce(link, tx);
	return 0;
}

void
rb_chan_attach(unsigned int port)
{
	struct rb_link *link = &rb.link[port];
	unsigned int other = rb.far[port];
	size_t slots = rb.slots;
	unsigned int r;

	link->mine = (struct rb_ctl *)(rb_mem.region + rb_mem.lay.ctl[port]);
	link->theirs = (struct rb_ctl *)(link->peer + rb_mem.lay.ctl[other]);
	for (r = 0; r < RB_RINGS; r++) {
		struct rb_tx *tx = &link->tx[r];
		struct rb_rx *rx = &link->rx[r];
		size_t payload = rb_slot_ring(r) * slots * rb.chunk;

		*tx = (struct rb_tx){
			.lock = ATOMIC_FLAG_INIT,
			.group = (uint8_t)rb_group_of_ring(r),
			.bell = RB_DB_CHAN(r < rb.channels ? r : rb_group_of_ring(r)),
			.desc = (struct rb_desc *)(link->peer + rb_mem.lay.desc[other]) + r * slots,
			.slot = link->peer + rb_mem.lay.slot[other] + payload,
			.credit = &link->mine->credit[r],
		};
		*rx = (struct rb_rx){
			.desc = (const struct rb_desc *)(rb_mem.region + rb_mem.lay.desc[port]) +
				r * slots,
			.slot = rb_mem.region + rb_mem.lay.slot[port] + payload,
			.credit = &link->theirs->credit[r],
		};
	}
}

uint32_t
rb_notify_due(struct rb_link *link, unsigned int group)
{
	uint32_t due = link->due[group];
	uint32_t fresh = ntb_db_read(link->port) & rb_groups[group].bells;

	if (fresh != 0) {
		ntb_db_clear(link->port, fresh);
		ntb_db_read(link->port);
	}
	link->due[group] = 0;
	return due | fresh;
}

void
rb_bell(struct rb_link *link, const struct rb_tx *tx)
{
	_Atomic uint64_t *rung = &link->rung[tx->group];
	uint64_t asked;

	if (rb.notify == RB_NOTIFY_DOORBELL) {
		/* a posted write after the descriptor; pairs with rb_notify_due() */
		rb_win_ring(link->port, tx->bell);
		return;
	}
	asked = __atomic_load_n(&link->mine->need_bell[tx->group], __ATOMIC_RELAXED);
	/* even: the receiver has woken up since rb_tx_awaited() */
	if ((asked & 1) != 0 &&
	    atomic_exchange_explicit(rung, asked, memory_order_relaxed) != asked)
		rb_win_ring(link->port, RB_DB_CHAN(tx->group));
}
