/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The reference of the collectives.
 */
#include <stdlib.h>
#include <string.h>

#include "coll.h"
#include "ref.h"

/* One element of @p size bytes of a strided array. */
static void
copy_block(const struct op *op, int to, size_t at, int from, size_t source)
{
	size_t size = types[op->type].size, i;

	for (i = 0; i < op->n; i++)
		memcpy(ref_at(op->team.pe[to], op->dst) + (at + i) * size * (size_t)op->dst_stride,
		       ref_at(op->team.pe[from], op->src) +
			       (source + i) * size * (size_t)op->src_stride,
		       size);
}

static void
ref_move(struct op *op)
{
	size_t size = types[op->type].size, at;
	int to, from;

	for (to = 0; to < op->team.n; to++) {
		at = 0;
		for (from = 0; from < op->team.n; from++) {
			size_t n = coll_count(op, from);

			if (op->what == C_ALLTOALL || op->what == C_ALLTOALLS) {
				copy_block(op, to, (size_t)from * op->n, from, (size_t)to * op->n);
			} else if (op->what != C_BROADCAST) {
				memcpy(ref_at(op->team.pe[to], op->dst) + at * size,
				       ref_at(op->team.pe[from], op->src), n * size);
				at += n;
			} else if (from == op->third && !(op->aset && to == from)) {
				memcpy(ref_at(op->team.pe[to], op->dst),
				       ref_at(op->team.pe[from], op->src), n * size);
			}
		}
	}
}

static void
ref_fold(struct op *op)
{
	size_t len = op->n * types[op->type].size;
	unsigned char *acc = calloc(1, len + 1), *in = malloc(len + 1);
	int rank;

	if (acc == NULL || in == NULL)
		fail(op, "no memory for a reduction");
	for (rank = 0; rank < op->team.n; rank++) {
		memcpy(in, ref_at(op->team.pe[rank], op->src), len);
		if (op->what == C_EXSCAN)
			memcpy(ref_at(op->team.pe[rank], op->dst), acc, len);
		if (rank == 0)
			memcpy(acc, in, len);
		else
			coll_fold(op, acc, in);
		if (op->what == C_INSCAN)
			memcpy(ref_at(op->team.pe[rank], op->dst), acc, len);
	}
	for (rank = 0; rank < op->team.n && op->what < C_INSCAN; rank++)
		memcpy(ref_at(op->team.pe[rank], op->dst), acc, len);
	free(acc);
	free(in);
}

void
ref_coll(struct op *op)
{
	int rank;

	for (rank = 0; rank < op->team.n && op->fresh; rank++) {
		struct span src = coll_src(op, rank);

		if (op->what >= C_AND)
			coll_values(op, rank, ref_at(op->team.pe[rank], op->src));
		else if (op->what != C_BROADCAST || rank == op->third)
			ref_fresh(op, op->team.pe[rank], &src);
	}
	if (op->what >= C_AND)
		ref_fold(op);
	else
		ref_move(op);
	for (rank = 0; rank < op->team.n; rank++) {
		struct span dst = coll_dst(op, rank);

		ref_expect(op, op->team.pe[rank], &dst);
	}
}
