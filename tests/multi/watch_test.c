/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * What a program learns of its ring, which loses the cable between host 1 and host 2: by queries,
 * and by calls while it computes. Usage: watch_test LOST (cables that get lost: 0 or 1)
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <shmem.h>
#include <shmemx.h>

enum {
	CABLE = 1,
	LIMIT_S = 60,
};

static _Atomic int calls;
static shmemx_ring_t told;
static int failed;

#define CHECK(cond)                                                                              \
	do {                                                                                     \
		if (!(cond)) {                                                                   \
			fprintf(stderr, "PE %d, line %d: %s\n", shmem_my_pe(), __LINE__, #cond); \
			failed = 1;                                                              \
		}                                                                                \
	} while (0)

/* Its second call would be seen as a count of 2. */
static void
changed(const shmemx_ring_t *state, void *arg)
{
	shmemx_ring_t now;

	CHECK(arg == &calls);
	shmemx_ring_state(&now);
	CHECK(now.changes >= state->changes);
	told = *state;
	CHECK(shmemx_ring_watch(changed, arg) == 0);
	atomic_fetch_add(&calls, 1);
}

static void
never(const shmemx_ring_t *state, void *arg)
{
	(void)state;
	(void)arg;
	CHECK(!"called after it was replaced");
}

/* Computes: no call of the library. */
static void
compute_until(int n)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (atomic_load(&calls) < n && now.tv_sec - begin.tv_sec < LIMIT_S);
}

int
main(int argc, char **argv)
{
	int lost = argc > 1 ? atoi(argv[1]) : 0, pe;
	shmemx_ring_t state;

	shmem_init();
	CHECK(shmemx_ring_watch(never, NULL) == 0);
	CHECK(shmemx_ring_watch(changed, &calls) == 0);
	shmemx_ring_state(&state);
	/* as many PEs on each host, in their order */
	for (pe = 0; pe < shmem_n_pes(); pe++)
		CHECK(shmemx_pe_host(pe) == pe / (shmem_n_pes() / state.hosts));
	CHECK(shmemx_pe_host(-1) == -1 && shmemx_pe_host(shmem_n_pes()) == -1);
	CHECK(state.host == shmemx_pe_host(shmem_my_pe()));
	CHECK(state.host < state.hosts);
	/* the cable is cut after all have left shmem_init, which may be before this */
	CHECK(state.changes <= (unsigned int)lost);
	CHECK(state.lost == (state.changes == 0 ? 0 : 1u << CABLE));
	CHECK(lost == 0 || state.survives == 1);
	if (state.changes < (unsigned int)lost) {
		compute_until(lost);
		CHECK(atomic_load(&calls) == 1);
		CHECK(told.changes == 1 && told.lost == 1u << CABLE && told.hosts == state.hosts &&
		      told.host == state.host && told.survives == 1);
	}
	shmem_barrier_all();
	shmemx_ring_state(&state);
	CHECK(state.changes == (unsigned int)lost);
	CHECK(shmemx_ring_watch(NULL, NULL) == 0);
	shmem_finalize();
	if (failed == 0 && shmem_my_pe() == 0)
		puts("all PEs were told");
	return failed;
}
