/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * ringbell-port: the time of the driver's operations, between ports of this machine.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_dmadev.h>
#include <rte_launch.h>
#include <rte_lcore.h>

#include "cli.h"
#include "driver.h"
#include "eal.h"
#include "wait.h"

enum {
	PAGE = 4096,
};

struct args {
	struct report_options report;
	struct cli_sizes sizes;
	const char *dma, *eal;
	bool list;
	char **names;
};

#define AT(member) .at = offsetof(struct args, member)

static const struct cli_option options[] = {
	{"sizes", 's', CLI_SIZES, "LIST", REPORT_SIZES, "bytes", AT(sizes)},
	{REPORT_SAMPLES, AT(report.samples), 1, REPORT_SAMPLES_MAX},
	{REPORT_TIME, AT(report.ms), 1, 60000},
	{"eal", 'e', CLI_TEXT, "OPTIONS", NULL,
	 "of the EAL, with the ports to use (default: two emulated ones)", AT(eal)},
	{"dma", 'd', CLI_TEXT, "NAME", NULL,
	 "the copy engine (default: the first dmadev, or that of an emulated port)", AT(dma)},
	{REPORT_JSON, AT(report.json)},
	{REPORT_LIST, AT(list)},
	{0},
};

static struct drv drv;
static struct report *report;

static bool
is_known(char *name)
{
	char *const patterns[] = {name, NULL};
	const struct drv_bench *b = drv_benches;

	while (b->name && !cli_match(patterns, b->name))
		b++;
	return b->name != NULL;
}

static void
read_args(struct args *a, const struct cli *line, int argc, char **argv)
{
	const struct drv_bench *b;
	int first = cli_read_or_exit(line, a, argc, argv);

	for (b = drv_benches; a->list && b->name; b++)
		printf("%-15s %s\n", b->name, b->title);
	if (a->list)
		exit(EXIT_SUCCESS);
	for (a->names = argv + first; argv[first]; first++)
		if (!is_known(argv[first]))
			cli_fail(CLI_USAGE, "no benchmark '%s'; --list shows them", argv[first]);
}

static int
answer_peer(void *bench)
{
	const struct drv_bench *b = bench;

	b->answer(&drv, b->op);
	atomic_store(&drv.stop, false); /* pairs with the load after rte_eal_wait_lcore() */
	return 0;
}

static double
take_sample(void *bench, long n)
{
	const struct drv_bench *b = bench;
	uint64_t from;

	if (drv.failed)
		return -1;
	from = clock_ns();
	b->run(&drv, b->op, n);
	return (double)(clock_ns() - from) * 1e-9;
}

/* No data of an earlier row. */
static void
clear_ports(struct ports *p)
{
	unsigned int i;

	for (i = 0; i < p->n; i++) {
		struct ntb_port *port = p->port[i];

		memset(p->region[i], 0, p->len);
		if (port->db_count != 0)
			ntb_db_clear(port, 1);
		if (port->spad_count != 0)
			port->ops->spad_write(port, 0, 0);
	}
	memset(drv.dst, 0, PAGE);
	drv.seq = 0;
	for (i = 0; i < DRV_HOPS; i++)
		atomic_store(&drv.stage[i].n, 0);
	atomic_store(&drv.stop, false);
}

/* Samples of one size. */
static void
measure_row(const struct args *a, const struct drv_bench *b, unsigned int worker,
	    struct report_samples *s)
{
	void *bench = (void *)(uintptr_t)b;
	unsigned int i;
	long n;

	clear_ports(&drv.ports);
	if (b->answer)
		rte_eal_remote_launch(answer_peer, bench, worker);
	n = report_calibrate(&a->report, take_sample, bench);
	s->ops = (double)(b->run == drv_both ? ENDS * n : n);
	s->bytes = s->ops * (double)drv.size;
	for (i = 0; i < (unsigned int)a->report.samples; i++)
		s->seconds[i] = take_sample(bench, n);
	atomic_store(&drv.stop, true);
	if (b->answer)
		rte_eal_wait_lcore(worker);
	(void)atomic_load(&drv.stop);
	if (b->run == drv_dma_copy && !drv.failed)
		drv.failed = !drv_dma_arrived(&drv);
	if (!drv.failed)
		s->n = (unsigned int)a->report.samples;
}

static void
run_bench(const struct args *a, const struct drv_bench *b, unsigned int worker)
{
	struct report_key key = {.bench = b->name, .buffer = "", .target = -1, .hops = -1};
	struct report_samples s;
	unsigned int i;

	if (b->run == drv_hops)
		key.hops = b->op;
	report_table(report, b->title, b->unit);
	for (i = 0; i < (b->flags & DRV_SIZED ? a->sizes.n : 1) && !drv.failed; i++) {
		key.size = b->flags & DRV_SIZED ? a->sizes.v[i] : 0;
		drv.size = b->flags & DRV_SIZED ? a->sizes.v[i] : sizeof(uint64_t);
		/* each descriptor has a byte at least */
		if (b->run == drv_dma_copy && drv.size < (size_t)b->op)
			continue;
		s = (struct report_samples){0};
		measure_row(a, b, worker, &s);
		if (s.n > 0)
			report_row(report, &key, &s);
	}
}

