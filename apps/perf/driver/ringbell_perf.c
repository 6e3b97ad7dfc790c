/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * ringbell-perf: the time of the driver's operations, between two ports of this machine.
 */
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_dmadev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_log.h>

#include "../cli.h"
#include "driver.h"
#include "links.h"

enum {
	PAGE = 4096,
};

struct args {
	struct report_options report;
	size_t sizes[CLI_SIZES_MAX];
	unsigned int nsizes;
	long samples;
	long ms;
	long hosts;
	const char *dma;
	char **names;
};

static const char usage[] =
	"Usage: ringbell-perf [EAL-OPTION... --] [OPTION]... [BENCHMARK]...\n"
	"\n"
	"Measure NT ports: window, copy engine, doorbells, scratchpads, rings. This needs two "
	"ports\n"
	"that are cabled to each other; where the EAL finds none, two emulated ones are made.\n"
	"BENCHMARK is a name of --list or a pattern; without one all are measured.\n"
	"\n"
	"  -s, --sizes LIST    bytes (default " CLI_SIZES ")\n"
	"  -r, --samples N     samples of each figure; the median counts (7)\n"
	"  -T, --time MS       milliseconds of a sample, about (5)\n"
	"  -n, --hosts N       hosts of the ring that links makes (3)\n"
	"  -d, --dma NAME      the copy engine (the first dmadev; that of an emulated port)\n"
	"  -j, --json FILE     write JSON too; - is standard output, and then no tables\n"
	"  -C, --csv FILE      write comma-separated values too\n"
	"  -a, --against FILE  compare with what --json wrote earlier\n"
	"  -l, --list          print the names and titles of the benchmarks\n"
	"  -h, --help          this text\n"
	"\n"
	"Examples:\n"
	"  ringbell-perf 'write*' memcpy\n"
	"  ringbell-perf -l 2,3 --legacy-mem -a 03:00.1 -a 04:00.1 -- --json adapters.json\n";

