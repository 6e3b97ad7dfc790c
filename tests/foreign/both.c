/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * MPI and OpenSHMEM in one program, as doc/mpi.md allows it. Each step uses one to order or to
 * carry what the other moved, and compares values.
 *
 * Usage: both mpi|shmem|id mpi|shmem: what starts first (id: MPI, and its broadcast brings the id),
 * and what ends first
 */
#include <mpi.h>
#include <omp.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>

enum {
	ROUNDS = 20,
	THREADS = 3,
	LONGS = 100000
};

static long before = 4711, counter, added, box, sum, part, got[THREADS],
	    big[LONGS]; /* all symmetric */
static uint64_t came;
static long *heap;
static int me, n, left, right;

static void
check(const char *what, long is, long should)
{
	if (is == should)
		return;
	fprintf(stderr, "PE %d: %s is %ld, not %ld\n", me, what, is, should);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static void
start_both(const char *first)
{
	char id[SHMEMX_ID_SIZE] = "";
	int level = 0;

	if (*first == 's')
		shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
	MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	left = (me + n - 1) % n;
	right = (me + 1) % n;
	before += me; /* static data from before shmem_init stays */
	if (*first == 'm')
		shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
	if (*first == 'i' && me == 0)
		shmemx_make_id(id);
	MPI_Bcast(id, sizeof(id), MPI_CHAR, 0, MPI_COMM_WORLD);
	if (*first == 'i')
		shmemx_init_by_id(id, me, n, SHMEM_THREAD_MULTIPLE, &level);
	check("PE", shmem_my_pe(), me);
	check("PEs", shmem_n_pes(), n);
	shmem_barrier_all();
	check("static data before", shmem_long_g(&before, right), 4711 + right);
	heap = shmem_calloc(LONGS, sizeof(*heap));
}

static void
exchange(const void *out, int to, void *in, int from, int longs, int tag)
{
	MPI_Sendrecv(out, longs, MPI_LONG, to, tag, in, longs, MPI_LONG, from, tag, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
}

/* What a quiet completed is there for whom a message tells so, in static data and in the heap. */
static void
message_after_quiet(long round)
{
	long word = 0, value = 100 * round + me;

	part = value;
	big[LONGS - 1] = value;
	shmem_long_put_nbi(heap, big, LONGS, right);
	shmem_long_p(&box, value, right);
	shmem_long_atomic_add(&counter, value, right);
	shmem_quiet();
	exchange(&value, right, &word, left, 1, 0);
	check("message", word, 100 * round + left);
	check("put", box, word);
	check("end of a large put", heap[LONGS - 1], word);
	check("sum of atomics", counter, (round + 1) * left + 50 * round * (round + 1));
	MPI_Barrier(MPI_COMM_WORLD);
}

/* A message into the heap and out of it, large enough to need both sides; the signal says from
 * where. */
static void
message_of_heap(long round)
{
	uint64_t value = (uint64_t)(1000 * round + me + 1);

	sum = part + 7;
	shmem_putmem_signal(&box, &sum, sizeof(sum), &came, value, SHMEM_SIGNAL_SET, right);
	shmem_signal_wait_until(&came, SHMEM_CMP_EQ, (uint64_t)(1000 * round + left + 1));
	big[0] = box - 6;
	exchange(big, right, heap, left, LONGS,
		 1); /* the left one sends on what it got from its left */
	check("carried by both", heap[0], 100 * round + (left + n - 1) % n + 1);
	MPI_Barrier(MPI_COMM_WORLD);
	check("get of a message", shmem_long_g(heap, right), 100 * round + left + 1);
	shmem_barrier_all();
}

static void
collectives(long round)
{
	long mpi = 0, all = n * (n - 1L) / 2 + 100L * n * round;

	MPI_Allreduce(&part, &mpi, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &part, 1);
	check("sum of MPI", mpi, all);
	check("sum of OpenSHMEM", sum, all);
	sum = me == round % n ? 2 * sum : 0;
	MPI_Bcast(&sum, 1, MPI_LONG, (int)(round % n), MPI_COMM_WORLD);
	shmem_broadcastmem(SHMEM_TEAM_WORLD, &box, &sum, sizeof(sum), (int)(round + 1) % n);
	check("broadcast by both", box, 2 * all);
}

/* All but PE 0, which waits in MPI, fetch from it and add: that needs no call of it. */
static void
target_in_mpi(long round)
{
	long fetched = me > 0 ? shmem_long_atomic_fetch_add(&got[0], 1, 0) : 0;

	MPI_Allreduce(&fetched, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	check("sum of fetches", sum, (n - 1) * (n - 1) * round + (n - 1) * (n - 2) / 2);
}

/* Each thread sends messages and puts at the same time as the others. */
static void
threads_of_openmp(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		long t = omp_get_thread_num(), round, word, value;

		for (round = 0; round < ROUNDS; round++) {
			value = 1000 * round + 10 * t + me;
			shmem_long_p(&got[t], value, right);
			shmem_long_atomic_inc(&added, right);
			shmem_quiet();
			exchange(&value, right, &word, left, 1, 10 + (int)t);
			check("message of a thread", word, 1000 * round + 10 * t + left);
			check("put of a thread", got[t], word);
			exchange(&value, left, &word, right, 1, 10 + (int)t); /* seen */
		}
	}
	shmem_barrier_all();
	check("atomics of all threads", added, ROUNDS * THREADS);
}

int
main(int argc, char **argv)
{
	int round;

	if (argc != 3)
		return 2;
	start_both(argv[1]);
	for (round = 0; round < ROUNDS; round++) {
		message_after_quiet(round);
		message_of_heap(round);
		collectives(round);
		target_in_mpi(round);
	}
	threads_of_openmp();
	if (*argv[2] == 's')
		shmem_finalize();
	MPI_Finalize();
	if (*argv[2] == 'm')
		shmem_finalize();
	printf("PE %d of %d: right\n", me, n);
	return 0;
}
