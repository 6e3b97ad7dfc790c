/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_H
#define COLL_H

/**
 * @file
 * The collectives of whole teams, wherever the members sit (two_level.c, two_level_scan.c,
 * alltoall.c, sync.c). They check nothing: that is for call.h.
 *
 * Members that share memory meet in it, in steps (step.h, local.h); one of them, the leader,
 * carries on between the hosts (map.h, hosts.h; two_level.c). Those stand in a row or a grid by the
 * graph of cables (grid.h), so a message to the next one crosses few links, often one. A chain of
 * neighbours loads every link once; recursive doubling would load the middle ones with everything.
 */

#include "op.h"

void coll_sync(const struct coll_op *op);
void coll_broadcast(const struct coll_op *op, void *dest, const void *source, size_t len, int root);
/** @p exact: all members give the same @p len. */
void coll_collect(const struct coll_op *op, void *dest, const void *source, size_t len, bool exact);
void coll_alltoalls(const struct coll_op *op, void *dest, const void *source,
		    const struct coll_strides *shape);
void coll_reduce(const struct coll_op *op, void *dest, const void *source, size_t n,
		 const struct coll_reduction *what);
void coll_scan(const struct coll_op *op, void *dest, const void *source, size_t n,
	       const struct coll_reduction *what, enum coll_chain kind);

#endif /* COLL_H */
