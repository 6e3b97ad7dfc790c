/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/modes.h"
#include "cli.h"
#include "oshrun.h"
#include "wiring.h"

static char why[256]; /* a value is wrong */

__attribute__((format(printf, 1, 2))) static const char *
because(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	return why;
}

static void
set_variable(struct options *opt, const char *name, const char *value)
{
	char *entry;

	opt->exports =
		reallocarray(opt->exports, (size_t)opt->n_exports + 1, sizeof(opt->exports[0]));
	if (opt->exports == NULL || asprintf(&entry, "%s=%s", name, value) < 0)
		cli_fail(OSHRUN_EXIT_FAULT, "out of memory");
	opt->exports[opt->n_exports++] = entry;
}

const char *
opts_variable(const struct options *opt, const char *name)
{
	const char *value = getenv(name);
	size_t len = strlen(name);
	int i;

	for (i = 0; i < opt->n_exports; i++)
		if (strncmp(opt->exports[i], name, len) == 0 && opt->exports[i][len] == '=')
			value = opt->exports[i] + len + 1;
	return value;
}

static const char *
add_export(void *args, const char *arg)
{
	size_t len = strcspn(arg, "=");
	char *name = strndup(arg, len);
	const char *value;

	if (name == NULL)
		cli_fail(OSHRUN_EXIT_FAULT, "out of memory");
	if (len == 0)
		return "no name before the =";
	if (help_env_is_job(name))
		return because("oshrun sets %s itself", name);
	value = arg[len] == '=' ? arg + len + 1 : getenv(name);
	if (value == NULL)
		return because("not set in the environment; give -x %s=VALUE", name);
	set_variable(args, name, value);
	free(name);
	return NULL;
}

static const char *
add_fault(void *args, const char *text)
{
	(void)args;
	return fault_read(text, why, sizeof(why)) < 0 ? why : NULL;
}

static const char *
map_by(void *args, const char *text)
{
	struct options *opt = args;

	opt->map = text;
	return rb_deal_read(&opt->deal, text, why, sizeof(why)) < 0 ? why : NULL;
}

static const char *
print_env(void *args, const char *text)
{
	(void)args;
	(void)text;
	help_env();
	exit(fflush(stdout) == 0 ? 0 : OSHRUN_EXIT_FAULT);
}

/* Where the numbers of PEs of all hosts are given, -n may be left out. */
static void
settle_counts(struct options *opt)
{
	const struct rb_deal *deal = &opt->deal;

	if (deal->how != RB_DEAL_COUNTS)
		return;
	if (deal->hosts != opt->hosts)
		cli_fail(OSHRUN_EXIT_USAGE, "--map-by %s: PEs of %d hosts, but --hosts %d",
			 opt->map, deal->hosts, opt->hosts);
	if (opt->npes > 0 && deal->pes != opt->npes)
		cli_fail(OSHRUN_EXIT_USAGE, "--map-by %s: %d PEs, but -n %d", opt->map, deal->pes,
			 opt->npes);
	opt->npes = deal->pes;
}

/* As many PEs as hosts where only one number is given, and one host where none is. */
static void
settle_numbers(struct options *opt)
{
	if (opt->hosts == 0)
		opt->hosts = opt->deal.hosts;
	if (opt->host_id >= 0 && opt->hosts < 2)
		cli_fail(OSHRUN_EXIT_USAGE, "--host-id %d: needs --hosts H, the size of the ring",
			 opt->host_id);
	if (opt->host_id >= opt->hosts && opt->host_id > 0)
		cli_fail(OSHRUN_EXIT_USAGE, "--host-id %d: must be below --hosts %d", opt->host_id,
			 opt->hosts);
	if (opt->hosts == 0)
		opt->hosts = 1;
	if (opt->cable != NULL && opt->host_id < 0)
		cli_fail(OSHRUN_EXIT_USAGE,
			 "--cable %s: needs --host-id K, which of the hosts this "
			 "machine is",
			 opt->cable);
	settle_counts(opt);
	if (opt->npes == 0)
		opt->npes = opt->hosts;
	if (opt->npes < opt->hosts)
		cli_fail(OSHRUN_EXIT_USAGE, "-n %d: fewer PEs than hosts (%d); every host has one",
			 opt->npes, opt->hosts);
	rb_deal_out(&opt->deal, opt->hosts, opt->npes, opt->host_of);
}

