/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The reference: what memory holds after each call, computed by every PE for all of them.
 */
#include <stdlib.h>
#include <string.h>

#include "make.h"
#include "padding.h"
#include "ref.h"

unsigned char *
ref_at(int pe, struct place at)
{
	return world.shadow[at.region][pe] + at.off;
}

/** The @p i th byte of the blocks of @p s, without gaps. */
static struct place
nth(const struct span *s, size_t i)
{
	return (struct place){s->at.region, s->at.off + i / s->len * s->stride + i % s->len};
}

void
ref_copy(int to, const struct span *dst, int from, const struct span *src)
{
	size_t i, total = dst->len * dst->count, step;

	for (i = 0; i < total; i += step) {
		step = dst->len - i % dst->len;
		if (step > src->len - i % src->len)
			step = src->len - i % src->len;
		memmove(ref_at(to, nth(dst, i)), ref_at(from, nth(src, i)), step);
	}
}

void
ref_transfer(const struct op *op)
{
	struct span dst = op_dst(op), src = op_src(op);
	bool gets = form_gets(op->form);
	int to = gets ? op->pe : op->to, from = gets ? op->to : op->pe;

	if (!gets)
		ref_fresh(op, op->pe, &src);
	ref_copy(to, &dst, from, &src);
	if (op_pads(op))
		clear_padding(ref_at(to, op->dst), 1);
}

void
ref_expect(struct op *op, int pe, const struct span *s)
{
	if (pe == world.me && s->len * s->count != 0)
		ref_keep(op, pe, s);
}

void
ref_keep(struct op *op, int pe, const struct span *s)
{
	struct range *r = &op->range[op->ranges];
	size_t i;

	r->pe = pe;
	r->at = *s;
	r->bytes = malloc(s->len * s->count);
	if (r->bytes == NULL)
		fail(op, "no memory for what is to be expected");
	for (i = 0; i < s->count; i++)
		memcpy(r->bytes + i * s->len, ref_at(pe, nth(s, i * s->len)), s->len);
	op->ranges++;
}

void
ref_forget(struct epoch *e)
{
	int i, j;

	for (i = 0; i < e->n; i++) {
		free(e->op[i].word);
		for (j = 0; j < e->op[i].ranges; j++)
			free(e->op[i].range[j].bytes);
	}
}

void
ref_fresh(const struct op *op, int pe, const struct span *s)
{
	size_t i;

	for (i = 0; op->fresh && s->len != 0 && i < s->count; i++)
		world_pattern(ref_at(pe, nth(s, i * s->len)), s->len, hash64(op->key, i));
}

void
ref_rma(struct op *op)
{
	struct span dst = op_dst(op);

	ref_transfer(op);
	if (form_gets(op->form))
		ref_expect(op, op->pe, &dst);
}

/* The i th put goes to a part of the range. */
static struct span
overwrite_part(const struct op *op, size_t i)
{
	size_t from = hash64(op->key, 2 * i) % (op->value + 1);
	size_t len = hash64(op->key, 2 * i + 1) % (op->value - from + 1);

	return span_of((struct place){op->dst.region, op->dst.off + from}, len);
}

void
ref_overwrite(struct op *op)
{
	struct span src = op_src(op);
	size_t i;

	ref_fresh(op, op->pe, &src);
	for (i = 0; i < op->bsize; i++) {
		struct span dst = overwrite_part(op, i);

		src = span_of(op->src, dst.len);
		src.at.off += i * op->value;
		ref_copy(op->to, &dst, op->pe, &src);
	}
}

struct op
ref_overwrite_put(const struct op *op, size_t i, int *form)
{
	struct span part = overwrite_part(op, i);
	struct op put = *op;

	put.fresh = false;
	put.dst = part.at;
	put.src.off += i * op->value;
	put.n = part.len;
	*form = hash64(op->key, i) % 2 ? F_PUT : F_PUT_NBI;
	return put;
}

void
ref_fill(struct op *op)
{
	world_pattern(ref_at(op->pe, op->dst), op->n, op->key);
}

