/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_HOSTS_H
#define COLL_HOSTS_H

/**
 * @file
 * The collectives between hosts: one member of each, the leader, and streams between those that are
 * neighbours on an axis of the grid. Where an op's ranks matter, they are those of coll_row(),
 * coll_column() or coll_leaders().
 */

#include "map.h"
#include "way.h"

/** Bytes of the buffers that lead to the neighbours on the axis of @p op. */
static inline size_t
coll_buffer_len(const struct coll_op *op)
{
	return op->state->map->part[op->axis];
}

/** Sync of the leaders on an axis. @p words: the words of this host's leader. @p is_leader: this PE
 * is it. */
void coll_axis_sync(const struct coll_op *op, struct coll_words *words, bool is_leader);
/** The root is in group @p from. */
void coll_hosts_broadcast(const struct coll_op *op, const struct coll_map *map, void *dest,
			  const void *source, size_t len, int from);
/** Every member has the blocks of its group in dest; with @p source, its own block there. */
void coll_hosts_collect(const struct coll_op *op, const struct coll_map *map, void *dest,
			const void *source, const struct coll_blocks *blocks);
/** A collect by the whole team where all members know the sizes; it checks nothing. */
void coll_gather_blocks(const struct coll_op *op, void *dest, const void *source,
			const struct coll_blocks *blocks);
void coll_hosts_reduce(const struct coll_op *op, const struct coll_map *map, void *dest,
		       const void *source, size_t n, const struct coll_reduction *what);
/** A reduction by the whole team of several members on each of some hosts. */
void coll_meet_reduce(const struct coll_op *op, const struct coll_map *map, void *dest,
		      const void *source, size_t n, const struct coll_reduction *what);
void coll_chain(const struct coll_op *op, void *dest, const void *source, size_t n,
		const struct coll_reduction *what, enum coll_chain kind);

/* ---- streams: stream.c; a receiver sees buffers and direct pieces each in order ---- */

/** Is a buffer free? Then the next coll_send() in direction @p dir will not wait. */
bool coll_may_send(const struct coll_op *op, enum coll_dir dir);
/** Send at most coll_buffer_len() bytes through a buffer of the next rank in direction @p dir. */
void coll_send(const struct coll_op *op, enum coll_dir dir, const void *data, size_t len);
/** Has the next buffer come? Then the next coll_receive() in direction @p dir will not wait. */
bool coll_arrived(const struct coll_op *op, enum coll_dir dir);
/** Wait for the next buffer that comes in direction @p dir. */
void *coll_receive(const struct coll_op *op, enum coll_dir dir);
/** Give the buffer last received back. */
void coll_release(const struct coll_op *op, enum coll_dir dir);

/** Allow the rank before this one in direction @p dir one run of direct transfers. */
void coll_ready(const struct coll_op *op, enum coll_dir dir);
/** Wait until the next rank has allowed a run. */
void coll_await_ready(const struct coll_op *op, enum coll_dir dir);
/** Put a piece into the next rank's @p dest. */
void coll_direct_send(const struct coll_op *op, enum coll_dir dir, void *dest, const void *data,
		      size_t len);
/** Has the next piece in direction @p dir come? Then the next call will not wait. */
bool coll_direct_arrived(const struct coll_op *op, enum coll_dir dir);
/** Wait for the next piece in direction @p dir. */
void coll_direct_receive(const struct coll_op *op, enum coll_dir dir);

#endif /* COLL_HOSTS_H */
