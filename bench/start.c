/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * When shmem_init() is over on all PEs, and how much memory they take then: bench/start.py reads
 * it.
 */
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
	ALL,
	ANON,
	SHARED,
	PARTS
};

/** KiB of this process, where a page of several processes counts by its part. */
static void
read_memory(long kib[PARTS])
{
	const char *const names[PARTS] = {"Pss:", "Pss_Anon:", "Pss_Shmem:"};
	char line[256], name[64];
	long value;
	FILE *f = fopen("/proc/self/smaps_rollup", "r");

	while (f && fgets(line, sizeof(line), f))
		for (int i = 0; i < PARTS; i++)
			if (sscanf(line, "%63s %ld", name, &value) == 2 &&
			    strcmp(name, names[i]) == 0)
				kib[i] = value;
	if (f)
		fclose(f);
}

int
main(void)
{
	static long mine[PARTS], total[PARTS];
	struct timespec now;

	shmem_init();
	shmem_barrier_all();
	clock_gettime(CLOCK_MONOTONIC, &now);
	read_memory(mine);
	shmem_barrier_all();
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, total, mine, PARTS);
	if (shmem_my_pe() == 0)
		printf("%ld.%09ld %ld %ld %ld\n", (long)now.tv_sec, now.tv_nsec, total[ALL],
		       total[ANON], total[SHARED]);
	shmem_finalize();
	return 0;
}
