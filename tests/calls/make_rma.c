/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Making puts and gets of all forms, and what orders them.
 */
#include "call.h"
#include "make.h"

/* Between hosts each block is a frame of its own. Two hundred thousand of them take minutes where a
 * PE waits for its turn, which looks like a hang.
 */
#define MAX_BLOCKS 2048

bool
form_strided(int form)
{
	return form == F_IPUT || form == F_IBPUT || form == F_IGET || form == F_IBGET;
}

bool
form_gets(int form)
{
	return form >= F_G;
}

/* One element, which is passed or returned by value. */
static bool
form_by_value(int form)
{
	return form == F_P || form == F_G;
}

bool
op_pads(const struct op *op)
{
	return form_by_value(op->form) && (types[op->type].flags & IS_PADDED);
}

bool
form_nbi(int form)
{
	return form == F_PUT_NBI || form == F_GET_NBI || form == F_PUT_SIGNAL_NBI;
}

static struct span
side(const struct op *op, struct place at, ptrdiff_t stride)
{
	size_t size = types[op->type].size;

	if (form_strided(op->form))
		return (struct span){at, op->bsize * size, (size_t)stride * size, op->n};
	return span_of(at, op->n * size);
}

struct span
op_dst(const struct op *op)
{
	return side(op, op->dst, op->dst_stride);
}

struct span
op_src(const struct op *op)
{
	return side(op, op->src, op->src_stride);
}

static int
pick_type(int form)
{
	int type;

	do
		type = (int)rnd(TYPES);
	while (form == F_STORE ? type != T_MEM : !call_has(type, form_names[form]));
	return type;
}

static void
pick_strides(struct op *op, size_t bytes)
{
	size_t size = types[op->type].size, wide;

	op->bsize = op->form == F_IBPUT || op->form == F_IBGET ? 1 + rnd_length(40) : 1;
	if (rnd_percent(10) && op->bsize > 1)
		op->bsize = 1 + rnd_length(bytes / size / 4);
	op->dst_stride = (ptrdiff_t)(op->bsize + (rnd_percent(30) ? 0 : rnd_length(9)));
	op->src_stride = (ptrdiff_t)(op->bsize + (rnd_percent(30) ? 0 : rnd_length(9)));
	wide = (size_t)(op->dst_stride > op->src_stride ? op->dst_stride : op->src_stride);
	op->n = bytes / (wide * size);
	if (op->n > MAX_BLOCKS)
		op->n = MAX_BLOCKS;
}

bool
pick_transfer(struct op *op, int form, size_t max)
{
	size_t bytes = pick_bytes(), align;
	struct span dst, src;

	if (bytes > max)
		bytes = max;
	op->form = form;
	op->type = pick_type(form);
	align = op->type == T_MEM ? 1 : types[op->type].size;
	op->n = form_by_value(form) ? 1 : bytes / types[op->type].size;
	if (form_strided(form))
		pick_strides(op, bytes);
	op->nbi = form_nbi(form);
	op->fresh = !form_gets(form) && rnd_percent(70);
	dst = op_dst(op);
	src = op_src(op);
	return pick_place(&op->dst, span_reach(&dst), align, !form_gets(form)) &&
	       pick_place(&op->src, span_reach(&src), align, form_gets(form));
}

void
want_source(const struct op *op)
{
	struct claim c = claim_of(op, op->pe, op_src(op));

	c.write = op->fresh;
	c.end = op->nbi ? QUIET : DONE;
	want(&c);
}

/* The target of a put. */
static void
want_target(const struct op *op, struct span at)
{
	struct claim c = claim_of(op, op->to, at);

	c.write = c.put = true;
	c.end = QUIET;
	want(&c);
}

static void
want_get(const struct op *op)
{
	struct claim to = claim_of(op, op->pe, op_dst(op)), from = claim_of(op, op->to, op_src(op));

	to.write = true;
	to.end = from.end = op->nbi ? QUIET : DONE;
	want(&to);
	want(&from);
}

bool
make_rma(struct op *op)
{
	int form = (int)rnd(FORMS);

	if (form == F_PUT_SIGNAL || form == F_PUT_SIGNAL_NBI)
		return false; /* there are messages for that */
	pick_ctx(op);
	op->to = pick_target(op);
	if (form == F_STORE) {
		op->ctx = NO_CTX;
		op->team = world.made.team[0];
	}
	if (!pick_transfer(op, form, (size_t)-1))
		return false;
	if (form_gets(form)) {
		want_get(op);
	} else {
		want_target(op, op_dst(op));
		want_source(op);
	}
	return want_end();
}

/* Puts one over the other, with fences between them: the last one stands. */
bool
make_overwrite(struct op *op)
{
	size_t len = rnd_length(world.room[R_HEAP] / 16);

	pick_ctx(op);
	op->to = pick_target(op);
	op->type = T_MEM;
	op->form = F_PUT;
	op->bsize = 2 + rnd(3); /* puts */
	op->value = len;
	op->fresh = true;
	op->nbi = true;
	op->n = len * op->bsize;
	if (!pick_place(&op->dst, len, 8, true) || !pick_place(&op->src, op->n, 8, false))
		return false;
	want_source(op);
	want_target(op, span_of(op->dst, len));
	return want_end();
}

bool
make_fill(struct op *op)
{
	struct claim c;

	op->pe = (int)rnd((size_t)world.npes);
	op->type = T_MEM;
	op->n = pick_bytes();
	if (!pick_place(&op->dst, op->n, 1, false))
		return false;
	c = claim_of(op, op->pe, span_of(op->dst, op->n));
	c.write = true;
	want(&c);
	return want_end();
}

bool
make_fence(struct op *op)
{
	pick_ctx(op);
	plan_fence(thread_of(op->pe, op->lane), op->ctx);
	return true;
}

/* Of all targets (n is 0), or of the PEs from[0 .. n - 1], which are ranks of the context's team.
 */
bool
make_quiet(struct op *op)
{
	struct team targets = {0};
	size_t i;

	pick_ctx(op);
	if (rnd_percent(30))
		op->n = 1 + rnd((size_t)op->team.n);
	for (i = 0; i < op->n; i++) {
		op->from[i] = (int)rnd((size_t)op->team.n);
		targets.pe[targets.n++] = op->team.pe[op->from[i]];
	}
	plan_quiet(thread_of(op->pe, op->lane), op->ctx, op->n == 0 ? NULL : &targets);
	return true;
}
