/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Mistakes of one PE, one of which the argument names. They end the program with one line that
 * names call, argument and value, and a status that is not zero. test_misuse.py runs this program
 * and knows what the library should say to each.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <shmem.h>

#include "misuse.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static int x[8];
static long l;
static uint64_t sig;

static void *
run_put(void *arg)
{
	shmem_ctx_int_put(*(shmem_ctx_t *)arg, x, x + 4, 1, 0);
	return NULL;
}

static void *
run_quiet(void *arg)
{
	shmem_ctx_quiet(*(shmem_ctx_t *)arg);
	return NULL;
}

/* Calls that return a status do so. */
static int
calls_refused(void)
{
	int level = -1, good;

	good = shmem_init_thread(77, &level) != 0 && level == -1;
	setenv("SHMEM_SYMMETRIC_SIZE", "much", 1);
	good &= shmem_init_thread(SHMEM_THREAD_SINGLE, &level) != 0;
	unsetenv("SHMEM_SYMMETRIC_SIZE");
	good &= shmem_init_thread(SHMEM_THREAD_SINGLE, &level) == 0;
	return good ? 0 : 2;
}

static void
bad_arguments(void)
{
	if (is("pe_range"))
		shmem_int_p(x, 1, 5);
	if (is("pe_negative"))
		(void)shmem_long_atomic_fetch_inc(&l, -3);
	if (is("on_stack")) {
		char here[8] = "";

		shmem_putmem(here, x, 8, 0);
	}
	if (is("null_dest"))
		shmem_double_put(NULL, NULL, 1, 0);
	if (is("over_the_end"))
		shmem_getmem(x, shmem_malloc(8), (size_t)1 << 40, 0);
	if (is("too_many"))
		shmem_int_put(x, x, SIZE_MAX / 2, 0);
	if (is("no_ctx"))
		shmem_ctx_int_put(SHMEM_CTX_INVALID, x, x, 1, 0);
	if (is("bad_sig_op"))
		shmem_putmem_signal(x, x + 4, 4, &sig, 1, 9, 0);
	if (is("bad_cmp"))
		shmem_int_wait_until(x, 0, 0);
	if (is("stride_zero"))
		shmem_int_iput(x, x + 4, 0, 1, 2, 0);
	if (is("stride_short"))
		shmem_int_ibget(x, x, 3, 2, 3, 2, 0);
	if (is("unaligned_amo"))
		shmem_int_atomic_inc((int *)(void *)((char *)x + 2), 0);
	if (is("bad_quiet")) {
		int pes[2] = {0, 7};

		shmem_pe_quiet(pes, 2);
	}
	/* No data to move, but a valid PE is needed all the same. */
	if (is("pe_for_nothing"))
		shmem_int_put(NULL, NULL, 0, 5);
	if (is("default_ctx_destroyed"))
		shmem_ctx_destroy(SHMEM_CTX_DEFAULT);
	if (is("nothing")) {
		shmem_int_put(x + 8, NULL, 0, 0);
		shmem_putmem(NULL, NULL, 0, 0);
		shmem_int_get_nbi(NULL, x, 0, 0);
		shmem_int_iput(NULL, NULL, 0, 0, 0, 0);
		shmem_int_ibget(x + 8, x + 8, 0, 0, 0, 3, 0);
		shmem_int_ibget(x + 8, x + 8, 0, 0, 3, 0, 0);
		shmem_putmem_signal(NULL, NULL, 0, &sig, 1, SHMEM_SIGNAL_SET, 0);
		/* strided arrays may interleave, and be one */
		shmem_int_iput(x, x + 1, 2, 2, 4, 0);
		shmem_int_iget(x, x, 2, 2, 4, 0);
		shmem_finalize();
	}
}

