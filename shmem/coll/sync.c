/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdatomic.h>

#include "core/fiber.h"
#include "coll.h"
#include "local.h"
#include "hosts.h"

/*
 * Dissemination in both directions, on an axis. A member that knows of the arrival of w
 * members on either side sends that to the ranks 2w + 1 away on both sides, and receives the same
 * from them: then it knows of 3w + 1 on either side. Distances 1, 3, 9, ... sum up to half the
 * axis: as few hops as any barrier needs between the farthest two members, in log3(n) steps of this
 * thread. The last distance is cut so that no message travels farther than needed; members then
 * learn of some twice.
 *
 * The other members of a host read their leader's words, and may leave when the leader may: the
 * members of this host have met before, and the words say that those of all other hosts have.
 */
void
coll_axis_sync(const struct coll_op *op, struct coll_words *words, bool is_leader)
{
	int half = op->n / 2, known = 0, round;
	uint64_t epoch = ++op->state->syncs;
	uint64_t(*arrival)[COLL_DIRS] = words->arrival[op->axis];

	for (round = 0; known < half; round++) {
		int distance = 2 * known + 1;

		if (distance > half - known)
			distance = half - known;
		if (is_leader) {
			coll_post(op, op->rank + distance, &arrival[round][COLL_UP], epoch);
			coll_post(op, op->rank - distance, &arrival[round][COLL_DOWN], epoch);
		}
		coll_wait(op, op->rank - distance, &arrival[round][COLL_UP], epoch);
		coll_wait(op, op->rank + distance, &arrival[round][COLL_DOWN], epoch);
		known += distance;
	}
}

/* The members on a host meet. Then the leader syncs with the leaders of its row, each of which
 * then syncs with its column, and the others watch the words that it receives. */
static void
sync_team(const struct coll_op *op)
{
	const struct coll_map *map = coll_map(op);
	struct coll_op group = coll_group(op, map), axis;
	struct coll_words *words = &map->peer[map->lead]->words;
	bool leads = map->local == map->lead;

	if (map->locals > 1)
		coll_local_sync(&group);
	axis = coll_row(op, map);
	coll_axis_sync(&axis, words, leads);
	axis = coll_column(op, map);
	coll_axis_sync(&axis, words, leads);
}

/*
 * A sync makes this PE's plain stores visible to all members. For the world there is the runtime's
 * barrier, in which the PEs of a host meet in shared memory first. In a fiber it gives the thread
 * back where it waits.
 */
void
coll_sync(const struct coll_op *op)
{
	atomic_thread_fence(memory_order_seq_cst);
	if (op->team == &shmemi_team_world && shmemi_fiber_inside())
		rb_barrier_uncounted();
	else if (op->team == &shmemi_team_world)
		rb_barrier();
	else if (op->n > 1)
		sync_team(op);
	atomic_thread_fence(memory_order_seq_cst);
}
