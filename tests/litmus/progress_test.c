/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The rule of progress, line by line as in doc/memory-model.md: PE 0 does an operation on each
 * other PE, while all others compute and make no call, or while PE 0 itself makes no call once the
 * operation was issued. PEs tell one another that it is done through memory that is not the
 * library's.
 */
#include <fcntl.h>
#include <shmem.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	BLOCK = 40000, /* longs: more than the slots of a ring hold */
	LIMIT = 100,   /* seconds of a case */
	TEXT = 128,
};

/* What the library does not know of: the number of the last case that is complete. */
static _Atomic long *outside;
static long word, back, block[BLOCK], source[BLOCK];
static uint64_t sig;
static char under_way[TEXT];
static int me, bad;

static void
give_up(int signum)
{
	(void)signum;
	if (write(STDERR_FILENO, under_way, strlen(under_way)) > 0)
		_exit(1);
	_exit(2);
}

/* Computes: no call of the library, until the case is complete. */
static void
compute_until(long number)
{
	while (atomic_load_explicit(outside, memory_order_acquire) < number)
		;
}

static long
peek_at(const void *at)
{
	return __atomic_load_n((const long *)at, __ATOMIC_ACQUIRE);
}

static void
complete(long number)
{
	atomic_store_explicit(outside, number, memory_order_release);
}

static void
check(bool right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "progress: PE %d: %s: wrong\n", me, what);
	bad = 1;
}

/* Each returns when it is complete. The others make no call meanwhile. */
static void
do_put(int pe)
{
	shmem_long_p(&word, 1, pe);
	shmem_long_put(block, source, BLOCK, pe);
	shmem_quiet();
}

static void
do_put_nbi(int pe)
{
	shmem_long_put_nbi(block, source, BLOCK, pe);
	shmem_quiet();
	shmem_long_p(&word, 1, pe);
	shmem_quiet();
}

static void
do_get(int pe)
{
	static long to[BLOCK];

	shmem_long_get(to, source, BLOCK, pe);
	check(to[BLOCK - 1] == 7, "a get");
	check(shmem_long_g(&source[1], pe) == 7, "g");
	shmem_long_p(&word, 1, pe);
	shmem_quiet();
}

static void
do_get_nbi(int pe)
{
	static long to[BLOCK];

	shmem_long_get_nbi(to, source, BLOCK, pe);
	shmem_quiet();
	check(to[BLOCK - 1] == 7, "a nonblocking get");
	shmem_long_p(&word, 1, pe);
	shmem_quiet();
}

static void
do_atomics(int pe)
{
	shmem_long_atomic_add(&word, 1, pe);
	check(shmem_long_atomic_fetch_add(&word, 2, pe) == 1, "a fetch after an add");
	check(shmem_long_atomic_compare_swap(&word, 3, 1, pe) == 3, "a compare-and-swap");
}

static void
do_signal(int pe)
{
	shmem_long_put_signal(block, source, BLOCK, &sig, 5, SHMEM_SIGNAL_ADD, pe);
	shmem_fence();
	shmem_long_p(&word, 1, pe);
	shmem_quiet();
	check(shmem_long_g((long *)(void *)&sig, pe) == 5, "a signal");
}

/* Each is under way when it returns. Then nobody calls, or the target waits. */
static void
start_put(int pe)
{
	shmem_long_p(&word, 1, pe);
}

static void
start_put_nbi(int pe)
{
	shmem_long_put_nbi(block, source, BLOCK, pe);
	shmem_fence();
	shmem_long_p(&word, 1, pe);
}

static void
start_add(int pe)
{
	shmem_long_atomic_add(&word, 1, pe);
}

static void
start_fetch_nbi(int pe)
{
	shmem_long_atomic_fetch_inc_nbi(&back, &word, pe);
}

static void
start_signal_nbi(int pe)
{
	shmem_long_put_signal_nbi(block, source, BLOCK, (uint64_t *)(void *)&word, 1,
				  SHMEM_SIGNAL_SET, pe);
}

