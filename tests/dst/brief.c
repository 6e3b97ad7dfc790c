/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * So little that a run takes a fraction of a second. Each thread adds to a word, tells so behind a
 * fence, and looks at what it was told itself. Then small collectives, one behind the other.
 * Usage: brief THREADS ROUNDS DISTANCE [flood | sync | load]: one thing alone
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <shmemx.h>

enum {
	THREADS = 8,
	PES = 16,
	FEW = 4 /* words of a get that is done by loads */
};

static long added[THREADS], told[THREADS], tickets, drawn;
static long rounds;
static int to; /* a PE */
static _Atomic bool wrong;

static void
check(bool good, const char *what, long round)
{
	if (good)
		return;
	printf("PE %d, round %ld: FAILED: %s\n", shmem_my_pe(), round, what);
	wrong = true;
}

static void *
ask(void *arg)
{
	long id = (long)(intptr_t)arg, seen, ticket, last = -1, round;
	shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;

	if (id % 2 == 1)
		shmem_ctx_create(0, &ctx);
	for (round = 1; round <= rounds; round++) {
		shmem_ctx_long_atomic_add(ctx, &added[id], 1, to);
		shmem_ctx_fence(ctx);
		shmem_ctx_long_p(ctx, &told[id], round, to);
		seen = __atomic_load_n(&told[id], __ATOMIC_ACQUIRE);
		check(__atomic_load_n(&added[id], __ATOMIC_RELAXED) >= seen, "order", round);
		if (round % 3 == 0) {
			ticket = shmem_ctx_long_atomic_fetch_inc(ctx, &tickets, 0);
			check(ticket > last, "ticket", round);
			last = ticket;
			shmem_ctx_long_atomic_add(ctx, &drawn, ticket, 0);
		}
		if (round % 4 == 0) {
			shmem_ctx_quiet(ctx);
			check(shmem_ctx_long_g(ctx, &added[id], to) == round, "quiet", round);
		}
	}
	if (id % 2 == 1)
		shmem_ctx_destroy(ctx);
	return NULL;
}

static void
meet(void)
{
	static long from, to_all, sum, most, beside, all[PES];
	long n = shmem_n_pes(), i;

	for (i = 1; i <= rounds; i++) {
		from = i * n + shmem_my_pe();
		shmem_long_broadcast(SHMEM_TEAM_WORLD, &to_all, &from, 1, 0);
		check(to_all == i * n, "broadcast", i);
	}
	for (i = 1; i <= rounds; i++) {
		from = i * n + shmem_my_pe();
		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &from, 1);
		shmem_long_max_reduce(SHMEM_TEAM_WORLD, &most, &from, 1);
		check(sum == i * n * n + n * (n - 1) / 2, "sum", i);
		check(most == i * n + n - 1, "max", i);
		shmem_long_fcollect(SHMEM_TEAM_WORLD, all, &from, 1);
		check(all[n - 1] == i * n + n - 1, "collect", i);
	}
	for (i = 1; i <= rounds; i++) {
		shmem_long_p(&beside, i, to);
		shmem_barrier_all();
		check(beside == i || beside == i + 1, "barrier", i);
	}
}

/* PE 0 posts the second sum when the others say that they have the first one, which the thread that
 * serves may have run for them. */
static void
post(void)
{
	static long from, to_all[2], gone[PES];
	struct timespec nap = {0};
	shmemx_req_h r[2];
	long i, pe;

	for (i = 1; i <= rounds; i++) {
		shmem_barrier_all();
		from = i;
		shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, &to_all[0], &from, 1, &r[0]);
		for (pe = 1; shmem_my_pe() == 0 && pe < shmem_n_pes(); pe++)
			shmem_long_wait_until(&gone[pe], SHMEM_CMP_GE, i);
		shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, &to_all[1], &from, 1, &r[1]);
		nap.tv_nsec = i % 8 * 10000;
		nanosleep(&nap, NULL);
		shmemx_req_wait(&r[0]);
		shmem_long_p(&gone[shmem_my_pe()], i, 0);
		shmemx_req_wait(&r[1]);
		check(to_all[0] == i * shmem_n_pes() && to_all[1] == to_all[0], "posted", i);
	}
}

static void *
split(void *parent)
{
	shmem_team_t team;

	shmem_team_split_strided(*(shmem_team_t *)parent, 0, 1, shmem_n_pes(), NULL, 0, &team);
	return NULL;
}

/* Two teams at once, which PE 0 splits one after the other. */
static void
part(void)
{
	shmem_team_t team[2];
	pthread_t thread;
	int i;

	for (i = 0; i < 2; i++)
		shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &team[i]);
	if (shmem_my_pe() == 0) {
		split(&team[1]);
		split(&team[0]);
		return;
	}
	pthread_create(&thread, NULL, split, &team[1]);
	split(&team[0]);
	pthread_join(thread, NULL);
}

/* More than all rings on the way hold, at all hosts at once. */
static void
flood(void)
{
	static long block[8192];
	long i;

	for (i = 0; i < rounds; i++)
		shmem_putmem(block, block, sizeof(block), to);
}

/* Nobody begins one before both neighbours have left the last one. */
static void
sync_all(void)
{
	static long said[2];
	int back = (2 * shmem_my_pe() + shmem_n_pes() - to) % shmem_n_pes();
	long i;

	for (i = 1; i <= rounds; i++) {
		shmem_sync_all();
		shmem_long_p(&said[0], i, to);
		shmem_long_p(&said[1], i, back);
		shmem_long_wait_until_all(said, 2, NULL, SHMEM_CMP_GE, i);
	}
}

/* Of two PEs, until the job ends by a cable that breaks. Before the end none may take for data what
 * is not. */
static void
load(void)
{
	/* on the heap: static data has no place in the window of an adapter */
	uint64_t *data = shmem_calloc(FEW, sizeof(*data)), got[FEW], i;

	for (i = 0; i < FEW; i++)
		data[i] = i;
	shmem_barrier_all();
	for (;;) {
		shmem_uint64_get(got, data, FEW, to);
		for (i = 0; i < FEW; i++)
			if (got[i] != i && dprintf(STDERR_FILENO, "FAILED: 0x%llx got\n",
						   (unsigned long long)got[i]) > 0)
				shmem_global_exit(2);
	}
}

static const struct {
	const char *name;
	void (*fn)(void);
} alone[] = {{"flood", flood}, {"sync", sync_all}, {"load", load}};

int
main(int argc, char **argv)
{
	long threads = argc >= 4 ? atol(argv[1]) : 0, i;
	pthread_t thread[THREADS];
	int provided;

	if (threads < 1 || threads > THREADS)
		return 2;
	rounds = atol(argv[2]);
	shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
	to = (shmem_my_pe() + atoi(argv[3])) % shmem_n_pes();
	if (argc == 5) {
		for (i = 0; strcmp(alone[i].name, argv[4]) != 0; i++)
			;
		alone[i].fn();
		shmem_finalize();
		return wrong;
	}
	for (i = 1; i < threads; i++)
		pthread_create(&thread[i], NULL, ask, (void *)(intptr_t)i);
	ask(NULL);
	for (i = 1; i < threads; i++)
		pthread_join(thread[i], NULL);
	shmem_barrier_all();
	for (i = 0; i < threads; i++)
		check(added[i] == rounds && told[i] == rounds, "sum", i);
	check(shmem_my_pe() != 0 || tickets == shmem_n_pes() * threads * (rounds / 3), "tickets",
	      0);
	part();
	meet();
	post();
	shmem_finalize();
	return wrong;
}
