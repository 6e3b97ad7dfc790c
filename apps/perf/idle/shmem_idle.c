/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * shmem-idle [SECONDS]: the cost of an idle job. Two rows, each the CPU time of all
 * PEs, service lcores included, in per cent of one CPU: while all sleep outside of the library, and
 * while all but PE 0 are blocked inside shmem_wait_until(). Start and end are not included.
 */
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
	PES_MAX = 1024,
	SECONDS_MAX = 3600,
};

static double spent[PES_MAX]; /* static data is symmetric */
static long word;
static int me, npes;

static double
clock_of(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void
sleep_for(double seconds)
{
	struct timespec t = {.tv_sec = (time_t)seconds};

	t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
	while (nanosleep(&t, &t) != 0)
		;
}

static void
print_row(const char *name, double seconds, bool blocked)
{
	double cpu, sum = 0, start;
	int pe;

	word = 0;
	shmem_barrier_all();
	cpu = clock_of(CLOCK_PROCESS_CPUTIME_ID);
	start = clock_of(CLOCK_MONOTONIC);
	if (me == 0 || !blocked)
		sleep_for(seconds);
	if (me == 0 && blocked)
		for (pe = 1; pe < npes; pe++)
			shmem_long_p(&word, 1, pe);
	else if (blocked)
		shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
	cpu = clock_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	shmem_double_p(&spent[me], cpu / (clock_of(CLOCK_MONOTONIC) - start), 0);
	shmem_barrier_all();
	for (pe = 0; me == 0 && pe < npes; pe++)
		sum += spent[pe];
	if (me == 0)
		printf("%s %.2f\n", name, 100 * sum);
	shmem_barrier_all();
}

int
main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 2;

	shmem_init();
	me = shmem_my_pe();
	npes = shmem_n_pes();
	if (!(seconds > 0 && seconds <= SECONDS_MAX) || npes > PES_MAX) {
		if (me == 0)
			fprintf(stderr,
				"shmem-idle: %s seconds on %d PEs: want up to %d s, %d PEs\n",
				argc > 1 ? argv[1] : "2", npes, SECONDS_MAX, PES_MAX);
		shmem_finalize();
		return 2;
	}
	print_row("asleep", seconds, false);
	print_row("blocked", seconds, true);
	shmem_finalize();
	return 0;
}
