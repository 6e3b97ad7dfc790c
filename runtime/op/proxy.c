/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "op/proxy.h"

#include <stdbool.h>

#include "base/deal.h"
#include "base/state.h"
#include "base/tsan.h"
#include "base/types.h"
#include "base/wire.h"
#include "host/hostseg.h"
#include "host/proxy_queue.h"
#include "mem/layout.h"
#include "mem/target.h"
#include "op/atomic.h"
#include "op/get.h"
#include "op/order.h"
#include "op/put.h"

static struct rb_ctx contexts[RB_MAX_LOCALS][RB_MAX_CHANNELS]; /* lead: contexts of the other PEs,
								  by local index */

int
rb_proxy_init(void)
{
	unsigned int l, c;

	for (l = 0; l < RB_MAX_LOCALS; l++)
		for (c = 0; c < RB_MAX_CHANNELS; c++)
			contexts[l][c].chan = c;
	return rb_proxy_rings();
}

static uint8_t *
local_buffer(const struct rb_proxy_op *h, unsigned int local)
{
	switch (h->lbuf) {
	case RB_PROXY_BUF_INLINE:
		return (uint8_t *)(uintptr_t)h->arg;
	case RB_PROXY_BUF_REGION:
		return rb_mem.region + h->at;
	case RB_PROXY_BUF_BOUNCE:
		return rb_hostseg->bounce[local] + h->at;
	default:
		return rb_hostseg->pe[local].value;
	}
}

static void
run_op(const struct rb_proxy_op *h, unsigned int local)
{
	struct rb_ctx *ctx = &contexts[local][h->chan];
	const struct rb_loc loc = {.seg = h->seg, .off = h->off};
	const struct rb_amo amo = {
		.op = h->amo & 0xff, .size = h->amo >> 8, .operand = h->arg[0], .cond = h->arg[1]};
	uint8_t *local_end = local_buffer(h, local);
	_Atomic uint32_t *pending = rb_proxy_pending(local);
	struct rb_target t;

	rb_target_at(&t, (int)h->pe, &loc);
	switch (h->kind) {
	case RB_PROXY_PUT:
		rb_put_rings(ctx, &t, local_end, h->len, h->nbi != 0);
		break;
	case RB_PROXY_GET:
		rb_get_rings(ctx, &t, local_end, h->len, pending);
		break;
	case RB_PROXY_AMO:
		rb_amo_rings(ctx, &t, &amo, local_end, pending);
		break;
	case RB_PROXY_FENCE:
		rb_fence(ctx);
		break;
	case RB_PROXY_FLUSH:
		rb_quiet(ctx);
		break;
	}
}

bool
rb_proxy_serve(void)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	unsigned int local;
	struct rb_proxy_op h;
	bool any;

	if (rb.locals == 1 || rb_proxy_idle())
		return false;
	/* one operation at a time; also keeps out the waits inside run_op() */
	if (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
		return false;
	any = rb_proxy_take(&h, &local);
	if (any) {
		rb_tsan_acquire();
		run_op(&h, local);
		rb_proxy_issued(local);
	}
	atomic_flag_clear_explicit(&busy, memory_order_release);
	return any;
}
