/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A program that verifies what the library does for it, and that does one thing to itself.
 *
 * Usage: hostile ACTION PHASE PES FILE, where each PE that ended right sets its byte of FILE;
 *        hostile --list
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <shmem.h>

#include "hostile.h"

enum {
	BULK = 40000, /* longs: more than a slot, so that private memory is read where it is */
	HEAP = 3 << 20,
	LARGE = 65 << 20, /* a block whose pages are given back */
	MAX_PES = 16,
	NO_MEMORY = 3,
};

bool talks;
size_t stack_size;
bool (*unharmed)(void);
int phase;
char **words;

static long from[MAX_PES], count, part, sum, bulk[BULK];
static long rounds;
static long *mine; /* private memory */
static ucontext_t caller, step;

void
say_wrong(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs(": WRONG DATA\n", stderr);
	_exit(WRONG);
}

static void
check_bulk(int me, int n)
{
	int i;

	for (i = 0; i < BULK; i++)
		mine[i] = rounds * BULK + me + i;
	shmem_long_put(bulk, mine, BULK, (me + 1) % n);
	shmem_barrier_all();
	for (i = 0; i < BULK; i++)
		if (bulk[i] != rounds * BULK + (me + n - 1) % n + i)
			say_wrong("PE %d: put, element %d is %ld", me, i, bulk[i]);
	shmem_long_get(mine, bulk, BULK, (me + 2) % n);
	for (i = 0; i < BULK; i++)
		if (mine[i] != rounds * BULK + (me + 1) % n + i)
			say_wrong("PE %d: get, element %d is %ld", me, i, mine[i]);
}

static void
check_heap(int me, int n, size_t size)
{
	char *block = shmem_malloc(size);

	if (block == NULL)
		shmem_global_exit(NO_MEMORY); /* the library has said why */
	shmem_char_p(&block[size - 1], (char)(me + 1), (me + 1) % n);
	shmem_barrier_all();
	if (block[size - 1] != (me + n - 1) % n + 1)
		say_wrong("PE %d: the heap has %d", me, block[size - 1]);
	shmem_free(block);
}

void
check_calls(void)
{
	int me = shmem_my_pe(), n = shmem_n_pes(), pe;

	rounds++;
	for (pe = 0; pe < n; pe++) {
		shmem_long_p(&from[me], rounds * MAX_PES + pe, pe);
		shmem_long_atomic_inc(&count, pe);
	}
	part = me + rounds;
	shmem_barrier_all();
	for (pe = 0; pe < n; pe++)
		if (from[pe] != rounds * MAX_PES + me)
			say_wrong("PE %d: from PE %d came %ld", me, pe, from[pe]);
	if (count != rounds * n)
		say_wrong("PE %d: the count is %ld", me, count);
	if (shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &part, 1) != 0 ||
	    sum != n * (n - 1) / 2 + rounds * n)
		say_wrong("PE %d: the sum is %ld", me, sum);
	check_bulk(me, n);
	check_heap(me, n, HEAP);
	if (unharmed != NULL)
		check_heap(me, n, LARGE);
	if (talks)
		for (pe = 0; pe < 2000; pe++)
			printf("a line of the program that is long enough\n");
	if (talks)
		fflush(stdout);
	shmem_barrier_all();
}

/* On a stack of the size that an action asked for. */
static void
run_step(void (*fn)(void))
{
	void *stack;

	if (stack_size == 0) {
		fn();
		return;
	}
	stack = mmap(NULL, stack_size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (stack == MAP_FAILED || getcontext(&step) != 0)
		say_wrong("no stack");
	step.uc_stack.ss_sp = stack;
	step.uc_stack.ss_size = stack_size;
	step.uc_link = &caller;
	makecontext(&step, fn, 0);
	swapcontext(&caller, &step);
	munmap(stack, stack_size);
}

static void
do_action(const struct action *a, int when)
{
	int err = phase == when ? a->act(a->arg) : 0;

	if (err != 0) {
		fprintf(stderr, "cannot do this here: %s\n", strerror(err));
		_exit(CANNOT);
	}
}

static void
begin_and_check(void)
{
	shmem_init();
	check_calls();
}

static int
run(const struct action *a, int pes, const char *file)
{
	int fd = open(file, O_RDWR), me;
	char *right = mmap(NULL, MAX_PES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	long last;

	mine = mmap(NULL, sizeof(bulk), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (fd < 0 || right == MAP_FAILED || mine == MAP_FAILED)
		say_wrong("%s", file);
	close(fd);
	do_action(a, BEFORE);
	run_step(begin_and_check);
	me = shmem_my_pe();
	if (shmem_n_pes() != pes)
		say_wrong("a job of %d PEs, not %d", shmem_n_pes(), pes);
	do_action(a, DURING);
	run_step(check_calls);
	run_step(shmem_finalize);
	do_action(a, AFTER);
	for (last = 0; last < BULK; last++)
		if (bulk[last] != rounds * BULK + (me + pes - 1) % pes + last)
			say_wrong("PE %d: after finalize, element %ld is %ld", me, last,
				  bulk[last]);
	if (unharmed != NULL && !unharmed())
		say_wrong("PE %d: what is the program's is not as it was", me);
	right[me] = 1;
	return 0;
}

int
main(int argc, char **argv)
{
	const struct action *a;
	int i;

	words = argv;
	for (a = actions; a->name != NULL; a++)
		if (argc == 2) {
			printf("%s", a->name);
			for (i = 0; i < PHASES; i++)
				printf("\t%s", a->expect[i] == NULL ? "-" : a->expect[i]);
			putchar('\n');
		} else if (argc == 5 && strcmp(a->name, argv[1]) == 0) {
			phase = atoi(argv[2]);
			return run(a, atoi(argv[3]), argv[4]);
		}
	return argc == 2 ? 0 : 2;
}
