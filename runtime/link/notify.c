/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/notify.h"

#include "base/env.h"
#include "base/link.h"
#include "base/state.h"
#include "base/wire.h"

struct rb_group rb_groups[RB_MAX_LCORES];

void
rb_bell(struct rb_link *link, const struct rb_tx *tx)
{
	_Atomic uint64_t *rung = &link->rung[tx->group];
	uint64_t asked;

	if (rb.notify == RB_NOTIFY_DOORBELL) {
		/* a posted write after the descriptor; pairs with rb_notify_due() */
		ntb_db_ring(link->port, tx->bell);
		return;
	}
	/* pairs with the fence in rb_sleep() */
	atomic_thread_fence(memory_order_seq_cst);
	asked = __atomic_load_n(&link->mine->need_bell[tx->group], __ATOMIC_RELAXED);
	if ((asked & 1) == 0 ||
	    atomic_exchange_explicit(rung, asked, memory_order_relaxed) == asked)
		return;
	ntb_db_ring(link->port, RB_DB_CHAN(tx->group));
}
