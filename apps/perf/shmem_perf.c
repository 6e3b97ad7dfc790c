/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * shmem-perf: all PEs run the same list of rows. For each sample PE 0 sends the others the number
 * of operations, and all report to PE 0 how long theirs took; the time of the slowest one counts.
 */
#include <shmem.h>
#include <string.h>
#include <unistd.h>

#include "perf.h"

/* Words from PE 0 to the others, and from them to PE 0: static data is symmetric. */
static long told;
static long told_target;
static double took[PERF_PES_MAX];
static char static_bufs[2][PERF_STATIC_MAX] __attribute__((aligned(PERF_PAGE)));

static struct perf_args args;
static struct perf perf;
static struct report *report; /* PE 0 only */
static void *page;	      /* symmetric: the words, and the mark of perf_bare() */
static char *heap_bufs[2];

/** Give all PEs the value of PE 0. */
static long
tell_all(long *to, long value)
{
	int pe;

	if (perf.me == 0) {
		*to = value;
		for (pe = 1; pe < perf.npes; pe++)
			shmem_long_p(to, value, pe);
	}
	shmem_barrier_all();
	return *(volatile long *)to;
}

static double
run_mine(const struct perf_bench *b, int target, long n)
{
	bool pair = perf.me == 0 || perf.me == target;
	double start = perf_now();

	if (b->who != PERF_ALL && perf.me != 0 && (b->who != PERF_PAIR || !pair))
		return 0;
	b->run(&perf, b->op, n);
	return perf_now() - start;
}

struct subject {
	const struct perf_bench *bench;
	int target;
};

/** One sample of @p n operations, 0: no more of this row. @return seconds, at PE 0 */
static double
take_sample(void *subject, long n)
{
	const struct subject *s = subject;
	double mine, longest = 0;
	int pe;

	n = tell_all(&told, n);
	if (n == 0)
		return -1;
	mine = run_mine(s->bench, s->target, n);
	if (perf.me == 0)
		took[0] = mine;
	else
		shmem_double_p(&took[perf.me], mine, 0);
	shmem_barrier_all();
	for (pe = 0; perf.me == 0 && pe < perf.npes; pe++)
		if (((volatile double *)took)[pe] > longest)
			longest = ((volatile double *)took)[pe];
	return longest;
}

/** PE 0's part of a row. */
static void
lead_row(struct subject *subject, int hops, const char *buffer)
{
	const struct perf_bench *b = subject->bench;
	struct report_samples s = {.n = (unsigned int)args.report.samples};
	struct report_key key = {
		.bench = b->name,
		.buffer = buffer,
		.target = b->flags & PERF_LOCAL ? -1 : subject->target,
		.hops = b->flags & PERF_LOCAL ? -1 : hops,
		.size = b->flags & PERF_SIZED ? perf.size : 0,
	};
	unsigned int i;
	long n;

	if ((b->flags & PERF_BARE && !perf.bare_dst) ||
	    (b->flags & PERF_ONE && !perf_flags_reach(&perf))) {
		take_sample(subject, 0);
		return;
	}
	n = report_calibrate(&args.report, take_sample, subject);
	for (i = 0; i < s.n; i++)
		s.seconds[i] = take_sample(subject, n);
	take_sample(subject, 0);
	s.ops = (double)n;
	s.bytes = (double)n * (double)perf.size * (b->blocks ? b->blocks : (unsigned int)perf.npes);
	report_row(report, &key, &s);
}

static void
run_row(const struct perf_bench *b, int target, int hops, const char *buffer)
{
	struct subject subject = {b, target};

	perf.seq = 0;
	*perf.word = 0;
	shmem_barrier_all();
	if (perf.me == 0)
		lead_row(&subject, hops, buffer);
	else
		while (take_sample(&subject, 0) >= 0)
			;
}

static void
open_table(const struct perf_bench *b, int target, int hops, const char *buffer)
{
	char text[200], where[80] = "";

	if (!(b->flags & PERF_LOCAL) && hops >= 0)
		snprintf(where, sizeof(where), ", PE 0 to PE %d, %d hop%s", target, hops,
			 hops == 1 ? "" : "s");
	else if (!(b->flags & PERF_LOCAL))
		snprintf(where, sizeof(where), ", PE 0 to PE %d", target);
	snprintf(text, sizeof(text), "%s (%s%s)", b->title, buffer, where);
	report_table(report, text, b->unit);
}

