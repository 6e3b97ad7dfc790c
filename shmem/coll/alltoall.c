/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>
#include <string.h>

#include "coll.h"

/*
 * Every member puts its blocks straight to their places, nearest ranks first and both ways round
 * at once, and sets its word at each target. The sync before it keeps stores out of memory that
 * is not yet lent, and a fast member out of the next call before all have done this one.
 */
struct exchange {
	const struct coll_op *op;
	char *dest;
	const char *source;
	struct coll_strides shape;
	char *packed; /* room for a block, or NULL */
};

static void
put(const struct coll_op *op, int rank, void *dest, const void *data, size_t len)
{
	int pe = coll_pe(op, rank);
	int err = rb_put(coll_ctx(), pe, dest, data, len);

	if (err != 0)
		shmemi_fail(op->call, err, pe, dest, len);
}

static char *
dest_at(const struct exchange *x, size_t k)
{
	size_t at = (size_t)x->op->rank * x->shape.nelems + k;

	return x->dest + at * (size_t)x->shape.dst * x->shape.size;
}

static const char *
source_at(const struct exchange *x, int rank, size_t k)
{
	size_t at = (size_t)rank * x->shape.nelems + k;

	return x->source + at * (size_t)x->shape.sst * x->shape.size;
}

static void
put_block(const struct exchange *x, int rank)
{
	size_t k, n = x->shape.nelems, size = x->shape.size;

	if (x->packed != NULL) {
		for (k = 0; k < n; k++)
			memcpy(x->packed + k * size, source_at(x, rank, k), size);
		put(x->op, rank, dest_at(x, 0), x->packed, n * size);
	} else {
		for (k = 0; k < n; k++)
			put(x->op, rank, dest_at(x, k), source_at(x, rank, k), size);
	}
	if (x->op->n <= COLL_BLOCKS)
		coll_post(x->op, rank, &x->op->state->mem->words.block[x->op->rank],
			  x->op->state->alltoalls);
}

static void
await_blocks(const struct coll_op *op)
{
	int rank;

	if (op->n > COLL_BLOCKS) {
		coll_quiet();
		coll_sync(op);
		return;
	}
	for (rank = 0; rank < op->n; rank++) {
		if (rank != op->rank)
			shmemi_wait_ge64(&op->state->mem->words.block[rank], op->state->alltoalls);
	}
}

static void
exchange(const struct exchange *x)
{
	const struct coll_op *op = x->op;
	size_t k;
	int distance, rank;

	for (k = 0; k < x->shape.nelems; k++)
		memcpy(dest_at(x, k), source_at(x, op->rank, k), x->shape.size);
	if (op->n == 1)
		return;
	coll_sync(op);
	op->state->alltoalls++;
	for (distance = 1; distance <= op->n / 2; distance++) {
		rank = op->rank + distance;
		put_block(x, rank >= op->n ? rank - op->n : rank);
		if (2 * distance == op->n)
			break;
		rank = op->rank - distance;
		put_block(x, rank < 0 ? rank + op->n : rank);
	}
	await_blocks(op);
}

static void
check(const struct coll_op *op, const void *dest, const struct coll_strides *shape)
{
	size_t last;

	if (shape->dst < 1 || shape->sst < 1)
		shmemi_fatal(op->call, "stride dst %td or sst %td is below 1", shape->dst,
			     shape->sst);
	last = coll_bytes(op, shape->nelems, (size_t)op->n) - 1;
	last = coll_bytes(op, last, (size_t)shape->dst);
	coll_check_dest(op, dest, coll_bytes(op, last + 1, shape->size));
}

static void
all_to_all(const struct coll_op *op, void *dest, const void *source,
	   const struct coll_strides *shape)
{
	struct exchange x = {.op = op, .dest = dest, .source = source, .shape = *shape};

	if (shape->dst == 1 && shape->sst == 1) {
		x.shape.size = shape->size * shape->nelems;
		x.shape.nelems = 1;
	} else if (shape->dst == 1) {
		x.packed = malloc(shape->size * shape->nelems);
		if (x.packed == NULL)
			shmemi_fatal(op->call, "no memory for a block of %zu bytes",
				     shape->size * shape->nelems);
	}
	exchange(&x);
	free(x.packed);
}

void
coll_alltoalls(const struct coll_op *op, void *dest, const void *source,
	       const struct coll_strides *shape)
{
	coll_enter(op, dest, shape->nelems * shape->size, (uint64_t)shape->dst);
	if (shape->nelems != 0) {
		check(op, dest, shape);
		all_to_all(op, dest, source, shape);
	}
	coll_leave(op);
}
