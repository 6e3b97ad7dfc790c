/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Calls as text.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "coll.h"
#include "make.h"
#include "ref.h"

enum {
	SHOW = 1200
};

struct text {
	char at[SHOW];
	size_t n;
};

static void say(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void
say(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->at + t->n, sizeof(t->at) - t->n, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->n += (size_t)n;
	if (t->n >= sizeof(t->at))
		t->n = sizeof(t->at) - 1;
}

static void
say_place(struct text *t, struct place at)
{
	static const char *const names[] = {"heap", "data", "own"};

	if (at.region < R_BLOCK)
		say(t, "%s+%zu", names[at.region], at.off);
	else
		say(t, "block%d+%zu", at.region - R_BLOCK, at.off);
}

static void
say_ctx(struct text *t, const struct op *op)
{
	if (op->ctx == NO_CTX)
		say(t, "%s", op->plain ? "" : "ctx(DEFAULT) ");
	else
		say(t, "ctx(%d, of %d PEs) ", op->ctx, op->team.n);
}

static void
say_team(struct text *t, const struct op *op)
{
	int i;

	if (op->aset)
		say(t, "active set %d %d %d, pSync %d", op->team.pe[0], op->stride, op->team.n,
		    op->psync);
	else
		say(t, "team %d", op->slot);
	say(t, " {");
	for (i = 0; i < op->team.n; i++)
		say(t, "%s%d", i == 0 ? "" : " ", op->team.pe[i]);
	say(t, "}");
}

static void
say_transfer(struct text *t, const struct op *op)
{
	static const char *const forms[FORMS] = {
		"p", "put", "put_nbi", "iput", "ibput", "store", "put_signal", "put_signal_nbi",
		"g", "get", "get_nbi", "iget", "ibget"};

	say_ctx(t, op);
	say(t, "%s_%s(", types[op->type].name, forms[op->form]);
	say_place(t, op->dst);
	say(t, ", ");
	say_place(t, op->src);
	if (form_strided(op->form))
		say(t, ", %td, %td, block %zu", op->dst_stride, op->src_stride, op->bsize);
	say(t, ", n %zu, PE %d)%s", op->n, op->to, op->fresh ? ", source filled before" : "");
}

static void
say_amo(struct text *t, const struct op *op)
{
	static const char *const whats[AMOS] = {
		"fetch",     "swap",	 "compare_swap", "fetch_inc", "fetch_add",
		"fetch_and", "fetch_or", "fetch_xor",	 "set",	      "inc",
		"add",	     "and",	 "or",		 "xor"};

	say_ctx(t, op);
	say(t, "%s%s_atomic_%s%s(", op->old ? "old " : "", types[op->type].name, whats[op->what],
	    op->nbi ? "_nbi" : "");
	if (op->nbi) {
		say_place(t, op->src);
		say(t, ", ");
	}
	say_place(t, op->dst);
	say(t, ", %#llx, %#llx, PE %d)", (unsigned long long)op->cond,
	    (unsigned long long)op->value, op->to);
}

static void
say_shared(struct text *t, const struct op *op)
{
	int pe;

	say(t, "all threads: %s %s ", types[op->type].name,
	    op->what == A_INC ? "inc and fetch_inc of" : "atomics on own bits of");
	say_place(t, op->dst);
	say(t, " of PE %d; times by PE:", op->to);
	for (pe = 0; pe < world.npes; pe++)
		say(t, " %d", op->from[pe]);
}

static void
say_message(struct text *t, const struct op *op)
{
	static const char *const whats[MESSAGES] = {
		"",
		" fence, signal",
		" fence, atomic",
		" fence, uint64_p",
		" quiet, atomic of the default context",
		" quiet, atomic of the default context at the one who gets the data,"};

	say_transfer(t, op);
	say(t, "%s%s ", whats[op->what], op->vector ? " add" : " set");
	say_place(t, op->sig);
	say(t, " from %#llx to %#llx; PE %d %s for that (%s)", (unsigned long long)op->ret,
	    (unsigned long long)op->value, ref_reader(op), op->test ? "tests" : "waits",
	    op->cmp == SHMEM_CMP_EQ ? "==" : "!=");
	if (op->what == M_QUIET_THIRD)
		say(t, " and gets %zu elements into own+%llu", op->n, (unsigned long long)op->cond);
}

static void
say_wait(struct text *t, const struct op *op)
{
	static const char *const whats[WAITS] = {"", "_all", "_any", "_some"};
	size_t i;

	say(t, "PE %d: %s_%s%s%s(", op->to, types[op->type].name, op->test ? "test" : "wait_until",
	    whats[op->what], op->vector ? "_vector" : "");
	say_place(t, op->dst);
	say(t, ", n %zu, cmp %d); words:", op->n, op->cmp);
	for (i = 0; i < op->n && op->word != NULL; i++)
		if (op->from[i] < 0)
			say(t, " (left out)");
		else
			say(t, " PE %d %#llx->%#llx cmp %#llx", op->from[i],
			    (unsigned long long)op->word[i].old,
			    (unsigned long long)op->word[i].new,
			    (unsigned long long)op->word[i].compare);
}

static void
say_coll(struct text *t, const struct op *op)
{
	static const char *const whats[COLLS] = {
		"broadcast",  "collect",     "fcollect",   "alltoall",	 "alltoalls",
		"and_reduce", "or_reduce",   "xor_reduce", "max_reduce", "min_reduce",
		"sum_reduce", "prod_reduce", "sum_inscan", "sum_exscan"};
	int i;

	say(t, "%s_%s(", types[op->type].name, whats[op->what]);
	say_team(t, op);
	say(t, ", ");
	say_place(t, op->dst);
	say(t, ", ");
	say_place(t, op->src);
	if (op->what == C_ALLTOALLS)
		say(t, ", %td, %td", op->dst_stride, op->src_stride);
	say(t, ", n %zu", op->n);
	for (i = 0; op->what == C_COLLECT && i < op->team.n; i++)
		say(t, "%s%zu", i == 0 ? ": " : " ", coll_count(op, i));
	if (op->what == C_BROADCAST)
		say(t, ", root %d", op->third);
	say(t, ")%s", op->fresh ? ", source filled before" : "");
}

static void
say_team_op(struct text *t, const struct op *op)
{
	static const char *const syncs[SYNCS] = {"quiet, team_sync", "quiet, sync_all",
						 "barrier_all", "quiet, sync", "barrier"};

	switch (op->kind) {
	case K_SYNC:
		say(t, "%s(", syncs[op->what]);
		say_team(t, op);
		say(t, ")");
		break;
	case K_SPLIT:
		say(t, "team %d = split_strided(team %d, %d, %d, %zu)", op->slot, op->parent,
		    op->start, op->stride, op->n);
		break;
	case K_SPLIT_2D:
		say(t, "teams from %d on = split_2d(team %d, %d)", op->from[0], op->parent,
		    op->start);
		break;
	case K_TEAM_END:
		say(t, "team_destroy(team %d)", op->slot);
		break;
	case K_CTX:
		say(t, "ctx %d = create_ctx(team %d, options %ld)", op->ctx, op->slot, op->options);
		break;
	default:
		say(t, "ctx_destroy(ctx %d)", op->ctx);
	}
}

static void
say_other(struct text *t, const struct op *op)
{
	switch (op->kind) {
	case K_LOCK:
		say(t, "under lock %d, count up %zu words at ", op->slot, op->n);
		say_place(t, op->dst);
		say(t, " of PE %d, %s", op->to, op->test ? "test_lock" : "set_lock");
		break;
	case K_OVERWRITE:
		say_ctx(t, op);
		say(t, "%zu puts with fences into %llu bytes at ", op->bsize,
		    (unsigned long long)op->value);
		say_place(t, op->dst);
		say(t, " of PE %d, from ", op->to);
		say_place(t, op->src);
		break;
	case K_FILL:
		say(t, "store %zu bytes at ", op->n);
		say_place(t, op->dst);
		break;
	case K_FENCE:
		say_ctx(t, op);
		say(t, "fence");
		break;
	case K_QUIET:
		say_ctx(t, op);
		say(t, op->n > 0 ? "pe_quiet of %zu PEs" : "quiet", op->n);
		break;
	case K_FREE:
		say(t, "free(block%d)", op->slot);
		break;
	default:
		say(t, "block%d = %s of %zu bytes", op->slot,
		    op->kind == K_REALLOC ? "realloc" : "malloc, calloc or align", op->n);
	}
}

void
show_op(const struct op *op, int epoch)
{
	struct text t = {.n = 0};

	say(&t, "[%d.%d", epoch, op->id);
	if (op->lane > 0)
		say(&t, " thread %d", op->lane);
	say(&t, "] ");
	if (op->kind <= K_AMO || op->kind == K_MESSAGE || op->kind == K_CTX ||
	    op->kind == K_CTX_END || (op->kind >= K_OVERWRITE && op->kind <= K_QUIET))
		say(&t, "PE %d: ", op->pe);
	if (op->kind == K_RMA)
		say_transfer(&t, op);
	else if (op->kind == K_AMO)
		say_amo(&t, op);
	else if (op->kind == K_SHARED_AMO)
		say_shared(&t, op);
	else if (op->kind == K_MESSAGE)
		say_message(&t, op);
	else if (op->kind == K_WAIT)
		say_wait(&t, op);
	else if (op->kind == K_COLL)
		say_coll(&t, op);
	else if (op->kind == K_SYNC || (op->kind >= K_SPLIT && op->kind <= K_CTX_END))
		say_team_op(&t, op);
	else
		say_other(&t, op);
	fprintf(stderr, "  %s\n", t.at);
}
