/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Calls as text: all in one form, of what struct op has of a call and what is not 0.
 */
#include <stdarg.h>
#include <stdio.h>

#include "calls.h"

enum {
	SHOW = 1200,
};

/* clang-format off */
#define FIELDS(X) X(n) X(bsize) X(dst_stride) X(src_stride) X(value) X(cond) X(cmp) X(what) X(third) \
	X(ctx) X(slot) X(parent) X(psync) X(start) X(stride) X(options) X(nbi) X(fresh) X(plain) X(old) \
	X(vector) X(test) X(aset)
#define SAY(field) if (op->field != 0) say(&t, " " #field " %lld,", (long long)op->field);
/* clang-format on */

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

/* Its name without its type; NULL: the kind says it. */
static const char *
name_of(const struct op *op)
{
	switch (op->kind) {
	case K_RMA:
	case K_MESSAGE:
		return form_names[op->form];
	case K_AMO:
	case K_SHARED_AMO:
		return amo_names[op->what][0];
	case K_WAIT:
		return wait_names[op->what];
	case K_COLL:
		return coll_names[op->what];
	default:
		return NULL;
	}
}

static void
say_place(struct text *t, const char *what, struct place at)
{
	static const char *const names[REGIONS] = {"heap",   "data",   "own",	 "block0",
						   "block1", "block2", "block3", "pSync"};

	say(t, " %s %s+%zu,", what, names[at.region], at.off);
}

/* Which PE changes each word of a wait, and how; how often each PE comes. */
static void
say_parts(struct text *t, const struct op *op)
{
	bool waits = op->kind == K_WAIT;
	int i, n = waits && op->word != NULL			    ? (int)op->n
		   : op->kind == K_LOCK || op->kind == K_SHARED_AMO ? world.npes
								    : 0;

	for (i = 0; i < n; i++) {
		say(t, "%s%d", i == 0 ? " from " : " ", op->from[i]);
		if (waits)
			say(t, ":%#llx->%#llx/%#llx", (unsigned long long)op->word[i].old,
			    (unsigned long long)op->word[i].new,
			    (unsigned long long)op->word[i].compare);
	}
}

void
show_op(const struct op *op, int epoch)
{
	struct text t = {.n = 0};
	int i;

	say(&t, "[%d.%d", epoch, op->id);
	if (op->lane > 0)
		say(&t, " thread %d", op->lane);
	say(&t, "] %s", kinds[op->kind].name);
	if (name_of(op) != NULL)
		say(&t, " %s_%s", types[op->type].name, name_of(op));
	say(&t, " PE %d to %d,", op->pe, op->to);
	say_place(&t, "dst", op->dst);
	say_place(&t, "src", op->src);
	say_place(&t, "sig", op->sig);
	FIELDS(SAY)
	for (i = 0; kinds[op->kind].part != OF_PE && i < op->team.n; i++)
		say(&t, "%s%d", i == 0 ? " team " : " ", op->team.pe[i]);
	say_parts(&t, op);
	fprintf(stderr, "  %s\n", t.at);
}