/* Rows that this machine cannot run are named, and left out. */
static bool
is_able(const struct args *a, const struct drv_bench *b, unsigned int worker)
{
	const char *lacks = NULL;

	if ((b->answer || b->flags & DRV_TWO) && worker == RTE_MAX_LCORE)
		lacks = "a second lcore";
	else if ((b->flags & DRV_STORES) &&
		 (drv.ports.port[NEAR]->caps & NTB_CAP_WINDOW_MESSAGES) != 0)
		lacks = "a window that takes stores, not one of messages";
	else if ((b->flags & DRV_DMA) && !drv.dma.open && drv_dma_open(&drv, a->dma) < 0)
		lacks = "a copy engine";
	else if ((b->flags & DRV_BELLS) && drv.ports.port[NEAR]->db_count == 0)
		lacks = "ports with doorbells";
	else if ((b->flags & DRV_PADS) && drv.ports.port[NEAR]->spad_count == 0)
		lacks = "ports with scratchpads";
	if (lacks)
		cli_say("%s needs %s", b->name, lacks);
	return !lacks;
}

static void
run_benches(const struct args *a)
{
	unsigned int worker = rte_get_next_lcore(-1, 1, 0);
	const struct drv_bench *b;

	for (b = drv_benches; b->name && !drv.failed; b++) {
		if (!cli_match(a->names, b->name))
			continue;
		if (is_able(a, b, worker))
			run_bench(a, b, worker);
		else /* a named engine is the only one used */
			drv.failed |= a->dma && (b->flags & DRV_DMA) && !drv.dma.open;
	}
}

/* Without EAL options, each lcore has a CPU of its own, because otherwise each message between them
 * would take a time slice; where there is one CPU they share it. */
static void
two_lcores(char text[64])
{
	int cpus[2] = {0, 0}, n = 0, cpu;
	cpu_set_t set;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof(set), &set);
	for (cpu = 0; cpu < CPU_SETSIZE && n < 2; cpu++)
		if (CPU_ISSET(cpu, &set))
			cpus[n++] = cpu;
	snprintf(text, 64, "0@%d,1@%d", cpus[0], cpus[n > 1]);
}

static bool
names_ports(const char *eal)
{
	return eal != NULL && (strstr(eal, "-a ") != NULL || strstr(eal, "--allow") != NULL ||
			       strstr(eal, "--vdev") != NULL);
}

static int
measure_size(const struct args *a, size_t len, bool named)
{
	int ret = EXIT_FAILURE;

	drv.src = aligned_alloc(PAGE, len);
	drv.dst = aligned_alloc(PAGE, len);
	if (!drv.src || !drv.dst) {
		cli_say("no memory for two blocks of %zu bytes", len);
		goto free;
	}
	memset(drv.src, 1, len);
	memset(drv.dst, 1, len);
	if (ports_open(&drv.ports, len, named) < 0)
		goto free;
	report = report_open(&a->report);
	if (report) {
		report_setting(report, "port", drv.ports.info[NEAR].location);
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
speed_main(int argc, char **argv)
{
	static const struct cli line = {
		.usage = "speed [OPTION]... [BENCHMARK]...",
		.about = "Measure NT ports: window, copy engine, doorbells, scratchpads, rings, "
			 "relays. This\nneeds two ports that are cabled to each other; where the "
			 "EAL finds none, two\nemulated ones are made. BENCHMARK is a name of "
			 "--list or a pattern; without one all\nare measured.\n",
		.options = options,
		.end = "Examples:\n"
		       "  ringbell-port speed 'write*' memcpy\n"
		       "  ringbell-port speed --eal \"-l 2,3 -a 03:00.1 -a "
		       "04:00.1\"\n",
	};
	struct args args = {.report = {.tool = "ringbell-port"}};
	size_t len = DRV_RELAY_SPACE;
	char lcores[64];
	unsigned int i;
	int ret;

	read_args(&args, &line, argc, argv);
	two_lcores(lcores);
	if (eal_start(NULL, args.eal, lcores) < 0)
		return EXIT_FAILURE;
	for (i = 0; i < args.sizes.n; i++)
		if (args.sizes.v[i] > len)
			len = RTE_ALIGN_CEIL(args.sizes.v[i], (size_t)PAGE);
	ret = measure_size(&args, len, names_ports(args.eal));
	eal_end();
	return ret;
}
