/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_WAY_H
#define COLL_WAY_H

/**
 * @file
 * Which algorithm a collective takes: one table for all (way.c).
 */

#include "map.h"

enum coll_way {
	COLL_WAY_HOST,	     /**< the members share memory: local.h */
	COLL_WAY_MEET,	     /**< the last member of a host to arrive sends its part: meet.c */
	COLL_WAY_DIMENSIONS, /**< along the rows, then along the columns of the grid */
	COLL_WAY_FOLD,	     /**< the same; each gets what all have, and folds it */
	COLL_WAY_MIDDLE,     /**< the same; in chunks to the one in the middle, and back */
	COLL_WAY_CHAIN,	     /**< one member after the other, through all hosts */
	COLL_WAY_RANKS,	     /**< the same in the order of ranks */
	COLL_WAY_PIECES,     /**< the same, for the sums of the members on each host */
	COLL_WAY_ALL,	     /**< everyone gets what all have, and folds its part */
	COLL_WAY_EACH,	     /**< from each host straight to each other one */
};

/** @p len: bytes of one member, alike on all */
enum coll_way coll_choose(enum coll_kind kind, const struct coll_map *map, size_t len);

#endif /* COLL_WAY_H */
