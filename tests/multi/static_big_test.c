/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/*
 * More static data than one system call moves, most of it never touched: all that was touched
 * before shmem_init is there afterwards and nothing else takes memory, in a process that a
 * profiler's timer interrupts all the while.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

#include <shmem.h>

enum {
	PAGE = 4096,
	FILLED = 64 << 20, /* at the start of big: the copy takes some of the timer's ticks */
	APART = 100 << 20, /* after it, one page is touched in each of these */
	SLACK = 64,	   /* pages at the ends, and of neighbours in .bss */
};

static char big[3ul << 30];
static volatile long ticks = 1; /* in .data, which is copied first */
static volatile long *all_ticks;
static int failures;

static void
check(int ok, const char *what, long value)
{
	if (ok)
		return;
	failures++;
	fprintf(stderr, "PE %d: %s: %ld\n", shmem_my_pe(), what, value);
}

static void
tick(int sig)
{
	(void)sig;
	ticks++;
	(*all_ticks)++;
}

static void
start_timer(void)
{
	const struct itimerval ms = {.it_interval.tv_usec = 1000, .it_value.tv_usec = 1000};
	const struct sigaction act = {.sa_handler = tick, .sa_flags = SA_RESTART};

	all_ticks = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (all_ticks == MAP_FAILED || sigaction(SIGALRM, &act, NULL) != 0 ||
	    setitimer(ITIMER_REAL, &ms, NULL) != 0) {
		perror("no timer");
		exit(77);
	}
}

static void
stop_timer(void)
{
	const struct itimerval none = {0};

	setitimer(ITIMER_REAL, &none, NULL);
}

/* Memory that the process has had at most, in KiB. */
static long
peak(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[128];
	long kib = -1;

	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "VmHWM: %ld", &kib) == 1)
			break;
	if (f != NULL)
		fclose(f);
	return kib;
}

/* Pages of big that take memory. */
static long
resident(void)
{
	char *from = (char *)(((uintptr_t)big + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
	size_t pages = (size_t)(big + sizeof(big) - from) / PAGE, i;
	unsigned char *in = malloc(pages);
	long n = 0;

	if (in == NULL || mincore(from, pages * PAGE, in) != 0)
		return -1;
	for (i = 0; i < pages; i++)
		n += in[i] & 1;
	free(in);
	return n;
}

static size_t
apart(size_t i)
{
	return FILLED + i * APART + 5;
}

int
main(void)
{
	size_t n = (sizeof(big) - FILLED) / APART, i, wrong = 0;
	long before, pages;
	int to;

	memset(big, 0x5a, FILLED);
	for (i = 0; i < n; i++)
		big[apart(i)] = (char)(i + 1);
	big[sizeof(big) - 1] = 99;
	before = peak();
	start_timer();
	shmem_init();
	stop_timer();
	check(ticks - 1 == *all_ticks, "ticks lost", *all_ticks - ticks + 1);
	/* the rings of the library and the pages moved, beside what was there */
	check(peak() - before < FILLED / 512 + 100 * 1024, "KiB more at the peak", peak() - before);
	pages = resident();
	check(pages >= FILLED / PAGE && pages <= FILLED / PAGE + (long)n + SLACK, "pages resident",
	      pages);
	for (i = 0; i < FILLED; i++)
		wrong += big[i] != 0x5a;
	for (i = 0; i < n; i++)
		wrong += big[apart(i)] != (char)(i + 1);
	check(wrong == 0 && big[sizeof(big) - 1] == 99 && big[apart(0) + PAGE] == 0, "bytes wrong",
	      (long)wrong);
	shmem_barrier_all();
	to = (shmem_my_pe() + 1) % shmem_n_pes();
	shmem_char_p(&big[sizeof(big) - PAGE], (char)(to + 1), to);
	shmem_barrier_all();
	check(big[sizeof(big) - PAGE] == shmem_my_pe() + 1, "put to the end", (long)sizeof(big));
	shmem_finalize();
	return failures == 0 ? 0 : 1;
}
