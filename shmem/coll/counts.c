/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "check.h"
#include "coll.h"
#include "ctx.h"
#include "guard.h"
#include "ring.h"
#include "shmemx.h"

/* Collectives in which each member gives as many elements as it likes, and others know how many. */

/* ---- collectv ---- */

static void
enter_counted(const struct coll_op *op, const void *dest)
{
	const struct shmemi_alike alike = {.dest = dest};

	if (shmemi.check && op->n > 1)
		(void)coll_check_enter(op, &alike, 0);
}

static void
gather_counted(const struct coll_op *op, void *dest, const void *source, const size_t *counts,
	       size_t size)
{
	size_t *table = malloc(2 * (size_t)op->n * sizeof(*table)), total = 0;
	const struct coll_blocks blocks = {.size = table, .offset = table + op->n};
	int i;

	if (table == NULL)
		shmemi_fatal(op->call, "no memory for the sizes of %d blocks", op->n);
	for (i = 0; i < op->n; i++) {
		table[i] = coll_bytes(op, counts[i], size);
		table[op->n + i] = total;
		if (__builtin_add_overflow(total, table[i], &total))
			shmemi_fatal(op->call, "the blocks exceed memory at member %d", i);
	}
	coll_check_dest(op, dest, total);
	if (op->n == 1 && total != 0)
		memcpy(dest, source, total);
	else if (total != 0)
		coll_gather_blocks(op, dest, source, &blocks);
	free(table);
}

static int
collect_counted(const char *call, shmem_team_t team, void *dest, const void *source,
		const size_t *counts, size_t size)
{
	struct shmemi_guard guard;
	struct coll_op op;

	if (!coll_begin(&op, call, team))
		return -1;
	if (counts == NULL)
		shmemi_fatal(call, "counts is NULL");
	COLL_GUARD(&op, &guard, -1);
	enter_counted(&op, dest);
	gather_counted(&op, dest, source, counts, size);
	coll_leave(&op);
	return coll_over();
}

/* ---- alltoallv ---- */

/** One side of the blocks of a member, by rank: in elements. */
struct side {
	const size_t *offset, *count;
};

struct trade {
	struct coll_op op;
	char *dest;
	const char *source;
	struct side to, from; /* to: symmetric, in dest */
	size_t size;	      /* of an element */
};

static void
check_trade(const struct trade *t)
{
	size_t table = (size_t)t->op.n * sizeof(size_t), last;
	int i;

	if (t->from.offset == NULL || t->from.count == NULL)
		shmemi_fatal(t->op.call, "src_offsets or src_counts is NULL");
	coll_check_dest(&t->op, t->to.offset, table);
	coll_check_dest(&t->op, t->to.count, table);
	for (i = 0; i < t->op.n; i++) {
		size_t at = coll_bytes(&t->op, t->to.offset[i], t->size);
		size_t len = coll_bytes(&t->op, t->to.count[i], t->size);

		if (__builtin_add_overflow(at, len, &last))
			shmemi_fatal(t->op.call, "the block of member %d exceeds memory", i);
		coll_check_dest(&t->op, t->dest + at, len);
	}
}

static void
get_word(const struct trade *t, int rank, size_t *to, const size_t *from)
{
	int pe = coll_pe(&t->op, rank), err = rb_get_nbi(coll_ctx(), pe, to, from, sizeof(*to));

	if (err != 0)
		shmemi_fail(t->op.call, err, pe, from, sizeof(*from));
}

/* Other members in turn, from the next one on: so that not all send to one at the same time. */
static int
next_rank(const struct trade *t, int turn)
{
	return (t->op.rank + turn) % t->op.n;
}

static void
put_counted(const struct trade *t, int rank, size_t offset, size_t count)
{
	size_t sends = t->from.count[rank], len = coll_bytes(&t->op, sends, t->size);
	const char *source = t->source + coll_bytes(&t->op, t->from.offset[rank], t->size);
	char *dest = t->dest + coll_bytes(&t->op, offset, t->size);
	int pe = coll_pe(&t->op, rank), err;

	if (sends != count)
		shmemi_fatal(t->op.call,
			     "member %d sends %zu elements to member %d, which takes %zu",
			     t->op.rank, sends, rank, count);
	if (len == 0)
		return;
	err = rb_put(coll_ctx(), pe, dest, source, len);
	if (err != 0)
		shmemi_fail(t->op.call, err, pe, dest, len);
}

/* Each asks the others where its blocks go, since they alone know, and puts them there. */
static void
trade_blocks(const struct trade *t)
{
	int n = t->op.n, turn;
	size_t *theirs = malloc(2 * (size_t)n * sizeof(*theirs));

	if (theirs == NULL)
		shmemi_fatal(t->op.call, "no memory for the places of %d blocks", n);
	coll_sync(&t->op); /* the tables of all are there, and their dest may be written */
	for (turn = 0; turn < n; turn++) {
		int rank = next_rank(t, turn);

		get_word(t, rank, &theirs[rank], &t->to.offset[t->op.rank]);
		get_word(t, rank, &theirs[n + rank], &t->to.count[t->op.rank]);
	}
	coll_quiet();
	for (turn = 0; turn < n; turn++) {
		int rank = next_rank(t, turn);

		put_counted(t, rank, theirs[rank], theirs[n + rank]);
	}
	coll_quiet();
	coll_sync(&t->op);
	free(theirs);
}

static int
alltoall_counted(struct trade *t, const char *call, shmem_team_t team)
{
	struct shmemi_guard guard;

	if (!coll_begin(&t->op, call, team))
		return -1;
	COLL_GUARD(&t->op, &guard, -1);
	enter_counted(&t->op, t->dest);
	check_trade(t);
	trade_blocks(t);
	coll_leave(&t->op);
	return coll_over();
}

#define COUNTED(T, cname, aname, bytes)                                                      \
	SHMEMX_API(int, cname,                                                               \
		   (shmem_team_t team, T * dest, const T *source, const size_t *counts))     \
	{                                                                                    \
		return collect_counted("shmemx_" #cname, team, dest, source, counts, bytes); \
	}                                                                                    \
	SHMEMX_API(int, aname,                                                               \
		   (shmem_team_t team, T * dest, const size_t *dst_offsets,                  \
		    const size_t *dst_counts, const T *source, const size_t *src_offsets,    \
		    const size_t *src_counts))                                               \
	{                                                                                    \
		struct trade t = {.dest = (char *)dest,                                      \
				  .source = (const char *)source,                            \
				  .to = {dst_offsets, dst_counts},                           \
				  .from = {src_offsets, src_counts},                         \
				  .size = (bytes)};                                          \
                                                                                             \
		return alltoall_counted(&t, "shmemx_" #aname, team);                         \
	}
#define COUNTED_TYPE(T, N, op) COUNTED(T, N##_collectv, N##_alltoallv, sizeof(T))

SHMEMI_TYPES_RMA(COUNTED_TYPE, _)
SHMEMX_TYPES_FLOAT16(COUNTED_TYPE, _)
COUNTED(void, collectvmem, alltoallvmem, 1)
