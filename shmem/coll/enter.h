/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_ENTER_H
#define COLL_ENTER_H

/**
 * @file
 * Arguments of the collectives: what is checked in any case, and in checked mode.
 */

#include "op.h"

void coll_enter_sync(const struct coll_op *op, const struct coll_work *work);
void coll_enter_broadcast(const struct coll_op *op, const struct coll_work *work);
/** dest is checked later, when the length is known. */
void coll_enter_collect(const struct coll_op *op, const struct coll_work *work);
void coll_enter_alltoalls(const struct coll_op *op, const struct coll_work *work);
/** Reductions and scans: dest may be the source. */
void coll_enter_fold(const struct coll_op *op, const struct coll_work *work);

#endif /* COLL_ENTER_H */
