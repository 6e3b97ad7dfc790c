/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/frame.h"

#include <stdbool.h>
#include <string.h>

#include "base/state.h"
#include "base/types.h"
#include "base/wire.h"
#include "mem/layout.h"

static struct rb_desc
reply_to(const struct rb_desc *request, enum rb_op op)
{
	return (struct rb_desc){.op = (uint8_t)op,
				.flags = request->flags & RB_DESC_WORD,
				.chan = request->chan,
				.src_pe = (uint16_t)rb.pe,
				.dst_pe = request->src_pe,
				.len = request->len,
				.req = request->req};
}

struct rb_desc
rb_frame_get_reply(const struct rb_desc *get)
{
	struct rb_desc r = reply_to(get, RB_OP_GET_REPLY);

	if ((get->flags & RB_DESC_REMOTE_STORE) != 0) {
		r.flags = RB_DESC_REMOTE_STORE;
		r.reply_off = get->reply_off;
	}
	return r;
}

struct rb_desc
rb_frame_word_reply(const struct rb_desc *get, const void *from)
{
	struct rb_desc r = reply_to(get, RB_OP_AMO_REPLY);

	memcpy(&r.value, from, r.len);
	return r;
}

struct rb_desc
rb_frame_amo_reply(const struct rb_desc *amo, uint64_t old)
{
	struct rb_desc r = reply_to(amo, RB_OP_AMO_REPLY);

	r.len = amo->amo >> 4;
	r.value = old;
	return r;
}

struct rb_desc
rb_frame_ack(int src, int target, unsigned int chan, enum rb_class cls, uint64_t total)
{
	return (struct rb_desc){.op = RB_OP_ACK,
				.chan = (uint8_t)chan,
				.cls = (uint8_t)cls,
				.src_pe = rb.lead[target],
				.dst_pe = rb.lead[src],
				.total = total};
}

bool
rb_frame_valid(const struct rb_desc *d)
{
	return d->op > RB_OP_NONE && d->op < RB_OP_MAX && d->seg < RB_SEG_MAX &&
	       d->chan < rb.channels && d->src_pe < rb.npes && d->dst_pe < rb.npes &&
	       d->len <= rb.chunk &&
	       ((d->flags & RB_DESC_WORD) == 0 ||
		(d->len <= sizeof(d->value) && !rb_frame_slot(d)));
}
