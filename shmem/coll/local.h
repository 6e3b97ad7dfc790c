/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_LOCAL_H
#define COLL_LOCAL_H

/**
 * @file
 * The collectives among members that share memory, in steps (step.h). Data that fits a step is
 * copied into it and costs one step. Larger data stays where it is: the other members copy it from
 * there, and a second step says that they have. Data in memory that they do not map goes piece by
 * piece through the buffers of the steps.
 *
 * All take the op of a group: coll_group(). Blocks of dest and source are numbered by the ranks
 * in the team.
 */

#include "step.h"

enum {
	COLL_ALL = -1, /**< for @p root: every member gets the result */
};

void coll_local_sync(const struct coll_op *op);
/** @p root: place in the group. */
void coll_local_broadcast(const struct coll_op *op, void *dest, const void *source, size_t len,
			  int root);
/** @p source: this member's block. */
void coll_local_collect(const struct coll_op *op, void *dest, const void *source,
			const struct coll_blocks *blocks, int root);
/** The same where members know only the size of their own block, and all are in one group. */
void coll_local_collect_uneven(const struct coll_op *op, void *dest, const void *source,
			       size_t len);
/** shape->nelems elements, shape's size, with strides of their own. */
void coll_copy_strided(void *dest, ptrdiff_t dst, const void *source, ptrdiff_t sst,
		       const struct coll_strides *shape);
void coll_local_alltoalls(const struct coll_op *op, void *dest, const void *source,
			  const struct coll_strides *shape);
/** Store this member's blocks into the dest of all in the group, without a step. */
void coll_local_push(const struct coll_op *op, void *dest, const void *source,
		     const struct coll_strides *shape);
/** Is dest of the other members in reach, and this member's in theirs? Alike on all. */
bool coll_local_reaches(const struct coll_op *op, const void *dest);
void coll_local_reduce(const struct coll_op *op, void *dest, const void *source, size_t n,
		       const struct coll_reduction *what, int root);
void coll_local_scan(const struct coll_op *op, void *dest, const void *source, size_t n,
		     const struct coll_reduction *what, enum coll_chain kind);

#endif /* COLL_LOCAL_H */
