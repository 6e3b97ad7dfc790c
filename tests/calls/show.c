/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Calls as text.
 */
#include <stdarg.h>
#include <stdio.h>

#include "coll.h"
#include "make.h"
#include "ref.h"

enum {
	SHOW = 1200,
	WORDS = 4, /* of one say() */
};

struct text {
	char at[SHOW];
	size_t n;
	char word[WORDS][40];
	unsigned int words;
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

static const char *
place(struct text *t, struct place at)
{
	static const char *const names[] = {"heap",   "data",	"own",	 "block0",
					    "block1", "block2", "block3"};
	char *word = t->word[t->words++ % WORDS];

	snprintf(word, sizeof(t->word[0]), "%s+%zu", names[at.region], at.off);
	return word;
}

static const char *
context(struct text *t, const struct op *op)
{
	char *word = t->word[t->words++ % WORDS];

	if (op->ctx == NO_CTX)
		return op->plain ? "" : "ctx(DEFAULT) ";
	snprintf(word, sizeof(t->word[0]), "ctx(%d, of %d PEs) ", op->ctx, op->team.n);
	return word;
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
	for (i = 0; i < op->team.n; i++)
		say(t, "%s%d", i == 0 ? " {" : " ", op->team.pe[i]);
	say(t, "}");
}

void
show_rma(struct text *t, const struct op *op)
{
	say(t, "%s%s_%s(%s, %s", context(t, op), types[op->type].name, form_names[op->form],
	    place(t, op->dst), place(t, op->src));
	if (form_strided(op->form))
		say(t, ", %td, %td, block %zu", op->dst_stride, op->src_stride, op->bsize);
	say(t, ", n %zu, PE %d)%s", op->n, op->to, op->fresh ? ", source filled before" : "");
}

void
show_amo(struct text *t, const struct op *op)
{
	say(t, "%s%s%s_atomic_%s%s(", context(t, op), op->old ? "old " : "", types[op->type].name,
	    amo_names[op->what][0], op->nbi ? "_nbi" : "");
	if (op->nbi)
		say(t, "%s, ", place(t, op->src));
	say(t, "%s, %#llx, %#llx, PE %d)", place(t, op->dst), (unsigned long long)op->cond,
	    (unsigned long long)op->value, op->to);
}

void
show_shared_amo(struct text *t, const struct op *op)
{
	int pe;

	say(t, "all threads: %s %s %s of PE %d; times by PE:", types[op->type].name,
	    op->what == A_INC ? "inc and fetch_inc of" : "atomics on own bits of",
	    place(t, op->dst), op->to);
	for (pe = 0; pe < world.npes; pe++)
		say(t, " %d", op->from[pe]);
}

void
show_message(struct text *t, const struct op *op)
{
	static const char *const whats[MESSAGES] = {
		"",
		" fence, signal",
		" fence, atomic",
		" fence, uint64_p",
		" quiet, atomic of the default context",
		" quiet, atomic of the default context at the one who gets the data,"};

	show_rma(t, op);
	say(t, "%s%s %s from %#llx to %#llx; PE %d %s for that (%s)", whats[op->what],
	    op->vector ? " add" : " set", place(t, op->sig), (unsigned long long)op->ret,
	    (unsigned long long)op->value, ref_reader(op), op->test ? "tests" : "waits",
	    op->cmp == SHMEM_CMP_EQ ? "==" : "!=");
	if (op->what == M_QUIET_THIRD)
		say(t, " and gets %zu elements into own+%llu", op->n, (unsigned long long)op->cond);
}

void
show_wait(struct text *t, const struct op *op)
{
	size_t i;

	say(t, "PE %d: %s_%s%s%s(%s, n %zu, cmp %d); words:", op->to, types[op->type].name,
	    op->test ? "test" : "wait_until", wait_names[op->what], op->vector ? "_vector" : "",
	    place(t, op->dst), op->n, op->cmp);
	for (i = 0; i < op->n && op->word != NULL; i++)
		if (op->from[i] < 0)
			say(t, " (left out)");
		else
			say(t, " PE %d %#llx->%#llx cmp %#llx", op->from[i],
			    (unsigned long long)op->word[i].old,
			    (unsigned long long)op->word[i].new,
			    (unsigned long long)op->word[i].compare);
}

void
show_lock(struct text *t, const struct op *op)
{
	say(t, "under lock %d, count up %zu words at %s of PE %d, %s", op->slot, op->n,
	    place(t, op->dst), op->to, op->test ? "test_lock" : "set_lock");
}

void
show_overwrite(struct text *t, const struct op *op)
{
	say(t, "%s%zu puts with fences into %llu bytes at %s of PE %d, from %s", context(t, op),
	    op->bsize, (unsigned long long)op->value, place(t, op->dst), op->to, place(t, op->src));
}

void
show_fill(struct text *t, const struct op *op)
{
	say(t, "store %zu bytes at %s", op->n, place(t, op->dst));
}

void
show_fence(struct text *t, const struct op *op)
{
	say(t, "%sfence", context(t, op));
}

void
show_quiet(struct text *t, const struct op *op)
{
	say(t, op->n > 0 ? "%spe_quiet of %zu PEs" : "%squiet", context(t, op), op->n);
}

void
show_sync(struct text *t, const struct op *op)
{
	static const char *const syncs[SYNCS] = {"quiet, team_sync", "quiet, sync_all",
						 "barrier_all", "quiet, sync", "barrier"};

	say(t, "%s(", syncs[op->what]);
	say_team(t, op);
	say(t, ")");
}

void
show_coll(struct text *t, const struct op *op)
{
	int i;

	say(t, "%s_%s(", types[op->type].name, coll_names[op->what]);
	say_team(t, op);
	say(t, ", %s, %s", place(t, op->dst), place(t, op->src));
	if (op->what == C_ALLTOALLS)
		say(t, ", %td, %td", op->dst_stride, op->src_stride);
	say(t, ", n %zu", op->n);
	for (i = 0; op->what == C_COLLECT && i < op->team.n; i++)
		say(t, "%s%zu", i == 0 ? ": " : " ", coll_count(op, i));
	if (op->what == C_BROADCAST)
		say(t, ", root %d", op->third);
	say(t, ")%s", op->fresh ? ", source filled before" : "");
}

void
show_split(struct text *t, const struct op *op)
{
	say(t, "team %d = split_strided(team %d, %d, %d, %zu)", op->slot, op->parent, op->start,
	    op->stride, op->n);
}

void
show_split_2d(struct text *t, const struct op *op)
{
	say(t, "teams from %d on = split_2d(team %d, %d)", op->from[0], op->parent, op->start);
}

void
show_team_end(struct text *t, const struct op *op)
{
	say(t, "team_destroy(team %d)", op->slot);
}

void
show_ctx(struct text *t, const struct op *op)
{
	say(t, "ctx %d = create_ctx(team %d, options %ld)", op->ctx, op->slot, op->options);
}

void
show_ctx_end(struct text *t, const struct op *op)
{
	say(t, "ctx_destroy(ctx %d)", op->ctx);
}

void
show_heap(struct text *t, const struct op *op)
{
	if (op->kind == K_FREE)
		say(t, "free(block%d)", op->slot);
	else
		say(t, "block%d = %s of %zu bytes", op->slot,
		    op->kind == K_REALLOC ? "realloc" : "malloc, calloc or align", op->n);
}

void
show_op(const struct op *op, int epoch)
{
	struct text t = {.n = 0};

	say(&t, "[%d.%d", epoch, op->id);
	if (op->lane > 0)
		say(&t, " thread %d", op->lane);
	say(&t, "] ");
	if (kinds[op->kind].part == OF_PE || op->kind == K_MESSAGE)
		say(&t, "PE %d: ", op->pe);
	kinds[op->kind].show(&t, op);
	fprintf(stderr, "  %s\n", t.at);
}
