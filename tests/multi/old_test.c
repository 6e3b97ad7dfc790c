/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * What the standard deprecates and still demands: active-set collectives, the atomics and waits of
 * old, start_pes. Programs written for older implementations live on these.
 */
#include <string.h>

#include "multi.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define N 100

static long psync[4][SHMEM_SYNC_SIZE];
static long pwork_long[N / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static double pwork_double[N / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static int turn;

/** A pSync that is not in use: they are taken in turns. */
static long *
sync_words(void)
{
	return psync[turn++ % 4];
}

static void
fresh_psync(void)
{
	int i, j;

	for (i = 0; i < 4; i++)
		for (j = 0; j < SHMEM_SYNC_SIZE; j++)
			psync[i][j] = SHMEM_SYNC_VALUE;
	turn = 0;
	shmem_barrier_all();
}

/* Active sets: all; every other one; all but PE 0. */
struct set {
	int start, log_stride, size;
};

static int
sets(struct set *s)
{
	s[0] = (struct set){0, 0, mt_npes};
	s[1] = (struct set){0, 1, (mt_npes + 1) / 2};
	s[2] = (struct set){1, 0, mt_npes - 1};
	return mt_npes > 1 ? 3 : 2;
}

/** Place of this PE in the set, -1: none. */
static int
place(const struct set *s)
{
	int off = mt_me - s->start, stride = 1 << s->log_stride;

	return off >= 0 && off % stride == 0 && off / stride < s->size ? off / stride : -1;
}

static void
check_moves(const struct set *s, int me, long *at, long *from)
{
	int root = s->size - 1, m, i;
	size_t mine = (size_t)me % 3 * 2, off;

	for (i = 0; i < N + 3 * mt_npes; i++)
		from[i] = me * 10000 + i;
	memset(at, 0, (size_t)(N * mt_npes) * sizeof(long));
	shmem_barrier(s->start, s->log_stride, s->size, sync_words());
	shmem_broadcast64(at, from, N, root, s->start, s->log_stride, s->size, sync_words());
	for (i = 0; i < N; i++)
		CHECK_EQ(at[i], me == root ? 0 : root * 10000 + i);
	shmem_barrier(s->start, s->log_stride, s->size, sync_words());
	shmem_fcollect64(at, from, 10, s->start, s->log_stride, s->size, sync_words());
	for (i = 0; i < 10 * s->size; i++)
		CHECK_EQ(at[i], i / 10 * 10000 + i % 10);
	shmem_barrier(s->start, s->log_stride, s->size, sync_words());
	shmem_collect64(at, from, mine, s->start, s->log_stride, s->size, sync_words());
	for (off = 0, m = 0; m < s->size; m++)
		for (i = 0; i < m % 3 * 2; i++)
			CHECK_EQ(at[off++], m * 10000 + i);
	shmem_barrier(s->start, s->log_stride, s->size, sync_words());
	shmem_alltoall64(at, from, 1, s->start, s->log_stride, s->size, sync_words());
	for (m = 0; m < s->size; m++)
		CHECK_EQ(at[m], m * 10000 + me);
	shmem_barrier(s->start, s->log_stride, s->size, sync_words());
	shmem_alltoalls64(at, from, 2, 3, 1, s->start, s->log_stride, s->size, sync_words());
	for (m = 0; m < s->size; m++)
		CHECK_EQ(at[2 * m], m * 10000 + 3 * me);
	shmem_sync(s->start, s->log_stride, s->size, sync_words());
}

static void
case_active_sets(void)
{
	long *at = mt_alloc((size_t)(N * mt_npes) * sizeof(long));
	long *from = mt_alloc((size_t)(N + 3 * mt_npes) * sizeof(long));
	struct set s[3];
	int i, n = sets(s);

	fresh_psync();
	for (i = 0; i < n; i++) {
		mt_waiting("collectives of an active set");
		if (place(&s[i]) >= 0)
			check_moves(&s[i], place(&s[i]), at, from);
		shmem_barrier_all();
		fresh_psync();
	}
	shmem_free(from);
	shmem_free(at);
}

static void
case_to_all(void)
{
	static long from[N], at[N];
	static double dfrom[N], dat[N];
	struct set s[3], *a;
	int i, me, n = sets(s);
	long k;

	fresh_psync();
	for (a = s; a < s + n; a++) {
		me = place(a);
		k = a->size;
		for (i = 0; i < N; i++) {
			from[i] = me + 1 + i;
			dfrom[i] = me * 0.5 + i;
		}
		shmem_barrier_all();
		mt_waiting("reductions of an active set");
		if (me >= 0) {
			shmem_long_sum_to_all(at, from, N, a->start, a->log_stride, a->size,
					      pwork_long, sync_words());
			shmem_barrier(a->start, a->log_stride, a->size, sync_words());
			for (i = 0; i < N; i++)
				CHECK_EQ(at[i], k * (k + 1) / 2 + k * i);
			shmem_double_max_to_all(dat, dfrom, N, a->start, a->log_stride, a->size,
						pwork_double, sync_words());
			for (i = 0; i < N; i++)
				CHECK(dat[i] == (double)(k - 1) * 0.5 + i);
			shmem_barrier(a->start, a->log_stride, a->size, sync_words());
			shmem_long_xor_to_all(at, from, N, a->start, a->log_stride, a->size,
					      pwork_long, sync_words());
			for (i = 0; i < N; i++) {
				long want = 0, m;

				for (m = 0; m < k; m++)
					want ^= m + 1 + i;
				CHECK_EQ(at[i], want);
			}
		}
		shmem_barrier_all();
		fresh_psync();
	}
}

/** The same pSync for one barrier after the other of the same set. */
static void
case_barriers(void)
{
	static long seen[MT_PES];
	long round;
	int pe;

	fresh_psync();
	memset(seen, 0, sizeof(seen));
	shmem_barrier_all();
	for (round = 1; round <= 100; round++) {
		for (pe = 0; pe < mt_npes; pe++)
			shmem_long_p(&seen[mt_me], round, pe);
		mt_waiting("shmem_barrier");
		shmem_barrier(0, 0, mt_npes, psync[0]);
		for (pe = 0; pe < mt_npes; pe++)
			CHECK(seen[pe] == round || seen[pe] == round + 1);
	}
	shmem_barrier_all();
}

static void
case_atomics(void)
{
	static int i;
	static long l;
	static long long ll;
	static float f;
	static double d;
	int pe = mt_pe(1);

	i = 5;
	l = 6;
	ll = 7;
	f = 1.5f;
	d = 2.5;
	shmem_barrier_all();
	/* One PE works on each word. */
	CHECK_EQ(shmem_int_fadd(&i, 3, pe), 5);
	CHECK_EQ(shmem_int_finc(&i, pe), 8);
	shmem_int_add(&i, 10, pe);
	shmem_int_inc(&i, pe);
	CHECK_EQ(shmem_int_cswap(&i, 20, 30, pe), 20);
	CHECK_EQ(shmem_int_swap(&i, 40, pe), 30);
	shmem_int_set(&i, 41, pe);
	CHECK_EQ(shmem_int_fetch(&i, pe), 41);
	CHECK_EQ(shmem_long_fadd(&l, -7, pe), 6);
	CHECK_EQ(shmem_long_fetch(&l, pe), -1);
	CHECK_EQ(shmem_longlong_cswap(&ll, 7, -7, pe), 7);
	CHECK_EQ(shmem_longlong_swap(&ll, 1, pe), -7);
	CHECK(shmem_float_swap(&f, 3.5f, pe) == 1.5f);
	CHECK(shmem_float_fetch(&f, pe) == 3.5f);
	shmem_double_set(&d, -0.25, pe);
	CHECK(shmem_double_swap(&d, 1, pe) == -0.25);
	shmem_barrier_all();
}

static void
case_waits(void)
{
	static long plain, until;
	static short s;
	static int i;
	int pe = mt_pe(1);

	plain = 0;
	until = 0;
	s = 0;
	i = 0;
	shmem_barrier_all();
	shmem_long_p(&plain, 9, pe);
	shmem_long_p(&until, 9, pe);
	shmem_short_p(&s, -2, pe);
	shmem_int_p(&i, 1, pe);
	mt_waiting("the deprecated waits");
	shmem_wait(&plain, 0);
	shmem_wait_until(&until, SHMEM_CMP_EQ, 9);
	shmem_short_wait_until(&s, _SHMEM_CMP_LT, 0);
	shmem_int_wait(&i, 0);
	CHECK_EQ(plain, 9);
	CHECK_EQ(s, -2);
	CHECK_EQ(i, 1);
	CHECK_EQ(_my_pe(), mt_me);
	CHECK_EQ(_num_pes(), mt_npes);
	shmem_barrier_all();
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"active_sets", case_active_sets},
		{"to_all", case_to_all},
		{"barriers", case_barriers},
		{"atomics", case_atomics},
		{"waits", case_waits},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
