/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "multi.h"

/* A case takes seconds at most on two CPUs; what takes longer than this is a hang. For so many PEs,
 * and as much again for each time that there are so many more. */
#define CASE_LIMIT_S 60
#define CASE_LIMIT_PES 16
/* and as much again for each so many runnable threads a CPU: more than a job has here by itself */
#define CASE_LIMIT_LOAD 8
#define TOLD_FAILURES 10
#define SKIPPED 77

int mt_me, mt_npes;
struct mt_options mt_options = {.factor = 1, .seconds = 10, .times = 1, .seed = 1};

static long failures; /* of this PE in the running case; threads add to it */
static const char *volatile case_name = "start";
static const char *volatile waiting_for = "shmem_init";

static void
tell(const char *text)
{
	ssize_t ignored = write(STDERR_FILENO, text, strlen(text));

	(void)ignored;
}

/* Only calls that are safe in a signal handler: the PE hangs in the library. */
static void
on_alarm(int sig)
{
	char pe[] = "PE 0000: case ";
	int digit, rest = mt_me;

	(void)sig;
	for (digit = 6; digit >= 3; digit--, rest /= 10)
		pe[digit] = (char)('0' + rest % 10);
	tell(pe);
	tell(case_name);
	tell(" hangs, waiting for: ");
	tell(waiting_for);
	tell("\n");
	_exit(99);
}

void
mt_waiting(const char *what)
{
	waiting_for = what;
}

bool
mt_check(bool ok, const char *file, int line, const char *fmt, ...)
{
	va_list ap;
	char text[240];

	if (ok)
		return true;
	/* Relaxed: a counter, read after the threads that add to it were joined. */
	if (__atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED) <= TOLD_FAILURES) {
		va_start(ap, fmt);
		vsnprintf(text, sizeof(text), fmt, ap);
		va_end(ap);
		fprintf(stderr, "PE %d: %s:%d: case %s: %s\n", mt_me, file, line, case_name, text);
	}
	return false;
}

void *
mt_alloc(size_t bytes)
{
	void *p = shmem_malloc(bytes);

	if (!p) {
		fprintf(stderr, "PE %d: no symmetric memory for %zu bytes\n", mt_me, bytes);
		shmem_global_exit(98);
	}
	return p;
}

void
mt_skip(const char *fmt, ...)
{
	va_list ap;

	if (mt_me == 0) {
		va_start(ap, fmt);
		vprintf(fmt, ap);
		va_end(ap);
		printf(": skipped\n");
	}
	shmem_finalize();
	exit(SKIPPED);
}

void
mt_fill(void *at, size_t len, uint64_t key)
{
	unsigned char *p = at;
	size_t i;

	for (i = 0; i < len; i++)
		p[i] = mt_byte(key, i);
}

size_t
mt_differs(const void *at, size_t len, uint64_t key)
{
	const unsigned char *p = at;
	size_t i;

	for (i = 0; i < len && p[i] == mt_byte(key, i); i++)
		;
	return i;
}

size_t
mt_differs_from(const void *at, size_t len, unsigned char value)
{
	const unsigned char *p = at;
	size_t i;

	for (i = 0; i < len && p[i] == value; i++)
		;
	return i;
}

static int
parse(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "c:x:t:s:w:")) != -1) {
		if (opt == 'c')
			mt_options.only = optarg;
		else if (opt == 'x')
			mt_options.factor = atol(optarg);
		else if (opt == 't')
			mt_options.seconds = atol(optarg);
		else if (opt == 'w')
			mt_options.times = atol(optarg);
		else if (opt == 's')
			mt_options.seed = strtoull(optarg, NULL, 0);
		else
			return -1;
	}
	return optind == argc && mt_options.factor > 0 && mt_options.times > 0 ? 0 : -1;
}

/* How many times longer all takes because of other work on the machine. */
static long
crowding(void)
{
	double load;

	if (getloadavg(&load, 1) != 1)
		return 1;
	return 1 + (long)load / (CASE_LIMIT_LOAD * sysconf(_SC_NPROCESSORS_ONLN));
}

/* Until the case is done, or the program where @p seconds is 0. */
static void
limit(long seconds)
{
	alarm((unsigned int)((CASE_LIMIT_S + seconds) * (1 + mt_npes / CASE_LIMIT_PES) *
			     crowding() * mt_options.factor * mt_options.times));
}

void
mt_progress(void)
{
	limit(mt_options.seconds);
}

/** @return how many PEs failed the case; only PE 0 learns of the others. By p, a plain store of
 *  one word, so that little of the library has to work for a failure to be seen. */
static long
run_case(const struct mt_case *test)
{
	static long verdicts[MT_PES];
	struct timespec from, to;
	long bad = 0;
	int pe;

	failures = 0;
	case_name = test->name;
	waiting_for = "(not told)";
	limit(mt_options.seconds);
	clock_gettime(CLOCK_MONOTONIC, &from);
	test->run();
	waiting_for = "the other PEs at the end of the case";
	shmem_long_p(&verdicts[mt_me], 1 + failures, 0);
	shmem_barrier_all();
	clock_gettime(CLOCK_MONOTONIC, &to);
	for (pe = 0; mt_me == 0 && pe < mt_npes; pe++) {
		bad += verdicts[pe] != 1;
		verdicts[pe] = 0;
	}
	if (mt_me == 0) {
		printf("%-24s %s %6.0f ms\n", test->name, bad ? "FAILED" : "ok",
		       (double)(to.tv_sec - from.tv_sec) * 1e3 +
			       (double)(to.tv_nsec - from.tv_nsec) * 1e-6);
		fflush(stdout);
	}
	/* PE 0 has read the verdicts before the next case can write them. */
	shmem_barrier_all();
	return bad + (failures != 0);
}

int
mt_main(int argc, char **argv, int thread_level, const struct mt_case *cases)
{
	int provided = -1, ran = 0;
	long bad = 0;

	if (parse(argc, argv) < 0) {
		fprintf(stderr,
			"usage: %s [-c CASE] [-x FACTOR] [-t SECONDS] [-s SEED] [-w TIMES]\n",
			argv[0]);
		return 2;
	}
	signal(SIGALRM, on_alarm);
	alarm((unsigned int)(CASE_LIMIT_S * crowding() * mt_options.times));
	if (shmem_init_thread(thread_level, &provided) != 0 || provided < thread_level) {
		fprintf(stderr, "shmem_init_thread: level %d wanted, %d got\n", thread_level,
			provided);
		return 1;
	}
	mt_me = shmem_my_pe();
	mt_npes = shmem_n_pes();
	if (mt_npes > MT_PES) {
		fprintf(stderr, "%s: %d PEs, at most %d have room in its tables\n", argv[0],
			mt_npes, MT_PES);
		shmem_global_exit(2);
	}
	for (; cases->name; cases++) {
		if (mt_options.only && strcmp(mt_options.only, cases->name) != 0)
			continue;
		bad += run_case(cases);
		ran++;
	}
	case_name = "end";
	waiting_for = "shmem_finalize";
	limit(0);
	shmem_finalize();
	alarm(0);
	if (!ran)
		fprintf(stderr, "no such case: %s\n", mt_options.only ? mt_options.only : "(any)");
	return bad || !ran;
}
