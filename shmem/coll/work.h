/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_WORK_H
#define COLL_WORK_H

/**
 * @file
 * A call of a collective as data, so that it can be carried out later.
 */

#include "op.h"

enum coll_kind {
	COLL_WORK_SYNC,
	COLL_WORK_BARRIER, /**< completes the operations of the default context first */
	COLL_WORK_BROADCAST,
	COLL_WORK_COLLECT,
	COLL_WORK_FCOLLECT,
	COLL_WORK_ALLTOALLS,
	COLL_WORK_REDUCE,
	COLL_WORK_SCAN,
};

/** The arguments. Small, because a post writes all of it. */
struct coll_work {
	enum coll_kind kind;
	union {
		int root;	       /**< of broadcasts */
		enum coll_chain chain; /**< of scans */
	};
	void *dest;
	const void *source;
	size_t len; /**< bytes; of reductions and scans: elements */
	union {
		struct coll_strides shape;  /**< of alltoalls */
		struct coll_reduction what; /**< of reductions and scans */
	};
};

/** Carry it out. 0, or -1: a host is lost, and it may not have come to its end. */
int coll_work_run(const struct coll_op *op, const struct coll_work *work);
/** About how many bytes this PE copies for it, with @p n members. */
size_t coll_work_bytes(const struct coll_work *work, int n);

#endif /* COLL_WORK_H */
