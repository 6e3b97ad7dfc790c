/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The root of a team's broadcast is its rank in the team, not its number in the world.
 * Says: PE 1: shmem_int_broadcast: PE_root 1 is not in 0..0
 */
#include <shmem.h>

int
main(void)
{
	static int to, from;
	shmem_team_t team;

	shmem_init();
	shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 1, 1, NULL, 0, &team);
	if (team != SHMEM_TEAM_INVALID)
		shmem_int_broadcast(team, &to, &from, 1, shmem_my_pe()); /* wrong */
	shmem_finalize();
	return 0;
}
