/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "perf.h"

static const char usage[] =
	"Usage: shmem-perf [OPTION]... [BENCHMARK]...\n"
	"\n"
	"Measure OpenSHMEM operations. BENCHMARK is a name of --list or a pattern such as "
	"'put_*';\n"
	"without one all are measured.\n"
	"\n"
	"What is measured:\n"
	"  -s, --sizes LIST     bytes, such as 8,4K,1M (default " CLI_SIZES ")\n"
	"  -c, --coll-max SIZE  largest size for collectives (64K)\n"
	"  -b, --buffers LIST   where the data is: heap, static (heap)\n"
	"  -t, --target PE      the PE that PE 0 puts to and gets from (1)\n"
	"  -H, --hops LIST      instead one PE at each distance in links: all, or such as 1,2\n"
	"\n"
	"How:\n"
	"  -r, --samples N      samples of each figure; the median counts (7)\n"
	"  -T, --time MS        milliseconds of a sample, about (5)\n"
	"\n"
	"Instead:\n"
	"  -u, --tune[=FILE]    find the copy methods that suit this machine and the target, and\n"
	"                       write them to FILE (default ~/.config/ringbell/tune)\n"
	"\n"
	"Output:\n"
	"  -j, --json FILE      write JSON too; - is standard output, and then no tables\n"
	"  -C, --csv FILE       write comma-separated values too\n"
	"  -a, --against FILE   compare with what --json wrote earlier\n"
	"  -l, --list           print the names and titles of the benchmarks\n"
	"  -h, --help           this text\n"
	"\n"
	"Examples:\n"
	"  oshrun -n 2 shmem-perf\n"
	"  oshrun --hosts 4 shmem-perf --hops all --json ring4.json 'put_*' 'get_*'\n"
	"  oshrun --hosts 4 -x RINGBELL_WAIT=spin shmem-perf --against ring4.json 'put_*'\n";

static const struct option options[] = {
	{"sizes", required_argument, NULL, 's'},   {"coll-max", required_argument, NULL, 'c'},
	{"buffers", required_argument, NULL, 'b'}, {"target", required_argument, NULL, 't'},
	{"hops", required_argument, NULL, 'H'},	   {"samples", required_argument, NULL, 'r'},
	{"time", required_argument, NULL, 'T'},	   {"tune", optional_argument, NULL, 'u'},
	{"json", required_argument, NULL, 'j'},	   {"csv", required_argument, NULL, 'C'},
	{"against", required_argument, NULL, 'a'}, {"list", no_argument, NULL, 'l'},
	{"help", no_argument, NULL, 'h'},	   {NULL, 0, NULL, 0},
};

static bool
read_buffers(struct perf_args *a, const char *list)
{
	a->heap = strncmp(list, "heap", 4) == 0;
	if (a->heap)
		list += 4;
	if (a->heap && *list == ',')
		list++;
	a->in_static = strcmp(list, "static") == 0;
	return a->in_static || (a->heap && *list == '\0');
}

static bool
set_option(struct perf_args *a, int c, const char *value)
{
	const char *end = "";
	long v = 0;
	bool ok = true;

	switch (c) {
	case 's':
		a->nsizes = cli_sizes(value, a->sizes);
		return a->nsizes > 0;
	case 'c':
		ok = cli_number(value, 8, PERF_STATIC_MAX, &v, &end);
		a->coll_max = (size_t)v;
		break;
	case 'b':
		return read_buffers(a, value);
	case 't':
		ok = cli_number(value, 0, PERF_PES_MAX - 1, &v, &end);
		a->target = (int)v;
		break;
	case 'H':
		a->hops = value;
		break;
	case 'r':
		ok = cli_number(value, 1, REPORT_SAMPLES_MAX, &v, &end);
		a->samples = (unsigned int)v;
		break;
	case 'T':
		ok = cli_number(value, 1, 60000, &v, &end);
		a->seconds = (double)v / 1000;
		break;
	case 'u':
		a->tune = value ? value : "";
		break;
	default:
		return report_option(&a->report, c, value);
	}
	return ok && *end == '\0';
}

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
	int c, i;

	*a = (struct perf_args){
		.report = {.tool = "shmem-perf"},
		.samples = 7,
		.seconds = 0.005,
		.coll_max = 64 << 10,
		.target = 1,
		.heap = true,
	};
	a->nsizes = cli_sizes(CLI_SIZES, a->sizes);
	opterr = speak;
	while ((c = getopt_long(argc, argv, "s:c:b:t:H:r:T:u::j:C:a:lh", options, NULL)) >= 0) {
		if (c == 'h' || c == 'l') {
			if (speak && c == 'h')
				fputs(usage, stdout);
			else if (speak)
				list_benches();
			return 1;
		}
		if (c == '?' || !set_option(a, c, optarg)) {
			if (speak && c != '?')
				fprintf(stderr, "shmem-perf: bad value '%s' for -%c\n", optarg, c);
			if (speak)
				fputs("Try: shmem-perf --help\n", stderr);
			return 3;
		}
	}
	for (i = optind; i < argc; i++) {
		if (is_known(argv[i]))
			continue;
		if (speak)
			fprintf(stderr, "shmem-perf: no benchmark '%s'; --list shows them\n",
				argv[i]);
		return 3;
	}
	a->names = argv + optind;
	return 0;
}