static void
start_get_nbi(int pe)
{
	static const long one = 1;

	shmem_long_get_nbi(block, source, BLOCK, pe);
	/* the answer is what is waited for: back is at this PE */
	shmem_long_get_nbi(&back, &source[0], 1, pe);
	shmem_long_put_nbi(&word, &one, 1, pe);
}

static const struct {
	const char *name;
	void (*run)(int pe);
	bool returns; /* complete when it returns */
	bool fills;   /* the target's block */
	bool answers; /* back and block are filled at PE 0 */
} cases[] = {
	{"put and quiet", do_put, true, true, false},
	{"put_nbi and quiet", do_put_nbi, true, true, false},
	{"get", do_get, true, false, false},
	{"get_nbi and quiet", do_get_nbi, true, false, false},
	{"atomics", do_atomics, true, false, false},
	{"put with signal and quiet", do_signal, true, true, false},
	{"put, then no call", start_put, false, false, false},
	{"put_nbi, fence, put, then no call", start_put_nbi, false, true, false},
	{"atomic add, then no call", start_add, false, false, false},
	{"fetch_nbi, then no call", start_fetch_nbi, false, false, false},
	{"put_signal_nbi, then no call", start_signal_nbi, false, true, false},
	{"get_nbi, then no call", start_get_nbi, false, false, true},
};

/* How the target notices what was started: by a call that waits, or without any call. */
static void
notice(bool waits)
{
	if (waits)
		shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
	while (peek_at(&word) != 1)
		;
}

/* The answers come into memory of PE 0 while it computes. */
static void
answers_come(void)
{
	while (peek_at(&back) != 7 || peek_at(&block[BLOCK - 1]) != 7)
		;
}

static void
run_case(size_t c, int target, bool waits, long number)
{
	int i;

	snprintf(under_way, sizeof(under_way),
		 "progress: PE %d: \"%s\" with PE %d%s is not complete\n", me, cases[c].name,
		 target, waits ? ", which waits" : "");
	word = back = 0;
	sig = 0;
	memset(block, 0, sizeof(block));
	shmem_barrier_all();
	alarm(LIMIT);
	if (me == 0) {
		cases[c].run(target);
		if (cases[c].answers)
			answers_come();
		if (cases[c].returns)
			complete(number);
	} else if (me == target && !cases[c].returns) {
		notice(waits);
		complete(number);
	}
	compute_until(number);
	alarm(0);
	if (me == target) {
		check(peek_at(&word) == 1, cases[c].name);
		for (i = 0; cases[c].fills && i < BLOCK && peek_at(&block[i]) == 7; i++)
			;
		check(!cases[c].fills || i == BLOCK, cases[c].name);
	}
	shmem_barrier_all();
}

static void
open_outside(void)
{
	char name[TEXT];
	int fd;

	snprintf(name, sizeof(name), "/ringbell-progress-%d", (int)getppid());
	fd = shm_open(name, O_CREAT | O_RDWR, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(*outside)) < 0)
		goto fail;
	outside = mmap(NULL, sizeof(*outside), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (outside == MAP_FAILED)
		goto fail;
	close(fd);
	shmem_barrier_all();
	if (me == 0)
		shm_unlink(name);
	return;
fail:
	perror("progress: shm_open");
	shmem_global_exit(1);
}

int
main(void)
{
	size_t c, n = sizeof(cases) / sizeof(cases[0]), i;
	int target, waits, npes;
	long number = 0;

	shmem_init();
	me = shmem_my_pe();
	npes = shmem_n_pes();
	open_outside();
	signal(SIGALRM, give_up);
	for (i = 0; i < BLOCK; i++)
		source[i] = 7;
	for (c = 0; c < n; c++)
		for (target = 1; target < npes; target++)
			for (waits = 0; waits <= !cases[c].returns; waits++)
				run_case(c, target, waits != 0, ++number);
	if (me == 0 && bad == 0)
		printf("progress: %ld cases complete\n", number);
	shmem_finalize();
	return bad;
}
