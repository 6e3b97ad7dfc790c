/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <string.h>

#include "local.h"

/*
 * Few elements: every member that wants the result folds what all have contributed, in rank order,
 * so all get the same bits. Many: every member folds its part of the elements and stores the
 * results into the destinations of all. No other member touches that part of any member's memory,
 * so source and destination may be the same.
 */
enum {
	FOLD = 4 * COLL_STAGE, /* bytes that all members contribute up to which all fold all */
	ACC = 4 * 1024,	       /* bytes that are folded at a time: stay in the nearest cache */
};

struct fold {
	const struct coll_op *op;
	const struct coll_reduction *what;
	char *dest;
	const char *source;
	size_t n; /* elements */
	int root;
	enum coll_chain kind;
};

/* dest = what members 0..last have contributed. */
static void
fold_contributed(const struct fold *f, void *dest, size_t n, int last)
{
	size_t len = n * f->what->size;
	const void *first;
	int i;

	coll_step_wait(f->op, 0);
	first = coll_step_data(f->op, 0, len);
	if (last <= 0)
		memcpy(dest, first, len);
	for (i = 1; i <= last; i++) {
		coll_step_wait(f->op, i);
		f->what->combine(dest, i == 1 ? first : dest, coll_step_data(f->op, i, len), n);
	}
}

static void
fold_piece(const struct fold *f, size_t at, size_t n)
{
	size_t len = n * f->what->size;
	char *dest = f->dest + at * f->what->size;
	int rank = f->op->rank;

	coll_step_contribute(f->op, f->source + at * f->what->size, len);
	if (f->kind == COLL_EXSCAN && rank == 0)
		memset(dest, 0, len);
	else if (f->kind != COLL_REDUCE)
		fold_contributed(f, dest, n, f->kind == COLL_INSCAN ? rank : rank - 1);
	else if (f->root == COLL_ALL || f->root == rank)
		fold_contributed(f, dest, n, f->op->n - 1);
}

static void *
dest_of(const struct fold *f, int i)
{
	return i == f->op->rank ? f->dest : rb_ptr(f->dest, coll_step_pe(f->op, i));
}

static const char *
source_of(const struct fold *f, int i)
{
	const char *p = coll_step_data(f->op, i, f->n * f->what->size);

	if (p == NULL)
		shmemi_fail(f->op->call, -EFAULT, coll_step_pe(f->op, i), f->source,
			    f->n * f->what->size);
	return p;
}

/* [at, at + len) of the results of a reduction. */
static void
reduce_part(const struct fold *f, size_t at, size_t len)
{
	uint8_t acc[ACC] __attribute__((aligned(64)));
	const char *first = source_of(f, 0) + at;
	int i;

	for (i = 1; i < f->op->n; i++)
		f->what->combine(acc, i == 1 ? (const void *)first : acc, source_of(f, i) + at,
				 len / f->what->size);
	for (i = 0; i < f->op->n; i++)
		if (f->root == COLL_ALL || f->root == i)
			memcpy((char *)dest_of(f, i) + at, acc, len);
}

/* The same of a scan: a member's source has been read before its destination is written. */
static void
scan_part(const struct fold *f, size_t at, size_t len)
{
	uint8_t acc[2][ACC] __attribute__((aligned(64)));
	size_t n = len / f->what->size;
	int i;

	for (i = 0; i < f->op->n; i++) {
		const char *source = source_of(f, i) + at;
		char *dest = (char *)dest_of(f, i) + at;
		uint8_t *sum = acc[i % 2], *before = acc[(i + 1) % 2];

		if (i == 0)
			memcpy(sum, source, len);
		else
			f->what->combine(sum, before, source, n);
		if (f->kind == COLL_INSCAN)
			memcpy(dest, sum, len);
		else if (i > 0)
			memcpy(dest, before, len);
		else
			memset(dest, 0, len);
	}
}

/* This member's part: whole cache lines of elements. */
static void
do_part(const struct fold *f)
{
	size_t size = f->what->size, line = 64 / size, len = f->n * size, part, at, end, n;

	part = (f->n + (size_t)f->op->n - 1) / (size_t)f->op->n;
	part = (part + line - 1) / line * line * size;
	at = part * (size_t)f->op->rank;
	end = at + part < len ? at + part : len;
	for (; at < end; at += n) {
		n = end - at < ACC ? end - at : ACC;
		if (f->kind == COLL_REDUCE)
			reduce_part(f, at, n);
		else
			scan_part(f, at, n);
	}
}

/* @return false, on all members, where one's memory is out of another's reach */
static bool
by_parts(const struct fold *f)
{
	const struct coll_op *op = f->op;
	int i;

	if (f->what->local || !coll_local_reaches(op, f->dest))
		return false;
	coll_step_room(op, 0);
	coll_step_enter(op, 0, rb_sym_name(f->source, f->n * f->what->size));
	for (i = 0; i < op->n; i++)
		if (coll_step_wait(op, i)->at == 0)
			return false;
	op->state->met = op->state->step;
	do_part(f);
	coll_local_sync(op);
	return true;
}

static void
fold_pieces(const struct fold *f)
{
	size_t size = f->what->size, len = f->n * size, most = COLL_STAGE / size, at, n;

	if ((len > COLL_STAGE || len * (size_t)f->op->n > FOLD) && by_parts(f))
		return;
	for (at = 0; at < f->n; at += n) {
		n = f->n - at < most ? f->n - at : most;
		fold_piece(f, at, n);
	}
}

void
coll_local_reduce(const struct coll_op *op, void *dest, const void *source, size_t n,
		  const struct coll_reduction *what, int root)
{
	const struct fold f = {op, what, dest, source, n, root, COLL_REDUCE};

	if (op->n > 1)
		fold_pieces(&f);
	else if (dest != source)
		memcpy(dest, source, n * what->size);
}

void
coll_local_scan(const struct coll_op *op, void *dest, const void *source, size_t n,
		const struct coll_reduction *what, enum coll_chain kind)
{
	const struct fold f = {op, what, dest, source, n, COLL_ALL, kind};

	fold_pieces(&f);
}