/* Which cables join the hosts. */
static void
settle_wiring(struct options *opt)
{
	if (opt->wiring == NULL)
		opt->wiring = "ring";
	else if (opt->hosts == 1 || opt->host_id >= 0)
		cli_fail(OSHRUN_EXIT_USAGE, "--wiring %s: needs emulated hosts, --hosts 2 or more",
			 opt->wiring);
	if (opt->hosts > 1 &&
	    wiring_read(&opt->graph, opt->wiring, (unsigned int)opt->hosts, why, sizeof(why)) < 0)
		cli_fail(OSHRUN_EXIT_USAGE, "--wiring %s: %s", opt->wiring, why);
	if (!opt->dry_run)
		return;
	if (opt->host_id >= 0 || opt->hosts == 1)
		cli_fail(OSHRUN_EXIT_USAGE,
			 "--dry-run: needs emulated hosts, --hosts 2 or more; of adapters "
			 "ringbell-top shows the cables while a job runs");
	wiring_print(&opt->graph);
	exit(fflush(stdout) == 0 ? 0 : OSHRUN_EXIT_FAULT);
}

#define AT(member) .at = offsetof(struct options, member)

/* in the order of enum bind_to, which has the default before them */
static const char *const binds[] = {"core", "numa", "none", NULL};
static const char *const notify_modes[] = {RB_NOTIFY_MODES(RB_MODE_WORD) NULL};

static const struct cli_option options[] = {
	{.kind = CLI_HEAD, .help = "The job:"},
	{"hosts", '\0', CLI_INT, "H", NULL, "hosts of the ring, 1 to 64 (default 1)", AT(hosts), 1,
	 RB_MAX_HOSTS},
	{"np", 'n', CLI_INT, "N", NULL,
	 "PEs, 1 to 1024, on all hosts together (default: one a host); -np N, too", AT(npes), 1,
	 RB_MAX_PES},
	{"map-by", '\0', CLI_READ, "slot|host|N,N,...", NULL,
	 "fill host after host (default), or go round the hosts, or put so many PEs on each; then "
	 "without -n, --hosts",
	 .read = map_by},
	{"wiring", '\0', CLI_TEXT, "WORDS", NULL,
	 "cables between the hosts: ring (default), chain, double (two cables between neighbours), "
	 "mesh, torus=XxY, or a list such as \"0-1 0-1 1-2\"",
	 AT(wiring)},
	{"bind-to", '\0', CLI_CHOICE, "core|numa|none", NULL,
	 "the CPUs of a PE: one core, those of a node, all; by default an equal share of the cores "
	 "where each PE gets one, else none; service lcores get shares of their own where there "
	 "are enough, else their lead PE's",
	 AT(bind_word), .words = binds},
	{"cpus", '\0', CLI_INT, "N", NULL,
	 "the PEs have no more than N CPUs' time, as others run here too; nothing is bound then by "
	 "default",
	 AT(cpus), 1, 1 << 16},
	{"report-bindings", '\0', CLI_FLAG, NULL, NULL,
	 "print host, CPUs, node and node of the heap of each PE", AT(report)},
	{"timeout", '\0', CLI_REAL, "S", NULL,
	 "end the job after S seconds, exit status 124, and say which call each PE is in",
	 AT(timeout), 1e-6, 1e7},
	{NULL, 'x', CLI_READ, "VAR[=VALUE]", NULL,
	 "set VAR for the program; without VALUE it must be set here", .read = add_export},
	{"dma", '\0', CLI_TEXT, "NAME,...", NULL,
	 "copy large puts to a neighbour by these dmadevs of DPDK, such as dma_skeleton0", AT(dma)},
	{"notify", '\0', CLI_CHOICE, "MODE", NULL,
	 "how a host learns of a frame: memory (default) or doorbell", AT(notify),
	 .words = notify_modes},
	{"eal", '\0', CLI_TEXT, "\"ARGS\"", NULL, "more arguments for the EAL of DPDK, in each PE",
	 AT(eal)},
	{.kind = CLI_HEAD, .help = "A ring of machines:"},
	{"host-id", '\0', CLI_INT, "K", NULL,
	 "this machine is host K of --hosts H; start oshrun on each with the same arguments but "
	 "for "
	 "K",
	 AT(host_id), 0, RB_MAX_HOSTS - 1},
	{"cable", '\0', CLI_TEXT, "CABLE+...", NULL,
	 "its cables to other hosts, or one to a switch: net_af_packet,iface=eth1, a PCI address, "
	 "and what else RINGBELL_CABLES may be",
	 AT(cable)},
	{"hello-timeout", '\0', CLI_INT, "S", NULL,
	 "seconds to wait for the neighbours (default 120; no limit on one machine)",
	 AT(hello_timeout), 1, 3600},
	{.kind = CLI_HEAD, .help = "To see what it does:"},
	{"dry-run", '\0', CLI_FLAG, NULL, NULL,
	 "print the cables of each host and those that a regular wiring would have too, and exit",
	 AT(dry_run)},
	{"survive", '\0', CLI_FLAG, NULL, NULL, "go on without cables that are lost", AT(survive)},
	{"telemetry", '\0', CLI_FLAG, NULL, NULL,
	 "answer ringbell-top and dpdk-telemetry.py while the job runs", AT(telemetry)},
	{"trace", '\0', CLI_TEXT, "FILE", NULL,
	 "write what each thread did, for ui.perfetto.dev and chrome://tracing, when the job is "
	 "over",
	 AT(trace)},
	{"fault", '\0', CLI_READ, "\"FAULT; ...\"", NULL,
	 "break the ring while the job runs, each of: cut|plug|flap A-B at T (the cable of two "
	 "hosts), kill|stop|continue host H|pe N at T; T as 0.5s or 200ms, from when all PEs have "
	 "left shmem_init, as start+200ms from when the last PE was started",
	 .read = add_fault},
	{.kind = CLI_HEAD, .help = "Output:"},
	{"tag-output", '\0', CLI_FLAG, NULL, NULL, "begin each line with [PE number]", AT(tag)},
	{"help-env", '\0', CLI_READ, NULL, NULL, "the environment variables", .read = print_env},
	{0},
};

