/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Lesson 10: breadth-first search, level by level. PE v % n owns vertex v.
 */
#include "lesson.h"

#define VERTICES 300 /* v leads to v + 1, 2 v and 2 v + 1, modulo VERTICES */

static int parent[VERTICES];	       /* -1: not reached; only the owner's is used */
static int queue[2][VERTICES];	       /* vertices of this level, and of the next one */
static long length[2], longest, level; /* of the queues */

/** Vertex @p v is reached from @p u: queue it at its owner for the next level, once. */
static void
visit_vertex(int u, int v, int next)
{
	int owner = v % shmem_n_pes();

	/* YOURS: if parent[v] of owner is -1, make it u, in one step. Only whoever did so takes the
	 * next place of owner's queue[next], by its length[next], and puts v there. */
	if (shmem_int_atomic_compare_swap(&parent[v], -1, u, owner) == -1) {
		long place = shmem_long_atomic_fetch_inc(&length[next], owner);

		shmem_int_p(&queue[next][place], v, owner);
	}
	/* END OF YOURS */
	(void)u, (void)v, (void)next, (void)owner;
}

int
main(void)
{
	static long found, total;

	shmem_init();
	int me = shmem_my_pe(), now = 0;

	for (int v = 0; v < VERTICES; v++)
		parent[v] = -1;
	shmem_barrier_all();
	if (me == 0)
		visit_vertex(0, 0, now);
	for (;; now = !now, level++) {
		shmem_barrier_all(); /* the queue of this level is whole */
		found += length[now];
		shmem_long_max_reduce(SHMEM_TEAM_WORLD, &longest, &length[now], 1);
		if (longest == 0)
			break;
		for (long i = 0; i < length[now]; i++) {
			int u = queue[now][i];

			visit_vertex(u, (u + 1) % VERTICES, !now);
			visit_vertex(u, 2 * u % VERTICES, !now);
			visit_vertex(u, (2 * u + 1) % VERTICES, !now);
		}
		length[now] = 0; /* nobody adds to it before the next barrier */
	}
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &total, &found, 1);
	lesson_says("reached", total, VERTICES);
	lesson_says("levels", level, 10);
	shmem_finalize();
	return 0;
}
