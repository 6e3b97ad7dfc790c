/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <limits.h>

#include "cli.h"
#include "litmus.h"

#define AT(member) .at = offsetof(struct litmus_args, member)

static const struct cli_option options[] = {
	{"time", 't', CLI_REAL, "SECONDS", "10",
	 "rounds of one test of each family, drawn at random", AT(seconds), 0, 1e6},
	{"rounds", 'r', CLI_NUMBER, "N", NULL, "instead, so many rounds of all tests", AT(rounds),
	 1, 1e9},
	{"seed", 's', CLI_NUMBER, "N", NULL,
	 "what tests, PEs, places of words and pauses are drawn from (default: the time)", AT(seed),
	 0, LONG_MAX},
	{"instances", 'i', CLI_INT, "N", "64", "instances of a test in one batch, at most",
	 AT(instances), 1, LITMUS_INSTANCES},
	{"limit", 'L', CLI_INT, "SECONDS", "60", "where one test takes longer, end with status 3",
	 AT(limit), 1, 1e6},
	{.kind = CLI_HEAD, .help = "Output:"},
	{"verbose", 'v', CLI_FLAG, NULL, NULL,
	 "each test with all outcomes, instead of a line for each family", AT(verbose)},
	{"list", 'l', CLI_FLAG, NULL, NULL, "print the tests", AT(list)},
	{0},
};

static const struct cli line = {
	.usage = "[OPTION]... [TEST]...",
	.about = "Run small concurrent programs, over and over, and count their outcomes: which\n"
		 "orders does this OpenSHMEM library keep? TEST is a name of --list, such as\n"
		 "MP+fence, or a pattern, such as 'MP*+put+*'; without one all run. The status is "
		 "1\n"
		 "if an outcome was seen that the standard forbids or, under Ringbell, that "
		 "Ringbell\n"
		 "forbids.\n",
	.options = options,
	.end = "Examples:\n"
	       "  oshrun --hosts 5 shmem-litmus\n"
	       "  oshrun --hosts 2 -n 6 shmem-litmus --time 60 --verbose 'MP*' SB+quiet\n",
};

int
litmus_args_read(struct litmus_args *a, int argc, char **argv, bool speak)
{
	struct cli mine = line;
	int first;

	*a = (struct litmus_args){.seed = -1};
	mine.quiet = !speak;
	first = cli_read(&mine, a, argc, argv);
	if (first < 0)
		return -first;
	a->names = argv + first;
	return 0;
}
