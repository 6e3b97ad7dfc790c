/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef CALLS_COLL_H
#define CALLS_COLL_H

#include "calls.h"

enum {
	COLL_NAME = 16
};
/** What its call is called behind the type: in @p name, which is returned. */
const char *coll_name(const struct op *op, char name[COLL_NAME]);
/** Elements that the member of @p rank brings, or sends to each. */
size_t coll_count(const struct op *op, int rank);
/** What the member of @p rank gets: all of it. */
struct span coll_dst(const struct op *op, int rank);
struct span coll_src(const struct op *op, int rank);
/** What a member brings to a reduction: @p n elements that fold to the same in any order. */
void coll_values(const struct op *op, int rank, unsigned char *at);

/** acc = acc op in, by the type. */
void coll_fold(const struct op *op, void *acc, const void *in);

#endif /* CALLS_COLL_H */
