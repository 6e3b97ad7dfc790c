/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdio.h>
#include <string.h>

#include "oshrun.h"

/* user and job are the kinds that base/env.def knows */
enum env_kind {
	library,
	user,
	job,
};

static const struct env_var {
	const char *name;
	enum env_kind kind;
	const char *def;
	const char *help;
} vars[] = {
#define SHMEM_ENV(symbol, name, older, fallback, help) {name, library, fallback, help},
#include "env.def"
#undef SHMEM_ENV
#define RB_ENV(symbol, name, kind, def, help) {name, kind, def, help},
#include "base/env.def"
#undef RB_ENV
};

static void
usage_end(void)
{
	puts("\n"
	     "Standard input goes to PE 0. Output of all PEs is passed on in whole lines.\n"
	     "SIGINT, SIGTERM, SIGHUP and SIGQUIT are passed on and end the job: what is left\n"
	     "after 2 seconds is killed. On SIGQUIT (Ctrl-\\) oshrun prints in which call each PE\n"
	     "is and which PE it waits for. SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGWINCH are\n"
	     "passed on.\n"
	     "\n"
	     "When a PE fails, oshrun names it, ends the others, and exits with its status, or\n"
	     "with 128 plus the number of the signal that killed it. No PE and no shared memory\n"
	     "outlives oshrun, however it ends.\n"
	     "\n"
	     "Examples:\n"
	     "  oshrun --hosts 3 ./hello\n"
	     "  oshrun -n 8 --hosts 2 ./hello\n"
	     "  oshrun --hosts 4 --tag-output -x SHMEM_SYMMETRIC_SIZE=256M ./stencil 1000\n"
	     "  oshrun --host-id 1 --hosts 3 --eal \"-a 01:00.0 -a 02:00.0\" ./hello\n"
	     "  oshrun --hosts 2 --timeout 10 --eal \"--log-level=eal:debug\" ./put");
}

void
help_usage(void)
{
	puts("Usage: oshrun [OPTION]... PROGRAM [ARGUMENT]...\n"
	     "\n"
	     "Run an OpenSHMEM program on a ring of emulated hosts on this machine.\n"
	     "Each host has two emulated PEX8749 NT ports; cables join it to its neighbours.\n"
	     "\n"
	     "The job:\n"
	     "      --hosts H       hosts of the ring, 1 to 64 (default 1)\n"
	     "  -n, -np N           PEs, 1 to 1024, on all hosts together (default: one a host)\n"
	     "      --map-by slot|host|N,N,...  fill host after host (default), or go round the\n"
	     "                      hosts, or put so many PEs on each; then without -n, --hosts\n"
	     "      --bind-to core|numa|none  the CPUs of a PE: one core, those of a node, all;\n"
	     "                      default: an equal share of the cores where each PE gets one,\n"
	     "                      else none; service lcores get shares of their own where there\n"
	     "                      are enough, else their lead PE's\n"
	     "      --cpus N        the PEs have no more than N CPUs' time, as others run here "
	     "too;\n"
	     "                      nothing is bound then by default\n"
	     "      --report-bindings   print host, CPUs, node and node of the heap of each PE\n"
	     "      --timeout S     end the job after S seconds, exit status 124, and say which\n"
	     "                      call each PE is in\n"
	     "  -x VAR[=VALUE]      set VAR for the program; without VALUE it must be set here\n"
	     "      --dma NAME,...  copy large puts to a neighbour by these dmadevs of DPDK,\n"
	     "                      such as dma_skeleton0\n"
	     "      --notify MODE   how a host learns of a frame: memory (default), doorbell,\n"
	     "                      or scratchpad, the slow way of the papers\n"
	     "      --eal \"ARGS\"    more arguments for the EAL of DPDK, in each PE\n"
	     "\n"
	     "A ring of machines:\n"
	     "      --host-id K     this machine is host K of --hosts H; start oshrun on each "
	     "with\n"
	     "                      the same arguments but for K\n"
	     "      --hello-timeout S   seconds to wait for the neighbours (default 120; no limit\n"
	     "                      on one machine)\n"
	     "      --hostfile F    print the lines of mpirun and srun that use the hosts in F\n"
	     "\n"
	     "To see what it does:\n"
	     "      --telemetry     answer ringbell-top and dpdk-telemetry.py while the job runs\n"
	     "      --trace FILE    write what each thread did, for ui.perfetto.dev and\n"
	     "                      chrome://tracing, when the job is over\n"
	     "      --fault \"FAULT; ...\"  break the ring while the job runs, each of:\n"
	     "                      cut|plug|flap A-B at T [for T]   the cable of two hosts\n"
	     "                      kill|stop host H|pe N at T [for T]\n"
	     "                      T as 0.5s or 200ms, from when all PEs have left shmem_init,\n"
	     "                      as start+200ms from when the last PE was started\n"
	     "\n"
	     "Output:\n"
	     "      --tag-output    begin each line with [PE number]\n"
	     "      --dry-run       print the cables and the commands, start nothing\n"
	     "  -h, --help          this text\n"
	     "      --help-env      the environment variables\n"
	     "      --version       the version");
	usage_end();
}

static void
print_vars(enum env_kind kind)
{
	size_t i;

	for (i = 0; i < sizeof(vars) / sizeof(vars[0]); i++) {
		if (vars[i].kind != kind)
			continue;
		printf("  %-24s %s", vars[i].name, vars[i].help);
		if (vars[i].def[0] != '\0' && kind != job)
			printf(" (default %s)", vars[i].def);
		putchar('\n');
	}
}

void
help_env(void)
{
	puts("Variables of the OpenSHMEM library:");
	print_vars(library);
	puts("\nVariables of the runtime:");
	print_vars(user);
	puts("\nSet by oshrun for its PEs, not to be set by hand:");
	print_vars(job);
}

bool
help_env_is_job(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(vars) / sizeof(vars[0]); i++)
		if (vars[i].kind == job && strcmp(vars[i].name, name) == 0)
			return true;
	return false;
}