static void
calls_outside(void)
{
	if (is("finalized")) {
		shmem_finalize();
		shmem_quiet();
	}
	/* Undefined, but other implementations answer, and so do we unless SHMEM_CHECK=1. */
	if (is("who_was_it")) {
		int n = shmem_n_pes();

		shmem_finalize();
		exit(shmem_my_pe() == 0 && shmem_n_pes() == n ? 0 : 2);
	}
	if (is("finalized_twice")) {
		shmem_finalize();
		shmem_finalize();
		exit(0);
	}
	if (is("raw_early"))
		(void)shmem_my_pe();
	if (is("raw_start_pes")) {
		start_pes(0);
		start_pes(0);
		if (_my_pe() == 0 && _num_pes() == 1 && shmalloc(8) != NULL)
			exit(0);
		exit(2);
	}
	if (is("exit_status"))
		shmem_global_exit(7);
	if (is("no_finalize"))
		exit(0);
	if (is("no_finalize_failed"))
		exit(3);
}

static void
mistakes_checked(void)
{
	if (is("overlapping"))
		shmem_int_put(x + 1, x, 4, 0);
	if (is("overlapping_strides")) {
		/* element 4 is the third of one, and the second of the other */
		shmem_int_iput(x, x + 1, 2, 3, 3, 0);
	}
	if (is("overlapping_blocks")) {
		shmem_int_ibget(x + 2, x, 4, 4, 2, 2, 0);
		shmem_int_ibget(x + 1, x, 4, 4, 2, 1, 0);
	}
	if (is("unaligned"))
		shmem_int_put(x, (const int *)(const void *)((const char *)x + 17), 1, 0);
	if (is("wait_on_stack")) {
		int here = 0;

		shmem_int_wait_until(&here, SHMEM_CMP_EQ, 0);
	}
	if (is("signal_in_data")) {
		static uint64_t data[4], from[4];

		shmem_uint64_put_signal(data, from, 4, &data[1], 1, SHMEM_SIGNAL_SET, 0);
	}
	if (is("other_thread")) {
		shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
		pthread_t t;

		pthread_create(&t, NULL, run_put, &ctx);
		pthread_join(t, NULL);
	}
}

static void
contexts_checked(void)
{
	if (is("destroyed_ctx")) {
		shmem_ctx_t ctx;

		shmem_ctx_create(0, &ctx);
		shmem_ctx_destroy(ctx);
		shmem_ctx_quiet(ctx);
	}
	if (is("destroyed_team_ctx")) {
		shmem_team_t team;
		shmem_ctx_t ctx;

		shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team);
		shmem_team_create_ctx(team, 0, &ctx);
		shmem_team_destroy(team);
		shmem_ctx_int_p(ctx, x, 1, 0);
	}
	if (is("team_of_destroyed_ctx")) {
		shmem_team_t team;
		shmem_ctx_t ctx;

		shmem_ctx_create(0, &ctx);
		shmem_ctx_destroy(ctx);
		(void)shmem_ctx_get_team(ctx, &team);
	}
	if (is("left_private_in_team")) {
		shmem_team_t team;
		shmem_ctx_t ctx;

		shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team);
		shmem_team_create_ctx(team, SHMEM_CTX_PRIVATE, &ctx);
		shmem_team_destroy(team);
	}
	if (is("other_private")) {
		shmem_ctx_t ctx;
		pthread_t t;
		int level;

		/* the program starts at the lowest level: begin anew */
		shmem_finalize();
		shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
		shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx);
		pthread_create(&t, NULL, run_quiet, &ctx);
		pthread_join(t, NULL);
	}
	if (is("left_private")) {
		shmem_ctx_t ctx;

		shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx);
		shmem_finalize();
	}
}

/* Names with raw_ are called without shmem_init(). */
int
main(int argc, char **argv)
{
	if (argc != 2)
		return 98;
	misuse_wanted = argv[1];
	if (is("raw_refused"))
		return calls_refused();
	if (strncmp(argv[1], "raw_", 4) != 0)
		shmem_init();
	bad_arguments();
	calls_outside();
	mistakes_checked();
	contexts_checked();
	return misuse_found ? 0 : 98;
}
