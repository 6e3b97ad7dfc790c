/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_SPACE_PLACE_H
#define SHMEMI_SPACE_PLACE_H

/**
 * @file
 * Places in what SHMEM_SPACES reserves behind the heap: at the same offset on all members of a
 * team. Teams overlap, so the members first join what each of them uses, and take the first place
 * that is free for all.
 */

#include <stdbool.h>
#include <stddef.h>

enum {
	SPACE_GRANULE = 2 << 20, /* at least; a larger reserve has larger ones */
};

struct coll_op;

struct space_place {
	size_t first, granules;
	char *base;
	size_t size; /**< bytes, whole granules */
};

/** Collective. False: there is no room, on any member, after a line. */
bool shmemi_place_take(const struct coll_op *op, size_t size, struct space_place *p);
/** Free for later ones. */
void shmemi_place_give(const struct space_place *p);
/** Forget all. */
void shmemi_places_close(void);
/** Where it begins in the heap's segment. */
size_t shmemi_place_offset(const struct space_place *p);

#endif /* SHMEMI_SPACE_PLACE_H */
