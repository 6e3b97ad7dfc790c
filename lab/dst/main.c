/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "run.h"

#define AT(member) .at = offsetof(struct dst_args, member)

static const char *
read_policy(void *args, const char *text)
{
	struct dst_args *a = args;
	long depth = 0;

	a->stalls = strcmp(text, "stalls") == 0;
	if (!a->stalls && strcmp(text, "random") != 0 &&
	    (strncmp(text, "pct:", 4) != 0 || !cli_number(text + 4, 1, DST_DEPTH, false, &depth)))
		return "random, stalls, or pct: and a number of change points from 1 to 16";
	a->depth = (unsigned int)depth;
	return NULL;
}

static const struct cli_option options[] = {
	{"seed", 's', CLI_NUMBER, "N", "1", "the schedule's number", AT(seed), 0, LONG_MAX / 2},
	{"seeds", 'S', CLI_NUMBER, "COUNT", "1", "so many schedules, from --seed on", AT(seeds), 1,
	 LONG_MAX / 2},
	{"hosts", 'H', CLI_INT, "N", "1", "emulated hosts; 0: no oshrun, but the program alone",
	 AT(hosts), 0, 64},
	{"pes", 'n', CLI_INT, "N", "2", "PEs of the job", AT(npes), 1, 64},
	{"oshrun", 'O', CLI_TEXT, "PROGRAM", DST_OSHRUN,
	 "takes its options and starts the hosts, such as an oshrun for each", AT(oshrun)},
	{"odd", 'd', CLI_NUMBER, "PERCENT", "0",
	 "of the packets that hosts send by UDP get lost, late, doubled or changed", AT(odd), 0,
	 100},
	{"policy", 'p', CLI_READ, "POLICY", "random",
	 "random: at each point perhaps another thread; stalls: some stay away for long; pct:D: "
	 "random priorities with D changes",
	 .read = read_policy},
	{"faults", 'f', CLI_READ, "KINDS", NULL,
	 "the seed draws one to three: cut, plug, flap, deaf and mute (one way), kill, stop, "
	 "slow, refuse (memory), clock",
	 .read = dst_faults_kinds},
	{"fault", 'F', CLI_READ, "\"FAULT; ...\"", NULL,
	 "instead these, at steps: cut A-B at N, kill pe P at N, stop host H at N; also plug, "
	 "flap, mute and deaf (what A sends), hear; continue, slow, refuse; fast and ahead of "
	 "clocks",
	 .read = dst_faults_read},
	{"job-limit", 'j', CLI_INT, "SECONDS", "120", "of job time: more is a livelock",
	 AT(job_limit), 1, 1000000},
	{"steps", 'm', CLI_NUMBER, "MAX", "200000000", "more steps are a livelock", AT(steps), 1,
	 LONG_MAX},
	{"until", 'u', CLI_NUMBER, "STEP", "1000000000000",
	 "from there on only threads that wait are left: which switch mattered?", AT(until), 0,
	 LONG_MAX},
	{"limit", 'L', CLI_INT, "SECONDS", "60", "of real time for one seed", AT(limit), 1, 1e6},
	{"log", 'l', CLI_TEXT, "FILE", NULL, "all points, for a comparison of two runs", AT(log)},
	{"output", 'o', CLI_FLAG, NULL, NULL, "print what the job prints, of each seed",
	 AT(output)},
	{0},
};

static const struct cli line = {
	.usage = "[OPTION]... PROGRAM [ARG]...",
	.about = "Run a job of emulated hosts under a scheduler that lets one thread of all run at "
		 "a\ntime, and draws which one from the seed. Time is virtual. The same seed gives "
		 "the\nsame run.\n",
	.options = options,
	.stops = true,
};

int
main(int argc, char **argv)
{
	static struct dst_args a;
	int first = cli_read_or_exit(&line, &a, argc, argv);
	unsigned long wrong = 0;

	if (first == argc)
		cli_fail(CLI_USAGE, "no program: see --help");
	if (sysconf(_SC_NPROCESSORS_CONF) < 2) /* the EAL of a job looks for those it is told of */
		cli_fail(CLI_USAGE, "jobs have two CPUs here: this machine has one");
	a.argv = argv + first;
	a.words = argv;
	a.n_words = first - (strcmp(argv[first - 1], "--") == 0);
	for (long i = 0; i < a.seeds; i++)
		wrong += !dst_run(&a, (uint64_t)(a.seed + i));
	return wrong != 0;
}
