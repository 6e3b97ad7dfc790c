/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Puts, gets, atomics, locks.
 */
#include <stdio.h>
#include <string.h>

#include "make.h"
#include "padding.h"
#include "ref.h"
#include "run.h"

static bool
is_plain(const struct op *op)
{
	return op->plain && op->ctx == NO_CTX;
}

/* The padding at the target, by a call of its own. */
static void
run_padding(const struct op *op, int form, const struct call *by_value)
{
	static const unsigned char zero[sizeof(long double)];
	struct call c = *by_value;

	if (form == F_G) {
		clear_padding(c.dest, 1);
		return;
	}
	c.dest = (unsigned char *)c.dest + LD_VALUE;
	c.source = zero;
	c.n = LD_PADDING;
	shmem_ctx_fence(c.ctx);
	call_make(&c, is_plain(op), T_MEM, "put");
}

/* Through a pointer, where there is one. */
static void
store(const struct call *c)
{
	void *direct = shmem_ptr(c->dest, c->pe);

	if (direct != NULL)
		memcpy(direct, c->source, c->n);
	else
		shmem_putmem(c->dest, c->source, c->n, c->pe);
}

void
run_transfer(const struct op *op, int form, uint64_t *sig, uint64_t signal, int sig_op)
{
	struct call c = {.pe = run_rank(op, op->to),
			 .ctx = run_context(op),
			 .dest = run_at(op->dst),
			 .fetch = run_at(op->dst),
			 .source = run_at(op->src),
			 .dst = op->dst_stride,
			 .sst = op->src_stride,
			 .bsize = op->bsize,
			 .n = op->n,
			 .sig = sig,
			 .signal = signal,
			 .sig_op = sig_op};
	struct span src = op_src(op);

	if (!form_gets(form))
		run_fresh(op, &src);
	if (form == F_STORE)
		store(&c);
	else
		call_make(&c, is_plain(op), op->type, form_names[form]);
	if (op_pads(op))
		run_padding(op, form, &c);
}

void
run_rma(const struct op *op)
{
	run_transfer(op, op->form, NULL, 0, 0);
	if (op->nbi)
		run_later(op);
	else
		run_verify(op);
}

void
run_overwrite(const struct op *op)
{
	struct span src = op_src(op);
	size_t i;

	run_fresh(op, &src);
	for (i = 0; i < op->bsize; i++) {
		int form;
		struct op put = ref_overwrite_put(op, i, &form);

		if (i > 0)
			shmem_ctx_fence(run_context(op));
		run_transfer(&put, form, NULL, 0, 0);
	}
}

void
run_fill(const struct op *op)
{
	world_pattern(run_at(op->dst), op->n, op->key);
}

void
run_fence(const struct op *op)
{
	if (is_plain(op))
		shmem_fence();
	else
		shmem_ctx_fence(run_context(op));
}

void
run_quiet(const struct op *op)
{
	bool plain = is_plain(op);
	struct team targets = {0};
	size_t i;

	for (i = 0; i < op->n; i++)
		targets.pe[targets.n++] = op->team.pe[op->from[i]];
	if (op->n > 0 && plain)
		shmem_pe_quiet(op->from, op->n);
	else if (op->n > 0)
		shmem_ctx_pe_quiet(run_context(op), op->from, op->n);
	else if (plain)
		shmem_quiet();
	else
		shmem_ctx_quiet(run_context(op));
	run_completed(op->ctx, op->n > 0 ? &targets : NULL);
}

uint64_t
run_atomic(const struct op *op, struct call *c, bool plain, int what, uint64_t value)
{
	uint64_t ret = 0;
	char name[32];

	snprintf(name, sizeof(name), "atomic_%s%s", amo_names[what][0], op->nbi ? "_nbi" : "");
	c->source = what == A_FETCH ? c->dest : &value;
	if (!op->nbi)
		c->fetch = &ret;
	call_make(c, plain || op->old, op->type, op->old ? amo_names[what][1] : name);
	return ret;
}

