/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_FRAME_H
#define RB_LINK_FRAME_H

/**
 * @file
 * Frames: the only code that builds, reads and checks descriptors (struct rb_desc).
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/state.h"
#include "base/types.h"
#include "base/wire.h"
#include "mem/target.h"

/* ---- requests ---- */

/** @p flags: RB_DESC_COUNTED, RB_DESC_MORE. Up to RB_INLINE bytes go into `data`. */
static inline struct rb_desc
rb_frame_put(uint64_t off, uint32_t len, uint32_t flags)
{
	return (struct rb_desc){.op = RB_OP_PUT, .flags = flags, .len = len, .off = off};
}

/** @p reply_off: offset in this host's region at which the reply may be stored; 0: it may not */
static inline struct rb_desc
rb_frame_get(uint64_t off, uint32_t len, uint32_t req, uint64_t reply_off)
{
	return (struct rb_desc){.op = RB_OP_GET,
				.flags = reply_off != 0 ? RB_DESC_REMOTE_STORE : 0,
				.len = len,
				.off = off,
				.req = req,
				.reply_off = reply_off};
}

static inline struct rb_desc
rb_frame_amo(uint64_t off, const struct rb_amo *op, uint32_t req, uint32_t flags)
{
	return (struct rb_desc){.op = RB_OP_AMO,
				.flags = flags,
				.amo = (uint8_t)(op->op | op->size << 4),
				.off = off,
				.req = req,
				.operand = op->operand,
				.cond = op->cond};
}

/** Fill in this PE as the source and @p t as the destination. */
static inline void
rb_frame_address(struct rb_desc *d, const struct rb_target *t)
{
	d->src_pe = (uint16_t)rb.pe;
	d->dst_pe = (uint16_t)t->pe;
	d->seg = (uint8_t)t->loc.seg;
}

/** Of the lost cable that ends at @p port of @p host. @p len bytes of payload say how many frames
 *  were taken from it. */
static inline struct rb_desc
rb_frame_mark(int host, unsigned int port, uint32_t len)
{
	return (struct rb_desc){.op = RB_OP_MARK,
				.off = port,
				.len = len,
				.src_pe = (uint16_t)rb.pe,
				.dst_pe = rb.lead[host]};
}

/** What the fetch @p op at @p t has in a frame of several: words of RB_PART bytes. */
static inline void
rb_frame_part(uint64_t *part, const struct rb_target *t, const struct rb_amo *op)
{
	part[0] = t->loc.seg | (op->op | op->size << 4) << 8 | (uint32_t)t->pe << 16;
	part[1] = t->loc.off;
	part[2] = op->operand;
	part[3] = op->cond;
}

/** The same as a frame of its own. */
static inline struct rb_desc
rb_frame_of_part(const uint64_t *part)
{
	return (struct rb_desc){.op = RB_OP_AMO,
				.seg = (uint8_t)part[0],
				.amo = (uint8_t)(part[0] >> 8),
				.dst_pe = (uint16_t)(part[0] >> 16),
				.off = part[1],
				.operand = part[2],
				.cond = part[3]};
}

/* ---- replies ---- */

struct rb_desc rb_frame_get_reply(const struct rb_desc *get);
/** To a get with RB_DESC_WORD, which may ask for no more than `value` holds. */
struct rb_desc rb_frame_word_reply(const struct rb_desc *get, const void *from);
struct rb_desc rb_frame_amo_reply(const struct rb_desc *amo, uint64_t old);
/** Acknowledge to host @p src that @p total requests of its channel are complete at host @p target.
 */
struct rb_desc rb_frame_ack(int src, int target, unsigned int chan, enum rb_class cls,
			    uint64_t total);

/* ---- what is in a frame ---- */

/** The atomic operation of an AMO frame. */
static inline struct rb_amo
rb_frame_amo_of(const struct rb_desc *d)
{
	return (struct rb_amo){
		.op = d->amo & 0xf, .size = d->amo >> 4, .operand = d->operand, .cond = d->cond};
}

/** Bytes that the frame moves. */
static inline uint32_t
rb_desc_bytes(const struct rb_desc *d)
{
	return d->op == RB_OP_GET || (d->flags & RB_DESC_STORED) != 0 ? 0 : d->len;
}

/** Does its slot hold a payload? */
static inline bool
rb_frame_slot(const struct rb_desc *d)
{
	return (d->op == RB_OP_PUT && d->len > RB_INLINE) ||
	       (d->op == RB_OP_GET_REPLY && (d->flags & RB_DESC_STORED) == 0) ||
	       (d->op == RB_OP_AMO && d->len > 0) ||
	       (d->op == RB_OP_AMO_REPLY && d->len > sizeof(d->arg[0])) || d->op == RB_OP_MARK;
}

/** Data of a PUT frame whose slot is at @p slot. */
static inline const uint8_t *
rb_frame_data(const struct rb_desc *d, const uint8_t *slot)
{
	return d->len <= RB_INLINE ? d->data : slot;
}

/* ---- checks ---- */

/** Could a correct host of this program have sent the frame? Bounds in segments are checked
 *  separately. */
bool rb_frame_valid(const struct rb_desc *d);
static inline bool
rb_frame_amo_valid(const struct rb_desc *d)
{
	unsigned int size = d->amo >> 4;

	return (d->amo & 0xf) < RB_AMO_MAX_OP && (size == 4 || size == 8) &&
	       (d->off & (size - 1)) == 0 && rb_inside(d->off, size, rb_seg_size(d->seg));
}

#endif /* RB_LINK_FRAME_H */
