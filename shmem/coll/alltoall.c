/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>
#include <string.h>

#include "coll.h"

/*
 * Every member puts its blocks straight to their places, nearest ranks first and both ways round
 * at once, and each put adds one to the counter of its target. The sync before it keeps a fast
 * member's next call from being counted in this one, and stores out of memory not yet lent.
 */
struct exchange {
	const struct coll_op *op;
	char *dest;
	const char *source;
	struct coll_strides shape;
	char *packed; /* room for a block, or NULL */
};

static void
put_and_count(const struct coll_op *op, int rank, void *dest, const void *data, size_t len)
{
	int pe = coll_pe(op, rank);
	int err = rb_put_signal(coll_ctx(), pe, dest, data, len, &op->state->mem->words.alltoall, 1,
				RB_AMO_ADD, false);

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
put_elements(const struct exchange *x, int rank)
{
	int pe = coll_pe(x->op, rank), err;
	size_t k, size = x->shape.size;

	for (k = 0; k < x->shape.nelems; k++) {
		err = rb_put(coll_ctx(), pe, dest_at(x, k), source_at(x, rank, k), size);
		if (err != 0)
			shmemi_fail(x->op->call, err, pe, dest_at(x, k), size);
	}
	/* The count vouches for the elements. */
	coll_fence();
	put_and_count(x->op, rank, NULL, NULL, 0);
}

static void
put_block(const struct exchange *x, int rank)
{
	size_t k, size = x->shape.size, len = size * x->shape.nelems;

	if (x->shape.dst != 1) {
		put_elements(x, rank);
		return;
	}
	if (x->packed == NULL) {
		put_and_count(x->op, rank, dest_at(x, 0), source_at(x, rank, 0), len);
		return;
	}
	for (k = 0; k < x->shape.nelems; k++)
		memcpy(x->packed + k * size, source_at(x, rank, k), size);
	put_and_count(x->op, rank, dest_at(x, 0), x->packed, len);
}

static void
exchange(const struct exchange *x)
{
	const struct coll_op *op = x->op;
	struct coll_team *state = op->state;
	size_t k, size = x->shape.size;
	int distance, rank;

	if (op->n > 1)
		coll_sync(op);
	for (distance = 1; distance <= op->n / 2; distance++) {
		rank = op->rank + distance;
		put_block(x, rank >= op->n ? rank - op->n : rank);
		if (2 * distance == op->n)
			break;
		rank = op->rank - distance;
		put_block(x, rank < 0 ? rank + op->n : rank);
	}
	for (k = 0; k < x->shape.nelems; k++)
		memcpy(dest_at(x, k), source_at(x, op->rank, k), size);
	if (op->n == 1)
		return;
	state->alltoalls += (uint64_t)op->n - 1;
	shmemi_wait_ge64(&state->mem->words.alltoall, state->alltoalls);
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

void
coll_alltoalls(const struct coll_op *op, void *dest, const void *source,
	       const struct coll_strides *shape)
{
	struct exchange x = {.op = op, .dest = dest, .source = source, .shape = *shape};

	if (shape->nelems == 0)
		return;
	check(op, dest, shape);
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
