/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_CALL_H
#define COLL_CALL_H

/**
 * @file
 * The collectives as the API has them: arguments checked (enter.h), and in checked mode whether all
 * members make the same call.
 */

#include "op.h"

int coll_call_sync(const struct coll_op *op);
/** As a posted collective, which only other posted ones meet. */
int coll_call_sync_posted(const struct coll_op *op);
int coll_call_broadcast(const struct coll_op *op, void *dest, const void *source, size_t len,
			int root);
/** Stores the root's own dest too, as calls on a team do; those on an active set do not. */
int coll_call_broadcast_to_all(const struct coll_op *op, void *dest, const void *source, size_t len,
			       int root);
int coll_call_collect(const struct coll_op *op, void *dest, const void *source, size_t len,
		      bool exact);
int coll_call_alltoalls(const struct coll_op *op, void *dest, const void *source,
			const struct coll_strides *shape);
int coll_call_reduce(const struct coll_op *op, void *dest, const void *source, size_t n,
		     const struct coll_reduction *what);
int coll_call_reproduce(const struct coll_op *op, void *dest, const void *source, size_t n,
			const struct coll_reduction *what);
/** For the library: unchecked, and dest may be private memory. */
int coll_call_join(const struct coll_op *op, void *dest, const void *source, size_t n,
		   const struct coll_reduction *what);
int coll_call_scan(const struct coll_op *op, void *dest, const void *source, size_t n,
		   const struct coll_reduction *what, enum coll_chain kind);

#endif /* COLL_CALL_H */
