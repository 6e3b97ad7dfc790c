/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Messages, waits.
 */
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "ref.h"
#include "run.h"

static void
send(const struct op *op)
{
	uint64_t *sig = run_at(op->sig), add = op->value - op->ret;
	int how = op->vector ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET;
	uint64_t value = op->vector ? add : op->value;
	shmem_ctx_t ctx = run_context(op);
	int to = run_rank(op, op->to);

	if (op->what == M_SIGNAL) {
		run_transfer(op, op->form, sig, value, how);
		return;
	}
	run_transfer(op, op->form, NULL, 0, 0);
	if (op->what >= M_QUIET_AMO) {
		shmem_ctx_quiet(ctx);
		run_completed(op->ctx, NULL);
		/* by another context, and to anybody */
		if (op->vector)
			shmem_uint64_atomic_add(sig, add, ref_reader(op));
		else
			shmem_uint64_atomic_set(sig, op->value, ref_reader(op));
		return;
	}
	shmem_ctx_fence(ctx);
	if (op->what == M_FENCE_P)
		shmem_ctx_uint64_p(ctx, sig, op->value, to);
	else if (op->what == M_FENCE_SIGNAL && op->vector)
		shmem_ctx_signal_add(ctx, sig, add, to);
	else if (op->what == M_FENCE_SIGNAL)
		shmem_ctx_signal_set(ctx, sig, op->value, to);
	else if (op->vector)
		shmem_ctx_uint64_atomic_add(ctx, sig, add, to);
	else
		shmem_ctx_uint64_atomic_set(ctx, sig, op->value, to);
}

void
run_message(const struct op *op)
{
	uint64_t *sig = run_at(op->sig), cmp, got = op->value;

	if (op->pe == world.me)
		send(op);
	if (ref_reader(op) != world.me)
		return;
	cmp = op->cmp == SHMEM_CMP_EQ ? op->value : op->ret;
	if (op->test)
		while (!shmem_uint64_test(sig, op->cmp, cmp))
			;
	else if (op->key % 2)
		got = shmem_signal_wait_until(sig, op->cmp, cmp);
	else
		shmem_uint64_wait_until(sig, op->cmp, cmp);
	if (got != op->value || shmem_signal_fetch(sig) != op->value)
		fail(op, "signal is %#llx, not %#llx", (unsigned long long)got,
		     (unsigned long long)op->value);
	if (op->what == M_QUIET_THIRD && op->n > 0)
		shmem_getmem(run_at(ref_read(op).at), run_at(op->dst), op->n * types[op->type].size,
			     op->to);
	run_verify(op);
}

/* This PE's updates of the words. */
static void
update(const struct op *op)
{
	static const int whats[] = {A_SET, A_ADD, A_SWAP, A_CSWAP, A_FADD};
	size_t i, size = types[op->type].size;

	for (i = 0; i < op->n; i++) {
		const struct wait_word *w = &op->word[i];
		int what = whats[hash64(op->key, i) % 5];
		struct call c = {.pe = op->to,
				 .dest = (unsigned char *)run_at(op->dst) + i * size,
				 .cond = &w->old};

		if (op->from[i] == world.me)
			(void)run_atomic(op, &c, true, what,
					 what == A_ADD || what == A_FADD ? w->new - w->old
									 : w->new);
	}
}

static bool
status_done(const struct op *op, const int *status)
{
	size_t i;

	for (i = 0; i < op->n; i++)
		if (!status[i])
			return false;
	return true;
}

static void
note(const struct op *op, int *status, size_t i)
{
	if (i >= op->n || status[i])
		fail(op, "index %zu of %zu, which is not waited for", i, op->n);
	status[i] = 1;
}

/* @return what the call returns; 1: nothing */
static size_t
wait_once(const struct op *op, struct call *c)
{
	char name[32];

	snprintf(name, sizeof(name), "%s%s%s", op->test ? "test" : "wait_until",
		 wait_names[op->what], op->vector ? "_vector" : "");
	c->ret = 1;
	call_make(c, true, op->type, name);
	return c->ret;
}

/* Wait until each word was returned once. */
static void
wait_each(const struct op *op, struct call *c, int *status)
{
	size_t i, told;

	do {
		(void)wait_once(op, c);
		told = op->what == W_ANY ? c->ret != SIZE_MAX : c->ret;
		if (status_done(op, status) && c->ret == (op->what == W_ANY ? SIZE_MAX : 0))
			break;
		if (told == 0 && !op->test)
			fail(op, "returns %zu while words are waited for", c->ret);
		for (i = 0; i < told; i++)
			note(op, status, op->what == W_ANY ? c->ret : c->indices[i]);
		if (told == 0)
			sched_yield();
	} while (!status_done(op, status));
}

static void
wait_all(const struct op *op)
{
	uint64_t values[MAX_PES + 1];
	size_t size = types[op->type].size, i, indices[MAX_PES + 1];
	int status[MAX_PES + 1] = {0};
	struct call c = {.cmp = op->cmp,
			 .dest = run_at(op->dst),
			 .source = values,
			 .n = op->n,
			 .indices = indices,
			 .status = op->plain && op->what == W_ALL ? NULL : status};

	for (i = 0; i <= op->n; i++)
		memcpy((unsigned char *)values + i * size, &op->word[i < op->n ? i : 0].compare,
		       size);
	for (i = 0; i < op->n; i++)
		status[i] = op->from[i] < 0;
	if (op->what == W_ANY || op->what == W_SOME) {
		wait_each(op, &c, status);
		return;
	}
	while (wait_once(op, &c) == 0)
		;
}

void
run_wait(const struct op *op)
{
	update(op);
	if (op->to != world.me)
		return;
	wait_all(op);
	run_verify(op);
}
