/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Lesson 7: a sum over all PEs, and one over every other PE.
 */
#include "lesson.h"

int
main(void)
{
	static long part, all = UNSET, ours = UNSET;

	shmem_init();
	int me = shmem_my_pe(), n = shmem_n_pes();
	shmem_team_t team =
		SHMEM_TEAM_INVALID; /* the PEs with even numbers, or those with odd ones */
	shmem_team_t even = SHMEM_TEAM_INVALID, odd = SHMEM_TEAM_INVALID;

	part = 1 + me;
	/* YOURS: let all be the sum of part over all PEs. Split the world into the teams even
	 * and odd, set team to the one that this PE is in, and let ours be the sum over it. */
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &part, 1);
	shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &even);
	shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, n / 2, NULL, 0, &odd);
	team = me % 2 ? odd : even;
	shmem_long_sum_reduce(team, &ours, &part, 1);
	/* END OF YOURS */

	long wanted = 0;

	for (int pe = me % 2; pe < n; pe += 2)
		wanted += 1 + pe;
	lesson_says("all", all, n * (n + 1L) / 2);
	lesson_says("rank", shmem_team_my_pe(team), me / 2);
	lesson_says("ours", ours, wanted);
	shmem_finalize();
	return 0;
}
