/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/*
 * Programs that hang, each in another call. The test checks the report of oshrun. Usage: blocked
 * CALL. PE 1 does not take part. It prints a line when the others may be examined, and sleeps.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <shmem.h>

static long lock, one = 1, sum;
static int flag;

/* For ever, as far as the test is concerned. */
static void
stay_away(void)
{
	for (;;)
		pause();
}

static void
call(const char *name, int *word)
{
	if (strcmp(name, "shmem_barrier_all") == 0)
		shmem_barrier_all();
	else if (strcmp(name, "shmem_sync_all") == 0)
		shmem_sync_all();
	else if (strcmp(name, "shmem_malloc") == 0)
		shmem_free(shmem_malloc(64));
	else if (strcmp(name, "shmem_long_sum_reduce") == 0)
		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &one, 1);
	else if (strcmp(name, "shmem_int_wait_until") == 0)
		shmem_int_wait_until(word, SHMEM_CMP_EQ, 1);
	else if (strcmp(name, "shmem_int_wait_until_any") == 0)
		(void)shmem_int_wait_until_any(&flag, 1, NULL, SHMEM_CMP_EQ, 1);
	else if (strcmp(name, "shmem_set_lock") == 0)
		shmem_set_lock(&lock);
	else
		abort();
}

int
main(int argc, char **argv)
{
	const char *oshrun = getenv("RINGBELL_PE"), *name = argc > 1 ? argv[1] : "";
	const char *pe = oshrun != NULL ? oshrun : getenv("PMIX_RANK");
	int *word;

	if (strcmp(name, "late") == 0 && strcmp(pe, "1") == 0)
		stay_away();
	if (strcmp(name, "never") == 0 && strcmp(pe, "1") == 0)
		return 0;
	shmem_init();
	word = shmem_calloc(1, sizeof(*word));
	if (strcmp(name, "finalize") == 0) {
		if (shmem_my_pe() != 1)
			call("shmem_long_sum_reduce", word);
		exit(0); /* which finalizes */
	}
	if (shmem_my_pe() == 1 && strcmp(name, "shmem_set_lock") == 0)
		shmem_set_lock(&lock);
	shmem_barrier_all();
	if (shmem_my_pe() == 1)
		stay_away();
	call(name, word);
	shmem_finalize();
	return 0;
}
