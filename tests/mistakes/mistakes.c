/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Mistakes that people make, on 2 PEs. "Says:" has what must be printed, divided by "|", and the
 * lines marked "wrong" are those that may be named. Usage: mistakes NAME
 */
#include <stdint.h>
#include <string.h>

#include <shmem.h>

static int x; /* the races name it */

/* A call before shmem_init().
 * Says: shmem_int_p: called outside of shmem_init and shmem_finalize
 */
static void
too_early(void)
{
	shmem_int_p(&x, 1, 0); /* wrong */
}

/* PEs count from 0, so there is none with the number of all.
 * Says: shmem_int_p: PE 2 is not in 0..1
 */
static void
no_such_pe(void)
{
	shmem_int_p(&x, 1, shmem_n_pes()); /* wrong */
}

/* A variable on the stack is at no place that other PEs know.
 * Says: PE 0|shmem_int_p: address|not symmetric
 */
static void
not_symmetric(void)
{
	int here = 0;

	if (shmem_my_pe() == 0)
		shmem_int_p(&here, 1, 1); /* wrong */
}

/* The address of an atomic has to be aligned like its type.
 * Says: shmem_int_atomic_inc: |not aligned to 4 bytes
 */
static void
misaligned(void)
{
	static char chars[8];

	shmem_int_atomic_inc((int *)(void *)(chars + 2), 0); /* wrong */
}

/* A put goes past the end of the block that was allocated.
 * Says: PE 1|shmem_int_put: 40 bytes|run over the end|36 bytes
 */
static void
overrun(void)
{
	static int from[10];
	int *block;

	block = shmem_malloc(9 * sizeof(*block));
	if (shmem_my_pe() == 1)
		shmem_int_put(block, from, 10, 0); /* wrong */
}

/* A block is used after it was freed.
 * Says: PE 0|shmem_int_p: address|in no allocated block
 */
static void
freed(void)
{
	int *block = shmem_malloc(sizeof(*block));

	shmem_free(block);
	if (shmem_my_pe() == 0)
		shmem_int_p(block, 1, 1); /* wrong */
}

/* A block is freed twice.
 * Says: shmem_free: 0x|not the start of an allocated block
 */
static void
freed_twice(void)
{
	int *block = shmem_malloc(sizeof(*block));

	shmem_free(block);
	shmem_free(block); /* wrong */
}

/* The operator of a signal is SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD, not SHMEM_CMP_NE.
 * Says: shmem_int_put_signal: sig_op is 2
 */
static void
signal_op(void)
{
	static uint64_t signal;
	static int to[4], from[4];

	shmem_int_put_signal(to, from, 4, &signal, 1, SHMEM_CMP_NE, 0); /* wrong */
}

/* The root of a team's broadcast is its rank in the team, not its number in the world.
 * Says: PE 1: shmem_int_broadcast: PE_root 1 is not in 0..0
 */
static void
team_rank(void)
{
	static int to, from;
	shmem_team_t team;

	shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 1, 1, NULL, 0, &team);
	if (team != SHMEM_TEAM_INVALID)
		shmem_int_broadcast(team, &to, &from, 1, shmem_my_pe()); /* wrong */
}

/* A context is used after it was destroyed.
 * Says: shmem_ctx_int_p: context|was destroyed
 */
static void
context_gone(void)
{
	shmem_ctx_t ctx;

	(void)shmem_ctx_create(0, &ctx);
	shmem_ctx_destroy(ctx);
	shmem_ctx_int_p(ctx, &x, 1, 0); /* wrong */
}

/* The source of a nonblocking put is used again before a quiet.
 * Says: PE 0|shmem_int_put_nbi: source|was changed before a quiet
 */
static void
changed_source(void)
{
	static int to[4], from[4];

	if (shmem_my_pe() == 0) {
		shmem_int_put_nbi(to, from, 4, 1); /* wrong */
		from[0] = 1;
	}
	shmem_barrier_all();
}

/* A get may come before the put that the same PE made, as there is no quiet between them.
 * Mode: races
 * Says: PE 0: shmem_int_g: x of PE 1 is read here|shmem_int_p|no quiet between the two
 */
static void
no_quiet(void)
{
	if (shmem_my_pe() == 0) {
		shmem_int_p(&x, 1, 1);
		x = shmem_int_g(&x, 1); /* wrong */
	}
}

/* A flag may arrive before the data that was put before it, as there is no fence between them.
 * Mode: races
 * Says: race: x of PE 1|shmem_int_p|nothing orders the two
 */
static void
no_fence(void)
{
	static int flag;

	if (shmem_my_pe() == 0) {
		shmem_int_p(&x, 1, 1);
		shmem_int_p(&flag, 1, 1);
	} else {
		shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
		shmem_int_put(&x, &x, 1, 0); /* wrong */
	}
}

/* A PE puts what another one gets.
 * Mode: races
 * Says: race: x of PE 1|shmem_int_p|shmem_int_g|nothing orders the two
 */
static void
put_and_get(void)
{
	if (shmem_my_pe() == 0)
		shmem_int_p(&x, 1, 1); /* wrong */
	else
		x = shmem_int_g(&x, 1); /* wrong */
}

/* A PE releases the lock that another one holds.
 * Says: PE 1: shmem_clear_lock: lock|not held by this PE
 */
