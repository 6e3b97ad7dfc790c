/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/notify.h"

#include <stdatomic.h>

#include "base/env.h"
#include "base/link.h"
#include "base/state.h"
#include "base/window.h"
#include "base/wire.h"

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
