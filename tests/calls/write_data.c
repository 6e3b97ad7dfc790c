/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Puts, gets, atomics and locks as C.
 */
#include <stdio.h>

#include "make.h"
#include "ref.h"
#include "write.h"

enum {
	STRINGS = 8,
	LENGTH = 120,
};

static char *
next_string(void)
{
	static char string[STRINGS][LENGTH];
	static int next;

	return string[next++ % STRINGS];
}

const char *
write_place(struct place at)
{
	static const char *const names[] = {"heap", "data", "own"};
	char *s = next_string();

	if (at.region < R_BLOCK)
		snprintf(s, LENGTH, "%s + %zu", names[at.region], at.off);
	else
		snprintf(s, LENGTH, "block[%d] + %zu", at.region - R_BLOCK, at.off);
	return s;
}

const char *
write_typed(const struct op *op, struct place at)
{
	char *s = next_string();

	if (op->type >= T_SIZED)
		snprintf(s, LENGTH, "%s", write_place(at));
	else
		snprintf(s, LENGTH, "(%s *)(%s)", types[op->type].c, write_place(at));
	return s;
}

const char *
write_prefix(const struct op *op)
{
	return op->plain && op->ctx == NO_CTX ? "shmem_" : "shmem_ctx_";
}

const char *
write_handle(const struct op *op)
{
	char *s = next_string();

	if (op->ctx == NO_CTX)
		return "SHMEM_CTX_DEFAULT";
	snprintf(s, LENGTH, "ctx[%d]", op->ctx);
	return s;
}

const char *
write_ctx(const struct op *op)
{
	char *s = next_string();

	s[0] = '\0';
	if (op->ctx != NO_CTX || !op->plain)
		snprintf(s, LENGTH, "%s, ", write_handle(op));
	return s;
}

/* put64_nbi, putmem_signal, int_put: the type stands in the middle of some, before others */
static const char *
name_of(const struct op *op, int form)
{
	static const char *const verbs[FORMS] = {"p",	"put",	"put",	"iput", "ibput",
						 "put", "put",	"put",	"g",	"get",
						 "get", "iget", "ibget"};
	static const char *const tails[FORMS] = {[F_PUT_NBI] = "_nbi",
						 [F_PUT_SIGNAL] = "_signal",
						 [F_PUT_SIGNAL_NBI] = "_signal_nbi",
						 [F_GET_NBI] = "_nbi"};
	const char *tail = tails[form] == NULL ? "" : tails[form];
	char *s = next_string();

	if (op->type < T_SIZED)
		snprintf(s, LENGTH, "%s_%s%s", types[op->type].name, verbs[form], tail);
	else
		snprintf(s, LENGTH, "%s%s%s", verbs[form], types[op->type].name, tail);
	return s;
}

static void
write_store(const struct op *op, int pe)
{
	out("\t\t{\n\t\t\tvoid *direct = shmem_ptr(%s, %d);\n\n", write_place(op->dst), pe);
	out("\t\t\tif (direct != NULL)\n\t\t\t\tmemcpy(direct, %s, %zu);\n\t\t\telse\n",
	    write_place(op->src), op->n);
	out("\t\t\t\tshmem_putmem(%s, %s, %zu, %d);\n\t\t}\n", write_place(op->dst),
	    write_place(op->src), op->n, pe);
}

static void
write_padding(const struct op *op, int pe)
{
	if (op->form == F_G) {
		out("\t\tclear_padding(%s, 1);\n", write_place(op->dst));
		return;
	}
	out("\t\tshmem_ctx_fence(%s);\n", write_handle(op));
	out("\t\t%sputmem(%s%s + LD_VALUE, (char[LD_PADDING]){0}, LD_PADDING, %d);\n",
	    write_prefix(op), write_ctx(op), write_place(op->dst), pe);
}

static void
write_call(const struct op *op, int form, const char *signal, int pe)
{
	const char *dst = write_typed(op, op->dst), *src = write_typed(op, op->src);

	if (form == F_G) {
		out("\t\t*%s = %s%s(%s%s, %d);\n", dst, write_prefix(op), name_of(op, form),
		    write_ctx(op), src, pe);
		return;
	}
	out("\t\t%s%s(%s%s, %s%s", write_prefix(op), name_of(op, form), write_ctx(op), dst,
	    form == F_P ? "*" : "", src);
	if (form_strided(form))
		out(", %td, %td", op->dst_stride, op->src_stride);
	if (form == F_IBPUT || form == F_IBGET)
		out(", %zu", op->bsize);
	if (form != F_P)
		out(", %zu", op->n);
	out("%s, %d);\n", signal, pe);
}

void
write_transfer(const struct op *op, int form, const char *signal)
{
	struct span source = op_src(op);
	int pe = team_rank(&op->team, op->to);

	if (!form_gets(form))
		write_fresh(op, &source);
	if (form == F_STORE) {
		write_store(op, pe);
		return;
	}
	write_call(op, form, signal, pe);
	if (op_pads(op))
		write_padding(op, pe);
}

void
write_rma(const struct op *op, int pe)
{
	write_transfer(op, op->form, "");
	if (op->nbi)
		write_looks_later(op);
	else
		write_looks(op, pe);
}

void
write_overwrite(const struct op *op, int pe)
{
	struct span src = op_src(op);
	size_t i;

	(void)pe;
	write_fresh(op, &src);
	for (i = 0; i < op->bsize; i++) {
		int form;
		struct op put = ref_overwrite_put(op, i, &form);

		if (i > 0)
			out("\t\tshmem_ctx_fence(%s);\n", write_handle(op));
		write_transfer(&put, form, "");
	}
}