static void
not_my_lock(void)
{
	static long lock;

	if (shmem_my_pe() == 0)
		shmem_set_lock(&lock);
	shmem_barrier_all();
	if (shmem_my_pe() == 1)
		shmem_clear_lock(&lock); /* wrong */
	shmem_barrier_all();
}

/* A PE enters a barrier with a lock that another PE waits for.
 * Says: waits for ever|shmem_set_lock: waits for|shmem_barrier_all: waits for
 */
static void
lock_kept(void)
{
	static long lock;

	shmem_set_lock(&lock); /* wrong */
	shmem_barrier_all();   /* wrong */
	shmem_clear_lock(&lock);
}

/* A PE waits for a word that nobody stores.
 * Says: waits for ever|PE 1: shmem_int_wait_until: waits for|PE 0 is in shmem_finalize
 */
static void
never_stored(void)
{
	static int flag;

	if (shmem_my_pe() == 1)
		shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1); /* wrong */
	shmem_finalize();				      /* wrong */
}

/* A collective is called by some of the PEs only.
 * Says: another collective: PE 0 called shmem_barrier_all, PE 1 shmem_finalize
 */
static void
left_out(void)
{
	if (shmem_my_pe() == 0)
		shmem_barrier_all(); /* wrong */
	shmem_finalize();	     /* wrong */
}

/* Two collectives are called in another order by another PE.
 * Says: another collective: PE 0 called shmem_int_sum_reduce, PE 1 shmem_int_max_reduce
 */
static void
other_order(void)
{
	static int sum, most, from;

	if (shmem_my_pe() == 0)
		shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &sum, &from, 1); /* wrong */
	shmem_int_max_reduce(SHMEM_TEAM_WORLD, &most, &from, 1);	/* wrong */
	if (shmem_my_pe() == 1)
		shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &sum, &from, 1);
}

/* Each PE broadcasts from itself.
 * Says: shmem_int_broadcast: PE_root is 0 on PE 0, 1 on PE 1
 */
static void
other_root(void)
{
	static int to, from;

	shmem_int_broadcast(SHMEM_TEAM_WORLD, &to, &from, 1, shmem_my_pe()); /* wrong */
}

/* The members of a team reduce different numbers of elements.
 * Says: shmem_int_sum_reduce: the number of elements is 1 on PE 0, 2 on PE 1
 */
static void
other_count(void)
{
	static int to[2], from[2];

	shmem_int_sum_reduce(SHMEM_TEAM_WORLD, to, from, 1 + (size_t)shmem_my_pe()); /* wrong */
}

/* The members of a team reduce different types.
 * Says: another collective: PE 0 called shmem_int_sum_reduce, PE 1 shmem_long_sum_reduce
 */
static void
other_type(void)
{
	static long to, from;

	if (shmem_my_pe() == 0)
		shmem_int_sum_reduce(SHMEM_TEAM_WORLD, (int *)&to, (int *)&from, 1); /* wrong */
	else
		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &to, &from, 1); /* wrong */
}

/* All PEs have to allocate the same number of bytes.
 * Says: shmem_malloc: size is 100 on PE 0, 101 on PE 1
 */
static void
other_size(void)
{
	(void)shmem_malloc(100 + (size_t)shmem_my_pe()); /* wrong */
}

/* Source and dest of a collective share memory.
 * Says: shmem_int_fcollect: source|overlap
 */
static void
overlap(void)
{
	static int data[8];

	shmem_int_fcollect(SHMEM_TEAM_WORLD, data, data + 1, 2); /* wrong */
}

/* A call after shmem_finalize().
 * Says: shmem_int_g: called outside of shmem_init and shmem_finalize
 */
static void
too_late(void)
{
	shmem_finalize();
	x = shmem_int_g(&x, 0); /* wrong */
}

#define MISTAKE(name) #name, name

int
main(int argc, char **argv)
{
	static const struct mistake {
		const char *name;
		void (*make)(void);
	} mistakes[] = {
		{MISTAKE(too_early)},	 {MISTAKE(no_such_pe)},	    {MISTAKE(not_symmetric)},
		{MISTAKE(misaligned)},	 {MISTAKE(overrun)},	    {MISTAKE(freed)},
		{MISTAKE(freed_twice)},	 {MISTAKE(signal_op)},	    {MISTAKE(team_rank)},
		{MISTAKE(context_gone)}, {MISTAKE(changed_source)}, {MISTAKE(no_quiet)},
		{MISTAKE(no_fence)},	 {MISTAKE(put_and_get)},    {MISTAKE(not_my_lock)},
		{MISTAKE(lock_kept)},	 {MISTAKE(never_stored)},   {MISTAKE(left_out)},
		{MISTAKE(other_order)},	 {MISTAKE(other_root)},	    {MISTAKE(other_count)},
		{MISTAKE(other_type)},	 {MISTAKE(other_size)},	    {MISTAKE(overlap)},
		{MISTAKE(too_late)},
	};
	const struct mistake *m = mistakes;

	if (argc != 2)
		return 2;
	while (strcmp(m->name, argv[1]) != 0)
		if (++m == mistakes + sizeof(mistakes) / sizeof(*m))
			return 2;
	if (m->make != too_early)
		shmem_init();
	m->make();
	shmem_finalize();
	return 0;
}