static const struct cli line = {
	.usage = "[OPTION]... PROGRAM [ARGUMENT]...",
	.about = "Run an OpenSHMEM program on a ring of emulated hosts on this machine. Each host "
		 "has\n"
		 "two emulated PEX8749 NT ports; cables join it to its neighbours.\n",
	.options = options,
	.end = "Standard input goes to PE 0. Output of all PEs is passed on in whole lines.\n"
	       "SIGINT, SIGTERM, SIGHUP and SIGQUIT are passed on and end the job: what is left\n"
	       "after 2 seconds is killed. On SIGQUIT (Ctrl-\\) oshrun prints in which call each "
	       "PE\n"
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
	       "  oshrun --host-id 1 --hosts 2 --cable net_af_packet,iface=eth1 ./hello\n"
	       "  oshrun --host-id 1 --hosts 3 --eal \"-a 01:00.0 -a 02:00.0\" ./hello\n"
	       "  oshrun --hosts 2 --timeout 10 --eal \"--log-level=eal:debug\" ./put\n",
	.stops = true,
};

/* Options that stand for a variable of the runtime. */
static void
set_variables(struct options *opt)
{
	if (opt->dma != NULL)
		set_variable(opt, "RINGBELL_DMA", opt->dma);
	if (opt->notify >= 0)
		set_variable(opt, "RINGBELL_NOTIFY", notify_modes[opt->notify]);
	if (opt->cable != NULL)
		set_variable(opt, "RINGBELL_CABLES", opt->cable);
	if (opt->eal != NULL)
		set_variable(opt, "RINGBELL_EAL", opt->eal);
	if (opt->survive)
		set_variable(opt, "RINGBELL_SURVIVE", "yes");
	if (opt->telemetry)
		set_variable(opt, "RINGBELL_TELEMETRY", "1");
}

void
opts_parse(struct options *opt, int argc, char **argv)
{
	int first;

	*opt = (struct options){.host_id = -1, .map = "slot", .bind_word = -1, .notify = -1};
	first = cli_read_or_exit(&line, opt, argc, argv);
	if (first == argc && !opt->dry_run)
		cli_fail(OSHRUN_EXIT_USAGE, "no program given; see oshrun --help");
	opt->argv = argv + first;
	opt->bind = (enum bind_to)(opt->bind_word + 1);
	settle_numbers(opt);
	settle_wiring(opt);
	set_variables(opt);
	if (fault_check(opt, why, sizeof(why)) < 0)
		cli_fail(OSHRUN_EXIT_USAGE, "--fault %s", why);
}
