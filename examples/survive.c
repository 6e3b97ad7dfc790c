/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A job that goes on without a lost host. In each round the PEs share the numbers 1..n, and add up
 * their squares. Where a host is lost, those that are left agree, and repeat the round among them:
 *
 *     RINGBELL_LOST_HOST=error oshrun --hosts 4 --fault "kill host 2 at 0.3s" ./survive
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <shmemx.h>

#include "example.h"

static long part, whole; /* symmetric: where the reductions find and leave data */

/* The sum of this PE's numbers in @p round. */
static long
add_squares(shmem_team_t team, long n, long round)
{
	long sum = 0, i;

	for (i = 1 + shmem_team_my_pe(team); i <= n; i += shmem_team_n_pes(team))
		sum += i * i % (round + 1);
	return sum;
}

static long
expected(long n, long round)
{
	long sum = 0, i;

	for (i = 1; i <= n; i++)
		sum += i * i % (round + 1);
	return sum;
}

/* The others may have finished a round that this PE has not, or the other way round: all go on with
 * the first one that any of them misses. @return that round; -1: there is no team */
static long
agree(shmem_team_t *team, long round)
{
	int dead = -1;

	if (shmemx_team_survivors(team, &round) != 0)
		return -1;
	if (shmemx_last_error(&dead) != 0 && shmem_team_my_pe(*team) == 0)
		printf("PE %d is dead; %d PEs go on with round %ld\n", dead,
		       shmem_team_n_pes(*team), round);
	return round;
}

int
main(int argc, char **argv)
{
	long n = 1000, rounds = 1000, pause = 1000, round, errors = 0;
	const struct ex_opt opts[] = {
		{'n', "numbers", &n, 1, 1L << 20, NULL},
		{'r', "rounds", &rounds, 1, 1L << 30, NULL},
		{'u', "microseconds between rounds", &pause, 0, 1000000, NULL},
		{0},
	};
	const char *mode = getenv("RINGBELL_LOST_HOST");
	int survives = mode != NULL && strcmp(mode, "error") == 0;
	shmem_team_t team = SHMEM_TEAM_WORLD;

	ex_start(argc, argv, "Add up in rounds, also where a host is lost.", opts);
	for (round = 0; round < rounds && round >= 0;) {
		part = add_squares(team, n, round);
		if (shmem_long_sum_reduce(team, &whole, &part, 1) == 0) {
			errors += whole != expected(n, round);
			round++;
			usleep((useconds_t)pause);
		} else {
			round = agree(&team, round);
		}
		/* the last round, too, may have ended on some of them only */
		if (round == rounds && survives)
			round = agree(&team, round);
	}
	if (errors != 0 || round < 0)
		printf("PE %d: %ld wrong sums, last round %ld\n", shmem_my_pe(), errors, round);
	else if (shmem_team_my_pe(team) == 0)
		printf("%d of %d PEs: %ld rounds, verified: yes\n", shmem_team_n_pes(team),
		       shmem_n_pes(), round);
	fflush(stdout);
	shmem_finalize();
	return errors != 0 || round < 0;
}
