/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Setting up and leaving: nested and repeated init, thread levels, accessibility. It has
 * a main of its own, for the harness does not leave the library in between.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <shmem.h>

static int failures;
static int in_data = 3, in_bss;
static long left_behind[2];

static void
check(int ok, int line, const char *what)
{
	if (ok)
		return;
	failures++;
	fprintf(stderr, "setup_test.c:%d: %s\n", line, what);
}
#define CHECK(cond) check(!!(cond), __LINE__, #cond)

static void
accessibility(void)
{
	int on_stack = 1, pe, n = shmem_n_pes();
	long *heap = shmem_malloc(64), *p;

	for (pe = 0; pe < n; pe++) {
		CHECK(shmem_pe_accessible(pe) == 1);
		CHECK(shmem_addr_accessible(heap, pe) == 1);
		CHECK(shmem_addr_accessible(&in_data, pe) == 1);
		CHECK(shmem_addr_accessible(&in_bss, pe) == 1);
		CHECK(shmem_addr_accessible(&on_stack, pe) == 0);
		p = shmem_ptr(heap, pe);
		if (pe == shmem_my_pe())
			CHECK(p == heap);
		if (p) {
			*heap = 77 + shmem_my_pe();
			shmem_barrier_all();
			CHECK(*p == 77 + pe);
		} else {
			shmem_barrier_all();
		}
		CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, heap, pe) == (void *)p);
		shmem_barrier_all();
	}
	/* Hosts share nothing: whom SHARED names must be reachable by loads. */
	for (pe = 0; pe < shmem_team_n_pes(SHMEM_TEAM_SHARED); pe++)
		CHECK(shmem_team_ptr(SHMEM_TEAM_SHARED, heap, pe) != NULL);
	/* and the other way round, however a launcher dealt the PEs out */
	for (pe = 0; pe < n; pe++)
		CHECK((shmem_ptr(heap, pe) != NULL) ==
		      (shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED) >= 0));
	shmem_free(heap);
}

/** Init and finalize nest; the inner finalize ends nothing. */
static void
nested(void)
{
	int up = -1, level = -1, in_force = -1, n = shmem_n_pes();
	int right = (shmem_my_pe() + 1) % n;
	long *word = shmem_calloc(1, sizeof(*word));
	shmem_team_t team = SHMEM_TEAM_INVALID;
	shmem_ctx_t ctx = SHMEM_CTX_INVALID;

	CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &team) == 0);
	CHECK(shmem_team_create_ctx(team, 0, &ctx) == 0);
	shmem_query_thread(&in_force);
	shmem_init();
	CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level) == 0);
	CHECK(level == in_force);
	shmem_query_initialized(&up);
	CHECK(up == 1);
	shmem_long_p(word, 5, right);
	shmem_finalize();
	/* Inner finalize: as barrier_all. */
	CHECK(*word == 5);
	shmem_finalize();
	shmem_query_initialized(&up);
	CHECK(up == 1);
	shmem_barrier_all();
	CHECK(shmem_long_g(word, right) == 5);
	/* It has left earlier allocations as they were. */
	CHECK(shmem_team_sync(team) == 0);
	shmem_ctx_long_p(ctx, word, 6, (shmem_team_my_pe(team) + 1) % n);
	shmem_ctx_quiet(ctx);
	shmem_barrier_all();
	CHECK(*word == 6);
	shmem_team_destroy(team);
	shmem_free(word);
}

/** No thread of the library takes a signal that the program blocks and waits for. */
static void
signals(void)
{
	sigset_t set, was;
	int sig = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	CHECK(pthread_sigmask(SIG_BLOCK, &set, &was) == 0);
	CHECK(kill(getpid(), SIGUSR1) == 0);
	CHECK(sigwait(&set, &sig) == 0 && sig == SIGUSR1);
	CHECK(pthread_sigmask(SIG_SETMASK, &was, NULL) == 0);
}

/** The last finalize completes and destroys what is left. */
static void
leave_behind(void)
{
	static long from = 9;
	int n = shmem_n_pes();
	shmem_team_t x, y;
	shmem_ctx_t ctx, team_ctx;

	CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &x, NULL, 0, &y) == 0);
	CHECK(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx) == 0);
	CHECK(shmem_team_create_ctx(y, 0, &team_ctx) == 0);
	shmem_ctx_long_put_nbi(ctx, &left_behind[0], &from, 1, (shmem_my_pe() + 1) % n);
	shmem_ctx_long_atomic_inc(team_ctx, &left_behind[1], 0);
}

/** One init and finalize of the library, with traffic between. */
static void
life(int round, int level)
{
	int provided = -1, query = -1, up = -1, me, n;
	long *array;

	shmem_query_initialized(&up);
	CHECK(up == 0);
	CHECK(shmem_init_thread(level, &provided) == 0);
	CHECK(provided >= level);
	shmem_query_thread(&query);
	CHECK(query == provided);
	shmem_query_initialized(&up);
	CHECK(up == 1);
	me = shmem_my_pe();
	n = shmem_n_pes();
	CHECK(me >= 0 && me < n);
	accessibility();
	nested();
	signals();

	array = shmem_calloc((size_t)n, sizeof(*array));
	CHECK(array != NULL);
	in_bss = 0;
	left_behind[0] = left_behind[1] = 0;
	shmem_barrier_all();
	shmem_long_p(&array[me], round * 100 + me, (me + 1) % n);
	shmem_int_p(&in_bss, round + 1, (me + n - 1) % n);
	shmem_barrier_all();
	CHECK(array[(me + n - 1) % n] == round * 100 + (me + n - 1) % n);
	CHECK(in_bss == round + 1);
	/* Put on the way out: finalize completes it, though no PE reads it. */
	shmem_int_p(&in_data, 3, (me + 1) % n);
	leave_behind();
	shmem_finalize();
	shmem_query_initialized(&up);
	CHECK(up == 0);
	/* The first row of two counts the PEs of its columns. */
	CHECK(left_behind[0] == 9);
	CHECK(left_behind[1] == (me < 2 ? (n - me + 1) / 2 : 0));
}

int
main(void)
{
	alarm(60);
	life(0, SHMEM_THREAD_SINGLE);
	life(1, SHMEM_THREAD_FUNNELED);
	life(2, SHMEM_THREAD_SERIALIZED);
	life(3, SHMEM_THREAD_MULTIPLE);
	return failures != 0;
}
