/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "litmus.h"

static const char usage[] =
	"Usage: shmem-litmus [OPTION]... [TEST]...\n"
	"\n"
	"Run small concurrent programs, over and over, and count their outcomes: which orders "
	"does\n"
	"this OpenSHMEM library keep? TEST is a name of --list, such as MP+fence, or a pattern, "
	"such\n"
	"as 'MP*+put+*'; without one all run. The status is 1 if an outcome was seen that the\n"
	"standard forbids or, under Ringbell, that Ringbell forbids.\n"
	"\n"
	"  -t, --time SECONDS   rounds of one test of each family, drawn at random (10)\n"
	"  -r, --rounds N       instead, so many rounds of all tests\n"
	"  -s, --seed N         what tests, PEs, places of words and pauses are drawn from (the "
	"time)\n"
	"  -i, --instances N    instances of a test in one batch, at most (64)\n"
	"  -y, --layouts LIST   where words lie: line, lines, pages, static, heap (all)\n"
	"  -L, --limit SECONDS  where one test takes longer, end with status 3 (60)\n"
	"\n"
	"Output:\n"
	"  -v, --verbose        each test with all outcomes, instead of a line for each family\n"
	"  -j, --json FILE      write JSON too; - is standard output, and then no tables\n"
	"  -l, --list           print the tests\n"
	"  -h, --help           this text\n"
	"\n"
	"Examples:\n"
	"  oshrun --hosts 5 shmem-litmus\n"
	"  oshrun --hosts 2 -n 6 shmem-litmus --time 60 --json ring.json 'MP*' SB+quiet\n";

static const struct option options[] = {
	{"time", required_argument, NULL, 't'},
	{"rounds", required_argument, NULL, 'r'},
	{"seed", required_argument, NULL, 's'},
	{"limit", required_argument, NULL, 'L'},
	{"layouts", required_argument, NULL, 'y'},
	{"instances", required_argument, NULL, 'i'},
	{"verbose", no_argument, NULL, 'v'},
	{"json", required_argument, NULL, 'j'},
	{"list", no_argument, NULL, 'l'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static bool
read_seconds(const char *text, double *ret)
{
	char *end;

	*ret = strtod(text, &end);
	return end != text && *end == '\0' && *ret >= 0 && *ret <= 1e6;
}

static bool
read_number(const char *text, long least, long most, long *ret)
{
	const char *end;

	return cli_number(text, least, most, ret, &end) && *end == '\0';
}

/* "line,pages" to a bit for each. */
static bool
read_layouts(struct litmus_args *a, const char *list)
{
	size_t n;
	int i;

	for (a->layouts = 0; *list != '\0'; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		for (i = 0; i < LITMUS_LAYOUTS; i++)
			if (strlen(litmus_layout_names[i]) == n &&
			    strncmp(litmus_layout_names[i], list, n) == 0)
				break;
		if (i == LITMUS_LAYOUTS)
			return false;
		a->layouts |= 1u << i;
	}
	return a->layouts != 0;
}

static bool
set_option(struct litmus_args *a, int c, const char *value)
{
	bool ok = true;
	long v = 0;

	switch (c) {
	case 't':
		return read_seconds(value, &a->seconds);
	case 'r':
		return read_number(value, 1, 1000000000, &a->rounds);
	case 's':
		ok = read_number(value, 0, LONG_MAX, &v);
		a->seed = (uint64_t)v;
		break;
	case 'L':
		ok = read_number(value, 1, 1000000, &v);
		a->limit = (unsigned int)v;
		break;
	case 'i':
		ok = read_number(value, 1, LITMUS_INSTANCES, &v);
		a->instances = (unsigned int)v;
		break;
	case 'y':
		return read_layouts(a, value);
	case 'v':
		a->verbose = true;
		break;
	case 'j':
		a->json = value;
		break;
	default:
		a->list = true;
	}
	return ok;
}

int
litmus_args_read(struct litmus_args *a, int argc, char **argv, bool speak)
{
	int c;

	*a = (struct litmus_args){.seconds = 10,
				  .seed = UINT64_MAX,
				  .limit = 60,
				  .instances = LITMUS_INSTANCES,
				  .layouts = (1u << LITMUS_LAYOUTS) - 1};
	opterr = speak;
	while ((c = getopt_long(argc, argv, "t:r:s:i:y:L:vj:lh", options, NULL)) >= 0) {
		if (c == 'h') {
			if (speak)
				fputs(usage, stdout);
			return 1;
		}
		if (c == '?' || !set_option(a, c, optarg)) {
			if (speak && c != '?')
				fprintf(stderr, "shmem-litmus: bad value '%s' for -%c\n", optarg,
					c);
			if (speak)
				fputs("Try: shmem-litmus --help\n", stderr);
			return 3;
		}
	}
	a->names = argv + optind;
	return 0;
}
