/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdio.h>
#include <string.h>

#include "perf.h"

#define AT(member) .at = offsetof(struct perf_args, member)

static const char *
read_buffers(void *args, const char *list)
{
	struct perf_args *a = args;

	a->heap = strncmp(list, "heap", 4) == 0;
	if (a->heap)
		list += 4;
	if (a->heap && *list == ',')
		list++;
	a->in_static = strcmp(list, "static") == 0;
	return a->in_static || (a->heap && *list == '\0') ? NULL : "heap, static, or both";
}

static const struct cli_option options[] = {
	{.kind = CLI_HEAD, .help = "What is measured:"},
	{"sizes", 's', CLI_SIZES, "LIST", REPORT_SIZES, "bytes", AT(sizes)},
	{"coll-max", 'c', CLI_SIZE, "SIZE", "64K", "largest size for collectives", AT(coll_max), 8,
	 PERF_STATIC_MAX},
	{"buffers", 'b', CLI_READ, "LIST", "heap", "where the data is: heap, static",
	 .read = read_buffers},
	{"target", 't', CLI_INT, "PE", "1", "the PE that PE 0 puts to and gets from", AT(target), 0,
	 PERF_PES_MAX - 1},
	{"hops", 'H', CLI_TEXT, "LIST", NULL,
	 "instead one PE at each distance in links: all, or such as 1,2", AT(hops)},
	{.kind = CLI_HEAD, .help = "How:"},
	{REPORT_SAMPLES, AT(report.samples), 1, REPORT_SAMPLES_MAX},
	{REPORT_TIME, AT(report.ms), 1, 60000},
	{.kind = CLI_HEAD, .help = "Output:"},
	{REPORT_JSON, AT(report.json)},
	{REPORT_LIST, AT(list)},
	{0},
};

static const struct cli line = {
	.usage = "[OPTION]... [BENCHMARK]...",
	.about =
		"Measure OpenSHMEM operations. BENCHMARK is a name of --list or a pattern such as\n"
		"'put_*'; without one all are measured.\n",
	.options = options,
	.end = "Examples:\n"
	       "  oshrun -n 2 shmem-perf\n"
	       "  oshrun --hosts 4 shmem-perf --hops all --json ring4.json 'put_*' 'get_*'\n",
};

static void
list_benches(void)
{
	const struct perf_bench *b;

	for (b = perf_benches; b->name; b++)
		printf("%-13s %s\n", b->name, b->title);
}

static bool
is_known(char *name)
{
	char *const patterns[] = {name, NULL};
	const struct perf_bench *b;

	for (b = perf_benches; b->name; b++)
		if (cli_match(patterns, b->name))
			return true;
	return false;
}

int
perf_args_read(struct perf_args *a, int argc, char **argv, bool speak)
{
	struct cli mine = line;
	int i, first;

	*a = (struct perf_args){.report = {.tool = "shmem-perf"}};
	mine.quiet = !speak;
	first = cli_read(&mine, a, argc, argv);
	if (first < 0)
		return -first;
	if (a->list && speak)
		list_benches();
	if (a->list)
		return 1;
	for (i = first; i < argc; i++) {
		if (is_known(argv[i]))
			continue;
		if (speak)
			cli_say("no benchmark '%s'; --list shows them", argv[i]);
		return CLI_USAGE + 1;
	}
	a->names = argv + first;
	return 0;
}
