/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "local.h"

/*
 * Few bytes go through a step. More bytes are stored directly into dest, since a second copy would
 * cost: dest may be written before its owner calls (section 9.9), and the step after it announces
 * that they are there.
 */

enum {
	PUSH = 2 * 1024 /* bytes from which on */
};

#define COPY_WORDS(T)                                                                   \
	do {                                                                            \
		for (i = 0; i < n; i++, to += dst * sizeof(T), from += sst * sizeof(T)) \
			memcpy(to, from, sizeof(T));                                    \
	} while (0)

void
coll_copy_strided(void *dest, ptrdiff_t dst_elems, const void *source, ptrdiff_t sst_elems,
		  const struct coll_strides *shape)
{
	size_t dst = (size_t)dst_elems, sst = (size_t)sst_elems, n = shape->nelems, i;
	const char *from = source;
	char *to = dest;

	if (dst == 1 && sst == 1) {
		memcpy(to, from, n * shape->size);
		return;
	}
	/* of known size each is one load and one store */
	switch (shape->size) {
	case sizeof(uint32_t):
		COPY_WORDS(uint32_t);
		break;
	case sizeof(uint64_t):
		COPY_WORDS(uint64_t);
		break;
	default:
		for (i = 0; i < n; i++)
			memcpy(to + i * dst * shape->size, from + i * sst * shape->size,
			       shape->size);
	}
}

struct exchange {
	const struct coll_op *op;
	char *dest;
	const char *source;
	const struct coll_strides *shape;
};

/* Element @p k of the block that comes from the team's @p rank. */
static char *
dest_at(const struct exchange *x, int rank, size_t k)
{
	size_t at = (size_t)rank * x->shape->nelems + k;

	return x->dest + at * (size_t)x->shape->dst * x->shape->size;
}

/* Offset in a source of element @p k of the block for the team's @p rank. */
static size_t
source_at(const struct exchange *x, int rank, size_t k)
{
	size_t at = (size_t)rank * x->shape->nelems + k;

	return at * (size_t)x->shape->sst * x->shape->size;
}

/* Elements [k, k + n) of all blocks, through the rooms of a step. */
static void
exchange_piece(const struct exchange *x, size_t k, size_t n)
{
	const struct coll_op *op = x->op;
	struct coll_strides part = *x->shape;
	size_t len = n * part.size, total = len * (size_t)op->n;
	char *room = coll_step_room(op, total);
	int i, left;

	part.nelems = n;
	for (i = 0; i < op->n; i++)
		coll_copy_strided(room + (size_t)i * len, 1,
				  x->source + source_at(x, op->ranks[i], k), part.sst, &part);
	coll_step_enter(op, total, 0);
	for (left = op->n, i = op->rank; left > 0; left--, i = i + 1 == op->n ? 0 : i + 1) {
		coll_step_wait(op, i);
		coll_copy_strided(dest_at(x, op->ranks[i], k), part.dst,
				  (const char *)coll_step_data(op, i, total) +
					  (size_t)op->rank * len,
				  1, &part);
	}
	op->state->met = op->state->step;
}

void
coll_local_push(const struct coll_op *op, void *dest, const void *source,
		const struct coll_strides *shape)
{
	const struct exchange x = {.op = op, .dest = dest, .source = source, .shape = shape};
	size_t at = (size_t)(dest_at(&x, op->team->rank, 0) - x.dest);
	int i, left;

	for (left = op->n, i = op->rank; left > 0; left--, i = i + 1 == op->n ? 0 : i + 1) {
		char *to = i == op->rank ? dest : rb_ptr(dest, coll_step_pe(op, i));

		coll_copy_strided(to + at, shape->dst, x.source + source_at(&x, op->ranks[i], 0),
				  shape->sst, shape);
	}
}

bool
coll_local_reaches(const struct coll_op *op, const void *dest)
{
	return op->n == 1 || rb_ptr(dest, coll_step_pe(op, op->rank == 0 ? 1 : 0)) != NULL;
}

void
coll_local_alltoalls(const struct coll_op *op, void *dest, const void *source,
		     const struct coll_strides *shape)
{
	const struct exchange x = {.op = op, .dest = dest, .source = source, .shape = shape};
	size_t across = (size_t)op->n * shape->size, fit = COLL_STAGE / across, k, n;

	if (shape->nelems > PUSH / across && coll_local_reaches(op, dest)) {
		coll_local_push(op, dest, source, shape);
		coll_local_sync(op);
		return;
	}
	for (k = 0; k < shape->nelems; k += n) {
		n = shape->nelems - k < fit ? shape->nelems - k : fit;
		exchange_piece(&x, k, n);
	}
}