void
ref_split(struct op *op)
{
	if (op->cond)
		return;
	world.live.team[op->slot] = split_child(op);
	world.live.team_live[op->slot] = true;
}

void
ref_split_2d(struct op *op)
{
	int i;

	for (i = 0; i < split_rows(op) + split_columns(op); i++) {
		world.live.team[op->from[i]] = split_2d_child(op, i);
		world.live.team_live[op->from[i]] = true;
	}
}

void
ref_team_end(struct op *op)
{
	world.live.team_live[op->slot] = false;
}

void
ref_ctx(struct op *op)
{
	world.live.ctx[op->pe][op->ctx].serial = op->ctx_serial;
}

void
ref_ctx_end(struct op *op)
{
	world.live.ctx[op->pe][op->ctx].serial = 0;
}

struct span
ref_kept(const struct op *op)
{
	size_t kept = op->kind == K_ALLOC && op->what == 1 ? op->n : 0;

	if (op->kind == K_REALLOC)
		kept = op->cond < op->n ? op->cond : op->n;
	return span_of((struct place){R_BLOCK + op->slot, 0}, kept);
}

/* The owner fills the rest. */
void
ref_heap(struct op *op)
{
	int region = R_BLOCK + op->slot, pe;
	struct span all = ref_kept(op);
	size_t kept = all.len;

	world.live.block[op->slot] = op->kind == K_FREE ? 0 : op->n;
	for (pe = 0; pe < world.npes && op->kind != K_FREE; pe++) {
		unsigned char *at = world.shadow[region][pe];

		if (op->kind == K_ALLOC)
			memset(at, 0, kept);
		ref_expect(op, pe, &all);
		world_pattern(at + kept, op->n - kept, hash64(op->key, (uint64_t)pe));
	}
}

/* A block of the heap is there, and as large as it was when the call was made. */
static bool
block_lives(const struct epoch *e, struct place at)
{
	int block = at.region - R_BLOCK;

	return block < 0 || block >= BLOCKS || world.live.block[block] == e->block[block];
}

static bool
team_lives(int slot, const struct op *op)
{
	return world.live.team_live[slot] && world.live.team[slot].serial == op->team.serial;
}

/* Is all there that the call works on? Not where the one that made it is skipped. */
static bool
possible(const struct epoch *e, const struct op *op)
{
	if (op->kind < K_ALLOC &&
	    (!block_lives(e, op->dst) || !block_lives(e, op->src) || !block_lives(e, op->sig)))
		return false;
	if (op->ctx != NO_CTX && op->kind != K_CTX &&
	    world.live.ctx[op->pe][op->ctx].serial != op->ctx_serial)
		return false;
	switch (op->kind) {
	case K_SYNC:
	case K_COLL:
		return op->aset || team_lives(op->slot, op);
	case K_CTX:
	case K_TEAM_END:
		return team_lives(op->slot, op);
	case K_SPLIT:
	case K_SPLIT_2D:
		return team_lives(op->parent, op);
	case K_ALLOC:
	case K_REALLOC:
	case K_FREE:
		return world.live.block[op->slot] == op->cond;
	default:
		return true;
	}
}

/* A transfer or a collective may be shorter than it was made: it touches less. */
static void
shorten(const struct epoch *e, struct op *op)
{
	if (op->kind == K_RMA || op->kind == K_MESSAGE || op->kind == K_FILL ||
	    (op->kind == K_COLL && op->what != C_COLLECT))
		op->n = skip_length(e->number, op->id, op->n);
	if (op->kind != K_OVERWRITE)
		return;
	op->value = skip_length(e->number, op->id, op->value);
	op->n = op->value * op->bsize;
}

void
ref_epoch(struct epoch *e)
{
	int i;

	for (i = 0; i < e->n; i++) {
		struct op *op = &e->op[i];

		op->dropped = skipped(e->number, i) || !possible(e, op);
		shorten(e, op);
		if (!op->dropped && kinds[op->kind].ref != NULL)
			kinds[op->kind].ref(op);
	}
}
