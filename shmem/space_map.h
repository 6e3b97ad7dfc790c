/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_SPACE_MAP_H
#define SHMEMI_SPACE_MAP_H

/**
 * @file
 * Spaces whose memory is that of files: every process that reaches a member's part of the heap maps
 * the member's file there.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rb.h"

struct coll_op;
struct shmemi_team;

struct space_map {
	struct rb_file file; /**< this member's, locked; none: the space has none that is mapped */
	uint64_t off;	     /**< where its part begins */
	bool device; /**< of a character device: stores are durable once they leave the caches */
	size_t page_size; /**< of the file */
};

/** May the members map files at all? 0; -1, after a line. Collective. */
int shmemi_space_may_map(const struct coll_op *op);
/** Put the members' files over [from, from + size) of their heaps. Collective.
 *  @return 0; -1 on all, after a line of those where it failed */
int shmemi_space_map(const struct coll_op *op, const char *file, size_t from, size_t size,
		     struct space_map *m);
/** In a forked child: let go of the file, so that the lock is the parent's alone. */
void shmemi_space_map_child(struct space_map *m);
/** Undo it in this process. */
void shmemi_space_unmap(const struct shmemi_team *team, size_t from, struct space_map *m);
/** Make durable what this member's file has. 0 or -errno */
int shmemi_space_sync(const struct space_map *m, void *at, size_t size);

#endif /* SHMEMI_SPACE_MAP_H */
