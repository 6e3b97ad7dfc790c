/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Fences, messages, waits as C.
 */
#include <stdio.h>

#include "make.h"
#include "ref.h"
#include "write.h"

void
write_fence(const struct op *op, int pe)
{
	(void)pe;
	if (op->plain && op->ctx == NO_CTX)
		out("\t\tshmem_fence();\n");
	else
		out("\t\tshmem_ctx_fence(%s);\n", write_handle(op));
}

void
write_quiet_op(const struct op *op, int pe)
{
	struct team targets = {0};
	bool plain = op->plain && op->ctx == NO_CTX;
	size_t i;

	if (op->n == 0) {
		if (plain)
			out("\t\tshmem_quiet();\n");
		else
			out("\t\tshmem_ctx_quiet(%s);\n", write_handle(op));
		write_quiet(pe, op->lane, op->ctx, NULL);
		return;
	}
	out("\t\tstatic const int pes[] = {");
	for (i = 0; i < op->n; i++) {
		targets.pe[targets.n++] = op->team.pe[op->from[i]];
		out("%s%d", i == 0 ? "" : ", ", op->from[i]);
	}
	out("};\n\n\t\t%spe_quiet(%s%spes, %zu);\n", write_prefix(op),
	    plain ? "" : write_handle(op), plain ? "" : ", ", op->n);
	write_quiet(pe, op->lane, op->ctx, &targets);
}

/* ---- messages ---- */

static void
write_send(const struct op *op)
{
	uint64_t add = op->value - op->ret, value = op->vector ? add : op->value;
	int to = team_rank(&op->team, op->to);
	char sig[160];

	snprintf(sig, sizeof(sig), ", (uint64_t *)(%s), %#llxu, SHMEM_SIGNAL_%s",
		 write_place(op->sig), (unsigned long long)value, op->vector ? "ADD" : "SET");
	write_transfer(op, op->form, op->what == M_SIGNAL ? sig : "");
	if (op->what == M_SIGNAL)
		return;
	snprintf(sig, sizeof(sig), "(uint64_t *)(%s), %#llxu", write_place(op->sig),
		 (unsigned long long)value);
	if (op->what >= M_QUIET_AMO) {
		out("\t\tshmem_ctx_quiet(%s);\n", write_handle(op));
		write_quiet(op->pe, op->lane, op->ctx, NULL);
		out("\t\tshmem_uint64_atomic_%s(%s, %d);\n", op->vector ? "add" : "set", sig,
		    ref_reader(op));
		return;
	}
	out("\t\tshmem_ctx_fence(%s);\n", write_handle(op));
	if (op->what == M_FENCE_P)
		out("\t\tshmem_ctx_uint64_p(%s, (uint64_t *)(%s), %#llxu, %d);\n", write_handle(op),
		    write_place(op->sig), (unsigned long long)op->value, to);
	else
		out("\t\tshmem_ctx_%s_%s(%s, %s, %d);\n",
		    op->what == M_FENCE_SIGNAL ? "signal" : "uint64_atomic",
		    op->vector ? "add" : "set", write_handle(op), sig, to);
}

void
write_message(const struct op *op, int pe)
{
	const char *cmp = op->cmp == SHMEM_CMP_EQ ? "SHMEM_CMP_EQ" : "SHMEM_CMP_NE";
	unsigned long long with = op->cmp == SHMEM_CMP_EQ ? op->value : op->ret;

	if (op->pe == pe)
		write_send(op);
	if (ref_reader(op) != pe)
		return;
	if (op->test)
		out("\t\twhile (!shmem_uint64_test((uint64_t *)(%s), %s, %#llxu))\n\t\t\t;\n",
		    write_place(op->sig), cmp, with);
	else
		out("\t\t%s((uint64_t *)(%s), %s, %#llxu);\n",
		    op->key % 2 ? "(void)shmem_signal_wait_until" : "shmem_uint64_wait_until",
		    write_place(op->sig), cmp, with);
	if (op->what == M_QUIET_THIRD && op->n > 0)
		out("\t\tshmem_getmem(%s, %s, %zu, %d);\n", write_place(ref_read(op).at),
		    write_place(op->dst), op->n * types[op->type].size, op->to);
	write_looks(op, pe);
}

