/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Names of Sandia OpenSHMEM and of Open MPI's shmemx.h; test_instead.py sees that each one stands
 * for its call. And habits that others allow: a macro of theirs asked for the version, work arrays
 * on the stack, small and bad alignments, bits of signed words, a second finalize, results and PE
 * numbers read after it.
 */
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>

#if !defined(OSHMEM_SPEC_VERSION) || OSHMEM_SPEC_VERSION < 10300
#error "not even OpenSHMEM 1.3"
#endif

static long part, sum, blocks[4];
static unsigned int unsigned_word;
static long long bits_of[2];
static int32_t small, bits;
static int64_t large;
static int16_t got16, part16;
static uint64_t came, late;

static void
check(const char *what, long is, long should)
{
	if (is == should)
		return;
	fprintf(stderr, "PE %d: %s is %ld, not %ld\n", shmem_my_pe(), what, is, should);
	shmem_global_exit(1);
}

static void
teams_of_sandia(int me, int n)
{
	shmemx_team_t even = SHMEMX_TEAM_NULL;

	shmemx_team_split_strided(SHMEMX_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &even);
	check("rank", shmemx_team_my_pe(even), me % 2 ? -1 : me / 2);
	check("translated", shmemx_team_translate_pe(SHMEMX_TEAM_WORLD, 0, even), me % 2 ? -1 : 0);
	if (even != SHMEMX_TEAM_INVALID) {
		check("size", shmemx_team_n_pes(even), (n + 1) / 2);
		shmemx_sync(even);
		shmemx_team_destroy(even);
	}
}

/* Sandia's newer ones, before OpenSHMEM 1.6 or beyond it. */
static void
more_of_sandia(int me, int n)
{
	const shmem_session_config_t batch = {.total_ops = 4};
	long pair[2] = {me, me + 1};
	int right = (me + 1) % n, there = 0;

	shmemx_query_initialized(&there);
	check("initialized", there, 1);
	shmem_session_start(SHMEM_CTX_DEFAULT, SHMEM_SESSION_BATCH | SHMEM_SESSION_SAME_AMO, &batch,
			    SHMEM_SESSION_TOTAL_OPS);
	shmemx_long_ibput(blocks, pair, 2, 1, 1, 2, right);
	shmemx_ctx_ibput64(SHMEM_CTX_DEFAULT, blocks + 1, pair, 2, 1, 1, 2, right);
	shmem_session_stop(SHMEM_CTX_DEFAULT);
	shmemx_signal_add(&came, 5, right);
	shmem_barrier_all();
	check("blocks", blocks[2] - blocks[1], 1);
	check("signal", (long)shmemx_signal_fetch(&came), 5);
	part = 2;
	shmemx_long_sum_exscan(SHMEMX_TEAM_WORLD, &sum, &part, 1);
	check("sum before", sum, 2L * me);
	bits_of[0] = 1LL << (40 + me);
	shmem_longlong_or_reduce(SHMEM_TEAM_WORLD, bits_of + 1, bits_of, 1);
	check("bits of all", bits_of[1] >> 40, (1 << n) - 1);
	check("of an unsigned one", shmem_uint_fadd(&unsigned_word, 3, right), 0);
	shmem_udcflush();
	shmem_barrier_all();
	check("added", shmem_uint_fetch(&unsigned_word, me), 3);
#if __STDC_VERSION__ >= 201112L
	shmemx_ibget(pair, blocks, 1, 2, 1, 2, right);
	check("by a name without a type", pair[1] - pair[0], 1);
	shmemx_signal_set(SHMEM_CTX_DEFAULT, &came, 9, right);
	shmemx_wait_until_any(&came, 1, NULL, SHMEM_CMP_EQ, 9);
	shmemx_sum_inscan(SHMEMX_TEAM_WORLD, &sum, &part, 1);
	check("sum so far", sum, 2L * (me + 1));
#endif
}

static void
sizes_of_open_mpi(int me, int n)
{
	int16_t work16[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
	long sync_words[SHMEM_REDUCE_SYNC_SIZE];
	int right = (me + 1) % n;

	check("swap", shmem_int32_swap(&small, 3, right), 0);
	check("add and fetch", shmem_int32_fadd(&small, 2, right), 3);
	check("conditional swap", shmem_int32_cswap(&small, 5, 9, right), 5);
	shmem_int64_inc(&large, right);
	shmem_int64_add(&large, 4, right);
	shmem_barrier_all();
	check("int32", small, 9);
	check("int64", large, 5);
	check("with an x", shmemx_int32_g(&small, right) + (long)shmemx_int64_fetch(&large, right),
	      14);
	for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
		sync_words[i] = SHMEM_SYNC_VALUE;
	for (int round = 0; round < 3; round++) {
		part16 = (int16_t)(me + round);
		shmem_barrier_all();
		shmem_int16_max_to_all(&got16, &part16, 1, 0, 0, n, work16, sync_words);
		check("largest", got16, n - 1 + round);
	}
}

int
main(void)
{
	shmem_init();
	int me = shmem_my_pe(), n = shmem_n_pes();
	void *block = shmemx_malloc_with_hints(64, SHMEMX_MALLOC_NO_BARRIER);

	check("block", block != NULL, 1);
	shmem_free(shmemx_malloc_with_hint(64, SHMEM_HINT_ATOMICS | SHMEMX_MALLOC_SIGNAL_REMOTE));
	teams_of_sandia(me, n);
	more_of_sandia(me, n);
	sizes_of_open_mpi(me, n);
	shmem_free(block);
	shmem_free(shmem_align(2, 100));
	check("badly aligned", shmem_align(24, 100) == NULL, 1);
	shmem_int_atomic_or(&bits, 1 << me, 0);
	shmem_barrier_all();
	check("bits", bits, me == 0 ? (1 << n) - 1 : 0);
	shmem_uint64_p(&late, (uint64_t)me + 1, (me + 1) % n);
	shmem_finalize();
	shmem_finalize();
	if (late != (uint64_t)((me + n - 1) % n) + 1 || me != shmem_my_pe() || n != shmem_n_pes())
		return 1;
	printf("passed\n");
	return 0;
}