void
write_fill(const struct op *op, int pe)
{
	(void)pe;
	out("\t\tworld_pattern(%s, %zu, %#llxu);\n", write_place(op->dst), op->n,
	    (unsigned long long)op->key);
}

static const char *const amo_names[AMOS] = {
	"fetch",     "swap", "compare_swap", "fetch_inc", "fetch_add", "fetch_and", "fetch_or",
	"fetch_xor", "set",  "inc",	     "add",	  "and",       "or",	    "xor"};

/* The call, from its name to the semicolon. */
static void
write_amo_call(const struct op *op, int what, uint64_t value)
{
	static const char *const old[AMOS] = {"fetch", "swap",		"cswap", "finc",
					      "fadd",  [A_SET] = "set", "inc",	 "add"};
	const char *c = types[op->type].c;

	if (op->old)
		out("shmem_%s_%s(", types[op->type].name, old[what]);
	else
		out("%s%s_atomic_%s%s(%s", write_prefix(op), types[op->type].name, amo_names[what],
		    op->nbi ? "_nbi" : "", write_ctx(op));
	if (op->nbi)
		out("%s, ", write_typed(op, op->src));
	out("%s", write_typed(op, op->dst));
	if (what == A_CSWAP)
		out(", BITS(%s, %#llxu)", c, (unsigned long long)op->cond);
	if (what != A_FETCH && what != A_FINC && what != A_INC)
		out(", BITS(%s, %#llxu)", c, (unsigned long long)value);
	out(", %d);\n", team_rank(&op->team, op->to));
}

void
write_amo(const struct op *op, int pe)
{
	(void)pe;
	if (op->what >= A_SET || op->nbi) {
		out("\t\t");
		write_amo_call(op, op->what, op->value);
		if (op->nbi)
			write_looks_later(op);
		return;
	}
	out("\t\t%s was = ", types[op->type].c);
	write_amo_call(op, op->what, op->value);
	out("\n\t\treturned(\"%d.%d\", &was, sizeof(was), %#llxu);\n", write_now->number, op->id,
	    (unsigned long long)op->ret);
}

static void
write_own_bit(const struct op *op, unsigned int bit)
{
	static const int whats[4][2] = {
		{A_OR, A_FOR}, {A_AND, A_FAND}, {A_XOR, A_FXOR}, {A_ADD, A_FADD}};
	uint64_t mask = (uint64_t)1 << bit, was = op->ret & mask, value = mask;
	bool fetch = (hash64(op->key, bit) & 1) != 0;

	if (bit % 4 == 1)
		value = ~mask;
	else if (bit % 4 == 3 && was != 0)
		value = -mask;
	if (!fetch) {
		out("\t\t");
		write_amo_call(op, whats[bit % 4][0], value);
		return;
	}
	out("\t\t{\n\t\t\t%s was = ", types[op->type].c);
	write_amo_call(op, whats[bit % 4][1], value);
	out("\n\t\t\twas &= (%s)%#llxu; /* nobody else changes this bit */\n", types[op->type].c,
	    (unsigned long long)mask);
	out("\t\t\treturned(\"%d.%d\", &was, sizeof(was), %#llxu);\n\t\t}\n", write_now->number,
	    op->id, (unsigned long long)was);
}

void
write_shared_amo(const struct op *op, int pe, int lane)
{
	struct op call = *op;
	int i;

	call.plain = op->key % 2 == 0;
	for (i = 0; i < op->from[pe]; i++) {
		if (op->what == A_OR)
			write_own_bit(&call, ref_shared_bit(op, pe, lane, i));
		else if (hash64(op->key, (uint64_t)i) % 2)
			out("\t\tshmem_%s_atomic_inc(%s, %d);\n", types[op->type].name,
			    write_typed(op, op->dst), op->to);
		else
			out("\t\t(void)shmem_%s_atomic_fetch_inc(%s, %d);\n", types[op->type].name,
			    write_typed(op, op->dst), op->to);
	}
}

static const char *
record_at(const struct op *op)
{
	char *s = next_string();

	snprintf(s, LENGTH, "%s, copy, sizeof(copy), %d", write_place(op->dst), op->to);
	return s;
}

void
write_lock(const struct op *op, int pe)
{
	if (op->from[pe] == 0)
		return;
	out("\t\tuint64_t copy[%zu], first[%zu];\n\t\tint turn, i;\n\n\t\t", op->n, op->n);
	write_bytes("(unsigned char *)first", op->range[0].bytes, op->n * 8);
	out("\t\tfor (turn = 0; turn < %d; turn++) {\n", op->from[pe]);
	if (op->test)
		out("\t\t\twhile (shmem_test_lock(&locks[%d]) != 0)\n\t\t\t\t;\n", op->slot);
	else
		out("\t\t\tshmem_set_lock(&locks[%d]);\n", op->slot);
	out("\t\t\tshmem_getmem(copy, %s, sizeof(copy), %d);\n", write_place(op->dst), op->to);
	out("\t\t\tfor (i = 0; i < %zu; i++)\n", op->n);
	out("\t\t\t\tif (copy[i] - first[i] != copy[0] - first[0])\n");
	out("\t\t\t\t\twrong(\"%d.%d\", \"word %%d was counted up %%lld times, the first "
	    "one %%lld\", i,\n\t\t\t\t\t      (long long)(copy[i] - first[i]), (long "
	    "long)(copy[0] - first[0]));\n",
	    write_now->number, op->id);
	out("\t\t\tfor (i = 0; i < %zu; i++)\n\t\t\t\tcopy[i]++;\n", op->n);
	out("\t\t\tshmem_putmem(%s);\n\t\t\tif (turn %% 2)\n", record_at(op));
	out("\t\t\t\tshmem_quiet();\n\t\t\tshmem_clear_lock(&locks[%d]);\n\t\t}\n", op->slot);
}