/* ---- waits ---- */

static void
write_updates(const struct op *op, int pe)
{
	static const char *const whats[] = {"set", "add", "swap", "compare_swap", "fetch_add"};
	size_t i;

	for (i = 0; i < op->n; i++) {
		const struct wait_word *w = &op->word[i];
		struct place at = {op->dst.region, op->dst.off + i * types[op->type].size};
		size_t what = hash64(op->key, i) % 5;
		bool adds = what == 1 || what == 4;

		if (op->from[i] != pe)
			continue;
		out("\t\t%sshmem_%s_atomic_%s(%s, ", what < 2 ? "" : "(void)", types[op->type].name,
		    whats[what], write_typed(op, at));
		if (what == 3)
			out("BITS(%s, %#llxu), ", types[op->type].c, (unsigned long long)w->old);
		out("BITS(%s, %#llxu), %d);\n", types[op->type].c,
		    (unsigned long long)(adds ? w->new - w->old : w->new), op->to);
	}
}

/* The arguments after the array: how many, which are left out, comparison, values. */
static void
write_wait_call(const struct op *op)
{
	static const char *const whats[WAITS] = {"", "_all", "_any", "_some"};

	out("shmem_%s_%s%s%s(%s", types[op->type].name, op->test ? "test" : "wait_until",
	    whats[op->what], op->vector ? "_vector" : "", write_typed(op, op->dst));
	if (op->what != W_ONE)
		out(", %zu%s, %s", op->n, op->what == W_SOME ? ", found" : "",
		    op->plain && op->what == W_ALL ? "NULL" : "status");
	out(", %d, %s)", op->cmp, op->vector ? "value" : "value[0]");
}

static void
write_wait_arrays(const struct op *op)
{
	size_t i;

	out("\t\t%s value[] = {", types[op->type].c);
	for (i = 0; i <= op->n; i++)
		out("%sBITS(%s, %#llxu)", i == 0 ? "" : ", ", types[op->type].c,
		    (unsigned long long)op->word[i < op->n ? i : 0].compare);
	out("};\n\t\tint status[] = {");
	for (i = 0; i < op->n; i++)
		out("%d, ", op->from[i] < 0);
	out("0};\n\n\t\t(void)status;\n");
}

/* The call, repeated until it has returned each word. */
static void
write_wait_each(const struct op *op)
{
	size_t i, left = 0;

	for (i = 0; i < op->n; i++)
		left += op->from[i] >= 0;
	out("\t\tsize_t left = %zu, found[%zu], n, i;\n\n\t\tdo {\n\t\t\tn = ", left, op->n + 1);
	write_wait_call(op);
	out(";\n");
	if (op->what == W_ANY)
		out("\t\t\tfound[0] = n;\n\t\t\tn = n != SIZE_MAX;\n");
	out("\t\t\tfor (i = 0; i < n; i++, left--) {\n");
	out("\t\t\t\tif (found[i] >= %zu || status[found[i]])\n", op->n);
	out("\t\t\t\t\twrong(\"%d.%d\", \"index %%zu is not waited for\", found[i]);\n",
	    write_now->number, op->id);
	out("\t\t\t\tstatus[found[i]] = 1;\n\t\t\t}\n\t\t\tif (n == 0)\n\t\t\t\tsched_yield();\n");
	out("\t\t} while (left > 0);\n");
}

void
write_wait(const struct op *op, int pe)
{
	write_updates(op, pe);
	if (op->to != pe)
		return;
	write_wait_arrays(op);
	if (op->what == W_ANY || op->what == W_SOME) {
		write_wait_each(op);
	} else if (op->test) {
		out("\t\twhile (!");
		write_wait_call(op);
		out(")\n\t\t\t;\n");
	} else {
		out("\t\t");
		write_wait_call(op);
		out(";\n");
	}
	write_looks(op, pe);
}