static const struct option options[] = {
	{"sizes", required_argument, NULL, 's'},
	{"samples", required_argument, NULL, 'r'},
	{"time", required_argument, NULL, 'T'},
	{"dma", required_argument, NULL, 'd'},
	{"hosts", required_argument, NULL, 'n'},
	{"json", required_argument, NULL, 'j'},
	{"csv", required_argument, NULL, 'C'},
	{"against", required_argument, NULL, 'a'},
	{"list", no_argument, NULL, 'l'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static struct drv drv;
static struct report *report;

static bool
set_option(struct args *a, int c, const char *value)
{
	const char *end = "";

	switch (c) {
	case 's':
		a->nsizes = cli_sizes(value, a->sizes);
		return a->nsizes > 0;
	case 'r':
		return cli_number(value, 1, REPORT_SAMPLES_MAX, &a->samples, &end) && !*end;
	case 'T':
		return cli_number(value, 1, 60000, &a->ms, &end) && !*end;
	case 'n':
		return cli_number(value, LINKS_HOSTS_MIN, LINKS_HOSTS_MAX, &a->hosts, &end) &&
		       !*end;
	case 'd':
		a->dma = value;
		return true;
	}
	return report_option(&a->report, c, value);
}

static bool
is_known(char *name)
{
	char *const patterns[] = {name, NULL};
	const struct drv_bench *b;

	for (b = drv_benches; b->name; b++)
		if (cli_match(patterns, b->name))
			return true;
	return false;
}

/** @return 0; else the exit status plus one */
static int
read_args(struct args *a, int argc, char **argv)
{
	const struct drv_bench *b;
	int c;

	*a = (struct args){.report = {.tool = "ringbell-perf"}, .samples = 7, .ms = 5, .hosts = 3};
	a->nsizes = cli_sizes(CLI_SIZES, a->sizes);
	optind = 1; /* the EAL has used it */
	while ((c = getopt_long(argc, argv, "s:r:T:n:d:j:C:a:lh", options, NULL)) >= 0) {
		if (c == 'h') {
			fputs(usage, stdout);
			return 1;
		}
		if (c == 'l') {
			for (b = drv_benches; b->name; b++)
				printf("%-15s %s\n", b->name, b->title);
			return 1;
		}
		if (c == '?' || !set_option(a, c, optarg)) {
			if (c != '?')
				fprintf(stderr, "ringbell-perf: bad value '%s' for -%c\n", optarg,
					c);
			fputs("Try: ringbell-perf --help\n", stderr);
			return 3;
		}
	}
	for (a->names = argv + optind; argv[optind]; optind++) {
		if (is_known(argv[optind]))
			continue;
		fprintf(stderr, "ringbell-perf: no benchmark '%s'; --list shows them\n",
			argv[optind]);
		return 3;
	}
	return 0;
}

static int
answer_peer(void *bench)
{
	((const struct drv_bench *)bench)->answer(&drv);
	atomic_store(&drv.stop, false); /* pairs with the load after rte_eal_wait_lcore() */
	return 0;
}

static double
take_sample(const struct drv_bench *b, long n)
{
	struct timespec from, to;

	clock_gettime(CLOCK_MONOTONIC, &from);
	b->run(&drv, b->op, n);
	clock_gettime(CLOCK_MONOTONIC, &to);
	return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
}

/* As many operations as fill a sample by the shortest of three tries: another program's time
 * slice must not look like a slow operation. */
static long
calibrate_ops(const struct drv_bench *b, double seconds)
{
	double t, shortest;
	long n = 2;
	int i;

	for (;;) {
		shortest = take_sample(b, n);
		for (i = 0; i < 2 && shortest >= seconds / 2; i++) {
			t = take_sample(b, n);
			if (t < shortest)
				shortest = t;
		}
		if (shortest >= seconds / 2 || drv.failed)
			return n;
		if (shortest < seconds / 16)
			n *= 8;
		else
			n = ((long)((double)n * seconds / shortest) + 1) & ~1L;
	}
}

static void
run_row(const struct args *a, const struct drv_bench *b, unsigned int worker)
{
	struct report_samples s = {.n = (unsigned int)a->samples};
	struct report_key key = {.bench = b->name, .buffer = "", .target = -1, .hops = -1};
	struct ports *p = &drv.ports;
	unsigned int i;

	key.size = b->flags & DRV_SIZED ? drv.size : 0;
	if (b->run == drv_hops)
		key.hops = b->op;
	report_progress(report, "%s %zu", b->name, key.size);
	/* no data of an earlier row */
	for (i = 0; i < ENDS; i++) {
		memset(p->region[i], 0, p->len);
		if (p->port[i]->db_count != 0)
			ntb_db_clear(p->port[i], 1);
		if (p->port[i]->spad_count != 0)
			p->port[i]->ops->spad_write(p->port[i], 0, 0);
	}
	memset(drv.dst, 0, PAGE);
	drv.seq = 0;
	drv.hops = b->op;
	for (i = 0; i < DRV_HOPS; i++)
		atomic_store(&drv.stage[i].n, 0);
	atomic_store(&drv.stop, false);
	if (b->answer)
		rte_eal_remote_launch(answer_peer, (void *)(uintptr_t)b, worker);
	s.ops = (double)calibrate_ops(b, (double)a->ms / 1000);
	s.bytes = s.ops * (double)drv.size * (b->run == drv_both ? ENDS : 1);
	for (i = 0; i < s.n && !drv.failed; i++)
		s.seconds[i] = take_sample(b, (long)s.ops);
	atomic_store(&drv.stop, true);
	if (b->answer)
		rte_eal_wait_lcore(worker);
	(void)atomic_load(&drv.stop);
	if (b->run == drv_dma_copy && !drv.failed)
		drv.failed = !drv_dma_arrived(&drv);
	if (!drv.failed)
		report_row(report, &key, &s);
}

/* Rows that this machine cannot run are named, and left out. */
static bool
is_able(const struct args *a, const struct drv_bench *b, unsigned int worker)
{
	const char *lacks = NULL;

	if (b->answer && worker == RTE_MAX_LCORE)
		lacks = "a second lcore";
	else if ((b->flags & DRV_DMA) && !drv.dma.open && drv_dma_open(&drv, a->dma) < 0)
		lacks = "a copy engine";
	else if ((b->flags & DRV_LISTS) && !drv.dma.lists)
		lacks = "a copy engine that takes lists";
	else if ((b->flags & DRV_BELLS) && drv.ports.port[NEAR]->db_count == 0)
		lacks = "ports with doorbells";
	else if ((b->flags & DRV_PADS) && drv.ports.port[NEAR]->spad_count == 0)
		lacks = "ports with scratchpads";
	if (lacks)
		fprintf(stderr, "ringbell-perf: %s needs %s\n", b->name, lacks);
	return !lacks;
}

static void
run_links(const struct args *a, const struct drv_bench *b)
{
	const struct links_args args = {
		.hosts = (unsigned int)a->hosts,
		.sizes = a->sizes,
		.nsizes = a->nsizes,
		.samples = (unsigned int)a->samples,
		.seconds = (double)a->ms / 1000,
		.name = b->name,
		.title = b->title,
	};

	drv.failed |= links_measure(&drv.ports, &args, report) < 0;
}

static void
run_benches(const struct args *a)
{
	unsigned int worker = rte_get_next_lcore(-1, 1, 0), i;
	const struct drv_bench *b;

	for (b = drv_benches; b->name && !drv.failed; b++) {
		if (!cli_match(a->names, b->name))
			continue;
		if (!is_able(a, b, worker)) {
			/* a named engine is the only one used */
			drv.failed |= a->dma && (b->flags & DRV_DMA) && !drv.dma.open;
			continue;
		}
		if (b->flags & DRV_LINKS) {
			run_links(a, b);
			continue;
		}
		report_table(report, b->title, b->unit);
		for (i = 0; i < (b->flags & DRV_SIZED ? a->nsizes : 1); i++) {
			drv.size = b->flags & DRV_SIZED ? a->sizes[i] : sizeof(uint64_t);
			/* each element of a list has a byte at least */
			if (b->run != drv_dma_copy || drv.size >= (size_t)b->op)
				run_row(a, b, worker);
		}
	}
}

/* Without EAL options: this program's own ports. Each lcore has a CPU of its own, because
 * otherwise each message between them would take a time slice; where there is one CPU they share
 * it. */
static int
start_alone(char *prog)
{
	char lcores[64];
	char *argv[] = {prog,
			(char *)"--no-huge",
			(char *)"--no-shconf",
			(char *)"--no-pci",
			(char *)"--no-telemetry",
			(char *)"--file-prefix=.", /* no folder of its own */
			(char *)"-m",
			(char *)"64",
			(char *)"--log-level=4",
			(char *)"--lcores",
			lcores,
			NULL};
	int cpus[2], n = 0, cpu;
	cpu_set_t set;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof(set), &set);
	for (cpu = 0; cpu < CPU_SETSIZE && n < 2; cpu++)
		if (CPU_ISSET(cpu, &set))
			cpus[n++] = cpu;
	snprintf(lcores, sizeof(lcores), "0@%d,1@%d", n ? cpus[0] : 0, n ? cpus[n - 1] : 0);
	return rte_eal_init((int)RTE_DIM(argv) - 1, argv);
}

/* The EAL leaves its folder. Where that has files, other programs may use them. */
static void
remove_folder(void)
{
	(void)rmdir(rte_eal_get_runtime_dir());
}

static int
start_eal(int argc, char **argv)
{
	int i, ret;

	/* runs after the handlers that the EAL adds, which remove the socket of its telemetry */
	atexit(remove_folder);
	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		;
	ret = i < argc ? rte_eal_init(argc, argv) : start_alone(argv[0]);
	if (ret < 0)
		fprintf(stderr, "ringbell-perf: the EAL did not start: %s\n",
			rte_strerror(rte_errno));
	return ret < 0 ? ret : i < argc ? i : 0;
}

/* A copy engine may be named for emulated ports. */
static bool
names_ports(int argc, char **argv)
{
	static const char *const naming[] = {"-a", "--allow", "--vdev"};
	unsigned int k;
	int i;

	if (rte_dma_count_avail() > 0)
		return false;
	for (i = 1; i < argc; i++)
		for (k = 0; k < RTE_DIM(naming); k++)
			if (strncmp(argv[i], naming[k], strlen(naming[k])) == 0)
				return true;
	return false;
}

static int
measure_size(const struct args *a, size_t len, bool named)
{
	int ret = EXIT_FAILURE;

	drv.src = aligned_alloc(PAGE, len);
	drv.dst = aligned_alloc(PAGE, len);
	if (!drv.src || !drv.dst) {
		fprintf(stderr, "ringbell-perf: no memory for two blocks of %zu bytes\n", len);
		goto free;
	}
	memset(drv.src, 1, len);
	memset(drv.dst, 1, len);
	if (ports_open(&drv.ports, len, named) < 0)
		goto free;
	report = report_open(&a->report);
	if (report) {
		report_setting(report, "window",
			       drv.ports.port[NEAR]->caps & NTB_CAP_WINDOW_IS_MEMORY ? "emulated"
										     : "adapter");
		run_benches(a);
		ret = report_close(report) < 0 || drv.failed ? EXIT_FAILURE : EXIT_SUCCESS;
		drv_dma_close(&drv);
	}
	ports_close(&drv.ports);
free:
	free(drv.src);
	free(drv.dst);
	return ret;
}

int
main(int argc, char **argv)
{
	size_t len = DRV_RELAY_SPACE;
	struct args args;
	unsigned int i;
	int skip, ret;

	/* help needs no EAL */
	for (skip = 1; skip < argc && strcmp(argv[skip], "--") != 0; skip++)
		;
	skip = skip < argc ? skip : 0;
	ret = read_args(&args, argc - skip, argv + skip);
	if (ret)
		return ret - 1;
	if (start_eal(argc, argv) < 0)
		return EXIT_FAILURE;
	for (i = 0; i < args.nsizes; i++)
		if (args.sizes[i] > len)
			len = RTE_ALIGN_CEIL(args.sizes[i], (size_t)PAGE);
	ret = measure_size(&args, len, names_ports(skip, argv));
	rte_eal_cleanup();
	return ret;
}
