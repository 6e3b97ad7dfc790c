/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "call.h"
#include "check.h"
#include "coll.h"
#include "enter.h"
#include "guard.h"

int
coll_call_sync(const struct coll_op *op)
{
	struct shmemi_guard guard;

	COLL_GUARD(op, &guard, -1);
	coll_enter_sync(op);
	coll_sync(op);
	coll_leave(op);
	return coll_over();
}

int
coll_call_sync_posted(const struct coll_op *op)
{
	struct shmemi_guard guard;

	COLL_GUARD(op, &guard, -1);
	coll_enter_posted(op);
	coll_sync(op);
	coll_leave(op);
	return coll_over();
}

int
coll_call_broadcast(const struct coll_op *op, void *dest, const void *source, size_t len, int root)
{
	struct shmemi_guard guard;

	COLL_GUARD(op, &guard, -1);
	coll_enter_broadcast(op, dest, source, len, root);
	coll_broadcast(op, dest, source, len, root);
	coll_leave(op);
	return coll_over();
}

int
coll_call_broadcast_to_all(const struct coll_op *op, void *dest, const void *source, size_t len,
			   int root)
{
	if (coll_call_broadcast(op, dest, source, len, root) != 0)
		return -1;
	if (op->rank == root && len != 0 && dest != source)
		memcpy(dest, source, len);
	return 0;
}

int
coll_call_collect(const struct coll_op *op, void *dest, const void *source, size_t len, bool exact)
{
	struct shmemi_guard guard;

	COLL_GUARD(op, &guard, -1);
	coll_enter_collect(op, dest, source, len, exact);
	coll_collect(op, dest, source, len, exact);
	coll_leave(op);
	return coll_over();
}

int
coll_call_alltoalls(const struct coll_op *op, void *dest, const void *source,
		    const struct coll_strides *shape)
{
	struct shmemi_guard guard;

	COLL_GUARD(op, &guard, -1);
	coll_enter_alltoalls(op, dest, source, shape);
	coll_alltoalls(op, dest, source, shape);
	coll_leave(op);
	return coll_over();
}

int
coll_call_reduce(const struct coll_op *op, void *dest, const void *source, size_t n,
		 const struct coll_reduction *what)
{
	struct shmemi_guard guard;

	COLL_GUARD(op, &guard, -1);
	coll_enter_fold(op, dest, source, n, what->size);
	coll_reduce(op, dest, source, n, what);
	coll_leave(op);
	return coll_over();
}

int
coll_call_reproduce(const struct coll_op *op, void *dest, const void *source, size_t n,
		    const struct coll_reduction *what)
{
	struct shmemi_guard guard;

	COLL_GUARD(op, &guard, -1);
	coll_enter_fold(op, dest, source, n, what->size);
	coll_reproduce(op, dest, source, n, what);
	coll_leave(op);
	return coll_over();
}

int
coll_call_join(const struct coll_op *op, void *dest, const void *source, size_t n,
	       const struct coll_reduction *what)
{
	struct shmemi_guard guard;

	COLL_GUARD(op, &guard, -1);
	coll_reproduce(op, dest, source, n, what);
	return coll_over();
}

int
coll_call_scan(const struct coll_op *op, void *dest, const void *source, size_t n,
	       const struct coll_reduction *what, enum coll_chain kind)
{
	struct shmemi_guard guard;

	COLL_GUARD(op, &guard, -1);
	coll_enter_fold(op, dest, source, n, what->size);
	coll_scan(op, dest, source, n, what, kind);
	coll_leave(op);
	return coll_over();
}