void
run_amo(const struct op *op)
{
	struct call c = {.pe = run_rank(op, op->to),
			 .ctx = run_context(op),
			 .dest = run_at(op->dst),
			 .fetch = run_at(op->src),
			 .cond = &op->cond};
	uint64_t ret = run_atomic(op, &c, is_plain(op), op->what, op->value);

	if (op->nbi)
		run_later(op);
	else if (op->what < A_SET && ret != op->ret)
		fail(op, "returns %#llx, not %#llx", (unsigned long long)ret,
		     (unsigned long long)op->ret);
}

/* Atomics on a shared word. */
static uint64_t
share(const struct op *op, int what, uint64_t value)
{
	struct call c = {.pe = op->to, .ctx = SHMEM_CTX_DEFAULT, .dest = run_at(op->dst)};

	return run_atomic(op, &c, op->key % 2 == 0, what, value);
}

/* A bit of the thread's own: no other thread has changed it. */
static void
own_bit(const struct op *op, unsigned int bit)
{
	static const int whats[4][2] = {
		{A_OR, A_FOR}, {A_AND, A_FAND}, {A_XOR, A_FXOR}, {A_ADD, A_FADD}};
	uint64_t mask = (uint64_t)1 << bit, was = op->ret & mask, value = mask, ret;
	bool fetch = (hash64(op->key, bit) & 1) != 0;

	if (bit % 4 == 1)
		value = ~mask;
	else if (bit % 4 == 3 && was != 0)
		value = -mask;
	ret = share(op, whats[bit % 4][fetch], value);
	if (fetch && (ret & mask) != was)
		fail(op, "bit %u: returns %#llx, which was %#llx there", bit,
		     (unsigned long long)ret, (unsigned long long)op->ret);
}

void
run_shared_amo(const struct op *op)
{
	uint64_t calls = 0, last = 0, ret, size = types[op->type].size;
	int i, pe;

	for (pe = 0; pe < world.npes; pe++)
		calls += (uint64_t)(op->from[pe] * op->start);
	for (i = 0; i < op->from[world.me]; i++) {
		if (op->what == A_OR) {
			own_bit(op, ref_shared_bit(op, world.me, run_lane(), i));
			continue;
		}
		if (hash64(op->key, (uint64_t)i) % 2) {
			(void)share(op, A_INC, 0);
			continue;
		}
		/* how often it was counted up before; every time more */
		ret = (share(op, A_FINC, 0) - op->ret) << (64 - 8 * size) >> (64 - 8 * size);
		if (ret >= calls || ret < last)
			fail(op, "counted %llu times before, of %llu, and %llu times earlier",
			     (unsigned long long)ret, (unsigned long long)calls,
			     (unsigned long long)last);
		last = ret + 1;
	}
}

void
run_lock(const struct op *op)
{
	const uint64_t *initial = (const void *)op->range[0].bytes;
	uint64_t copy[32];
	size_t i;
	int turn;

	for (turn = 0; turn < op->from[world.me]; turn++) {
		if (op->test)
			while (shmem_test_lock(&world.locks[op->slot]) != 0)
				;
		else
			shmem_set_lock(&world.locks[op->slot]);
		shmem_getmem(copy, run_at(op->dst), op->n * 8, op->to);
		for (i = 0; i < op->n; i++)
			if (copy[i] - initial[i] != copy[0] - initial[0])
				fail(op, "word %zu was counted up %lld times, the first one %lld",
				     i, (long long)(copy[i] - initial[i]),
				     (long long)(copy[0] - initial[0]));
		for (i = 0; i < op->n; i++)
			copy[i]++;
		shmem_putmem(run_at(op->dst), copy, op->n * 8, op->to);
		if (turn % 2)
			shmem_quiet();
		shmem_clear_lock(&world.locks[op->slot]);
	}
}