static void
run_bench(const struct perf_bench *b, int target, int hops, bool in_static)
{
	const char *buffer = in_static ? "static" : "heap";
	char *const *bufs = in_static ? (char *const[]){static_bufs[0], static_bufs[1]} : heap_bufs;
	unsigned int i;

	perf.src = bufs[0];
	perf.dst = bufs[1];
	if (perf.me == 0)
		open_table(b, target, hops, buffer);
	for (i = 0; i < (b->flags & PERF_SIZED ? args.sizes.n : 1); i++) {
		perf.size = b->flags & PERF_SIZED ? args.sizes.v[i] : sizeof(long);
		if ((in_static && perf.size > PERF_STATIC_MAX) ||
		    (b->flags & PERF_COLL && (perf.size > (size_t)args.coll_max || perf.size % 8)))
			continue;
		run_row(b, target, hops, buffer);
	}
}

static void
run_target(int target, int hops, bool first)
{
	const struct perf_bench *b;
	char *bare = NULL;

	perf.target = perf.me == 0 ? target : 0;
	shmem_barrier_all();
	if (perf.me == 0 || perf.me == target)
		bare = perf_bare(page, perf.target);
	perf.bare_word = (volatile long *)(void *)bare;
	perf.bare_dst = bare ? bare + (heap_bufs[1] - (char *)page) : NULL;
	shmem_barrier_all();
	for (b = perf_benches; b->name; b++) {
		if (!cli_match(args.names, b->name) || (b->flags & PERF_LOCAL && !first))
			continue;
		if (args.heap)
			run_bench(b, target, hops, false);
		if (args.in_static && b->flags & PERF_STATIC)
			run_bench(b, target, hops, true);
	}
}

static bool
allocate_buffers(void)
{
	size_t largest = 0, coll = (size_t)args.coll_max * (size_t)perf.npes, first, i;

	for (i = 0; i < args.sizes.n; i++)
		if (args.sizes.v[i] > largest)
			largest = args.sizes.v[i];
	first = largest > coll ? largest : coll;
	page = shmem_align(PERF_PAGE, PERF_PAGE);
	for (i = 0; i < 2; i++) {
		heap_bufs[i] = shmem_align(PERF_PAGE, first + 8 * sizeof(long));
		if (heap_bufs[i])
			memset(heap_bufs[i], 1, first);
	}
	memset(static_bufs, 1, sizeof(static_bufs));
	if (page)
		memset(page, 0, PERF_PAGE);
	perf.word = (volatile long *)page;
	return perf_coll_init() && page && heap_bufs[0] && heap_bufs[1];
}

/* Variables that change the library. Those that only describe how the job was started would make
 * equal runs look different. */
static void
report_settings(void)
{
	char name[SHMEM_MAX_NAME_LEN], text[64];
	const char *eq;
	char **e;

	shmem_info_get_name(name);
	report_setting(report, "library", name);
	snprintf(text, sizeof(text), "%d", perf.npes);
	report_setting(report, "PEs", text);
	snprintf(text, sizeof(text), "%ld", sysconf(_SC_NPROCESSORS_ONLN));
	report_setting(report, "CPUs", text);
	for (e = environ; *e; e++) {
		eq = strchr(*e, '=');
		if (!eq || eq - *e >= (long)sizeof(text) || strstr(*e, "_FD=") ||
		    (strncmp(*e, "RINGBELL_", 9) != 0 && strncmp(*e, "SHMEM_", 6) != 0) ||
		    strncmp(*e, "RINGBELL_CLAIM=", 15) == 0 ||
		    strncmp(*e, "RINGBELL_FILES=", 15) == 0 ||
		    strncmp(*e, "RINGBELL_JOB=", 13) == 0)
			continue;
		snprintf(text, sizeof(text), "%.*s", (int)(eq - *e), *e);
		report_setting(report, text, eq + 1);
	}
}

static int
run_benches(void)
{
	static int pes[PERF_PES_MAX], hops[PERF_PES_MAX];
	long n, i, target;

	n = perf_targets(&args, page, pes, hops);
	n = tell_all(&told, n);
	if (n == 0 && perf.me == 0)
		cli_say("%s", args.hops ? "no PE at this distance" : "no such target PE");
	for (i = 0; i < n; i++) {
		target = tell_all(&told_target, pes[i]);
		run_target((int)target, hops[i], i == 0);
	}
	return n == 0;
}

int
main(int argc, char **argv)
{
	int ret;

	shmem_init();
	perf.me = shmem_my_pe();
	perf.npes = shmem_n_pes();
	ret = perf_args_read(&args, argc, argv, perf.me == 0);
	if (ret) {
		shmem_finalize();
		return ret - 1;
	}
	if (perf.npes > PERF_PES_MAX || !allocate_buffers()) {
		if (perf.me == 0)
			cli_say("no room for %d PEs and these sizes: set SHMEM_SYMMETRIC_SIZE "
				"higher",
				perf.npes);
		shmem_global_exit(1);
	}
	if (perf.me == 0) {
		report = report_open(&args.report);
		if (report)
			report_settings();
	}
	ret = tell_all(&told, report != NULL) ? run_benches() : 1;
	if (report && report_close(report) < 0)
		ret = 1;
	shmem_finalize();
	return ret;
}
