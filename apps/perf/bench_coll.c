/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Loops of all PEs, by the active-set calls that OpenSHMEM 1.4 has, and a barrier without a
 * library.
 */
#include <sched.h>
#include <shmem.h>

#include "perf.h"

enum {
	SETS = 16, /* each pSync is used once between two barriers, as the standard requires */
};

static long *sync_sets[SETS];
static long *work;

bool
perf_coll_init(void)
{
	/* The kinds differ in size among implementations; none of them is large. */
	const size_t sizes[] = {SHMEM_BCAST_SYNC_SIZE, SHMEM_REDUCE_SYNC_SIZE,
				SHMEM_COLLECT_SYNC_SIZE, SHMEM_ALLTOALL_SYNC_SIZE};
	size_t words = 1, i, w;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (sizes[i] > words)
			words = sizes[i];
	for (i = 0; i < SETS; i++) {
		sync_sets[i] = shmem_malloc(words * sizeof(long));
		if (!sync_sets[i])
			return false;
		for (w = 0; w < words; w++)
			sync_sets[i][w] = SHMEM_SYNC_VALUE;
	}
	w = PERF_STATIC_MAX / sizeof(long) / 2 + 1;
	work = shmem_malloc(
		(w > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? w : SHMEM_REDUCE_MIN_WRKDATA_SIZE) *
		sizeof(long));
	return work;
}

static void
coll_one(const struct perf *p, int op, long i)
{
	size_t n = p->size / sizeof(long);
	long *set = sync_sets[i % SETS];

	switch (op) {
	case PERF_BARRIER:
		shmem_barrier_all();
		break;
	case PERF_SYNC:
		shmem_sync_all();
		break;
	case PERF_BROADCAST:
		/* roots in turn: a single root would run ahead */
		shmem_broadcast64(p->dst, p->src, n, (int)(i % p->npes), 0, 0, p->npes, set);
		break;
	case PERF_REDUCE:
		shmem_long_sum_to_all((long *)(void *)p->dst, (long *)(void *)p->src, (int)n, 0, 0,
				      p->npes, work, set);
		break;
	case PERF_COLLECT:
		shmem_collect64(p->dst, p->src, n, 0, 0, p->npes, set);
		break;
	case PERF_FCOLLECT:
		shmem_fcollect64(p->dst, p->src, n, 0, 0, p->npes, set);
		break;
	case PERF_ALLTOALL:
		shmem_alltoall64(p->dst, p->src, n, 0, 0, p->npes, set);
		break;
	}
}

void
perf_coll(struct perf *p, int op, long n)
{
	bool barrier = op == PERF_BARRIER || op == PERF_SYNC;
	long i;

	for (i = 0; i < n; i++) {
		coll_one(p, op, i);
		if (!barrier && i % SETS == SETS - 1)
			shmem_barrier_all();
	}
}

enum {
	FLAG_LOOKS = 64, /* polls of a word before its PE may need this CPU */
};

bool
perf_flags_reach(const struct perf *p)
{
	int pe;

	for (pe = 0; pe < p->npes && shmem_ptr((void *)p->word, pe); pe++)
		;
	return pe == p->npes;
}

static void
see_flag(const volatile long *flag, long epoch)
{
	int looks;

	/* acquire: a barrier has to show what that PE did before it */
	for (looks = 0; __atomic_load_n(flag, __ATOMIC_ACQUIRE) < epoch; looks++)
		if (looks >= FLAG_LOOKS)
			sched_yield();
}

/* Each PE waits until all others' words have reached its own: the least that a barrier can do.
 * With more PEs than CPUs the rest is the scheduler's. */
void
perf_flags(struct perf *p, int op, long n)
{
	static const volatile long *flags[PERF_PES_MAX];
	long last = p->seq + n;
	int pe;

	(void)op;
	for (pe = 0; pe < p->npes; pe++)
		flags[pe] = shmem_ptr((void *)p->word, pe);
	while (p->seq < last) {
		__atomic_store_n(p->word, ++p->seq, __ATOMIC_RELEASE);
		for (pe = 0; pe < p->npes; pe++)
			see_flag(flags[pe], p->seq);
	}
}

/* The first CPU that PE 0 may use. */
static int
first_cpu(const struct perf *p, const cpu_set_t *mine)
{
	const volatile long *told = shmem_ptr((void *)p->word, 0);
	int cpu = 0;

	if (p->me == 0) {
		while (!CPU_ISSET(cpu, mine))
			cpu++;
		__atomic_store_n(p->word, cpu + 1, __ATOMIC_RELEASE);
	}
	see_flag(told, 1);
	return (int)*told - 1;
}

/* PEs that only let each other run, on one CPU. With p PEs on each CPU, a barrier needs p - 1
 * such switches there: the last PE to arrive continues into the next barrier, and so arrives
 * twice before it yields its CPU. */
void
perf_switch(struct perf *p, int op, long n)
{
	cpu_set_t mine, one;

	(void)op;
	if (sched_getaffinity(0, sizeof(mine), &mine) < 0)
		return;
	CPU_ZERO(&one);
	CPU_SET(first_cpu(p, &mine), &one);
	sched_setaffinity(0, sizeof(one), &one);
	shmem_barrier_all();
	for (n /= p->npes; n > 0; n--)
		sched_yield();
	sched_setaffinity(0, sizeof(mine), &mine);
}
