/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/target.h"

#include <errno.h>
#include <stdbool.h>

#include "base/route.h"
#include "base/state.h"
#include "mem/layout.h"
#include "mem/symmetric.h"

void
rb_target_at(struct rb_target *t, int pe, const struct rb_loc *loc)
{
	t->pe = pe;
	t->host = rb_pe_host(pe);
	t->side = rb_route_side(t->host);
	t->hops = rb_route_hops(t->host);
	t->loc = *loc;
}

int
rb_target(struct rb_target *t, int pe, const void *addr, size_t len)
{
	struct rb_loc loc;

	if (unlikely(rb_locate(addr, len, &loc) < 0))
		return -EFAULT;
	rb_target_at(t, pe, &loc);
	return 0;
}

uint8_t *
rb_local(const struct rb_target *t)
{
	if (t->host != rb.host)
		return NULL;
	return rb_seg_at(rb.place[t->pe].local, t->loc.seg, t->loc.off);
}

uint8_t *
rb_direct(const struct rb_target *t)
{
	uint64_t base = rb_seg_base(t->loc.seg, rb.place[t->pe].local);

	if (t->hops != 1 || base == 0)
		return NULL;
	return rb.link[t->side].peer + base + t->loc.off;
}

bool
rb_relay_stores(const struct rb_target *t)
{
	return t->hops > 1 && rb_seg_base(t->loc.seg, rb.place[t->pe].local) != 0;
}
