/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/target.h"

#include <stdbool.h>

#include "base/route.h"
#include "base/state.h"
#include "mem/layout.h"

uint8_t *
rb_seg_at(unsigned int local, enum rb_seg seg, uint64_t off)
{
	if (seg == RB_SEG_HEAP)
		return rb_mem.region + rb_seg_base(seg, local) + off;
	/* a program without static data may still be asked for 0 bytes of it */
	if (local == (unsigned int)rb.local)
		return rb_mem.data == NULL ? NULL : rb_mem.data + off;
	return rb_mem.data_shared == NULL ? NULL
					  : rb_mem.data_shared + local * rb_mem.data_size + off;
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
	uint64_t base = rb_seg_shown(t->loc.seg, rb.place[t->pe].local);

	if (t->hops != 1 || base == 0)
		return NULL;
	return rb.link[t->port].peer + base + t->loc.off;
}

bool
rb_relay_stores(const struct rb_target *t)
{
	return t->hops > 1 && rb_seg_shown(t->loc.seg, rb.place[t->pe].local) != 0;
}
