/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * ringbell-port: what concerns NT ports without the runtime, a command for each purpose.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_rawdev.h>

#include "agent.h"
#include "cli.h"
#include "driver.h"
#include "eal.h"

enum {
	STATUS_WRONG = 1,
};

struct one_args {
	const char *eal;
};

static const struct cli_option one_options[] = {
	{"eal", 'e', CLI_TEXT, "OPTIONS", NULL, "of the EAL, instead of those for huge pages",
	 .at = offsetof(struct one_args, eal)},
	{0},
};

/* A command about one port. */
static int
run_one(int argc, char **argv, const char *usage, const char *about,
	int (*run)(const struct ntb_port_info *info))
{
	const struct cli line = {.usage = usage, .about = about, .options = one_options};
	struct one_args args = {NULL};
	int first = cli_read_or_exit(&line, &args, argc, argv), ret = STATUS_WRONG;
	struct ntb_port_info info;

	if (argc - first != 1)
		cli_fail(CLI_USAGE, "one PORT is needed; see --help");
	if (eal_start(argv[first], args.eal, NULL) < 0)
		return STATUS_WRONG;
	if (ports_find(&info, 1) == 1)
		ret = run(&info);
	else
		cli_say("%s: no NT port there; is it bound, and to a driver that DPDK can use?",
			argv[first]);
	eal_end();
	return ret;
}

static int
agent_main(int argc, char **argv)
{
	return run_one(argc, argv, "agent [OPTION]... PORT",
		       "One side of ringbell-port test, which starts it. Commands come on standard "
		       "input.\n",
		       serve_agent);
}

static int
test_driver(const struct ntb_port_info *info)
{
	int ret = rte_rawdev_selftest(info->port->dev_id);

	printf("%s: %s%s%s\n", info->location, ret == 0 ? "ok" : "failed", ret < 0 ? ": " : "",
	       ret < 0 ? strerror(-ret) : "");
	return ret == 0 ? 0 : STATUS_WRONG;
}

static int
selftest_main(int argc, char **argv)
{
	return run_one(argc, argv, "selftest [OPTION]... PORT",
		       "The driver's own test of an NT port that no job uses.\n", test_driver);
}

static int
dump_port(const struct ntb_port_info *info)
{
	int ret = rte_rawdev_dump(info->port->dev_id, stdout);
	char why[256];

	if (ret == -ENOTSUP) { /* a driver of somebody else */
		ntb_why_down(info->port, why, sizeof(why));
		printf("%s: %s\n", info->location, why);
		ret = 0;
	}
	if (ret != 0)
		cli_say("%s: %s", info->location, strerror(-ret));
	return ret == 0 && fflush(stdout) == 0 ? 0 : STATUS_WRONG;
}

static int
dump_main(int argc, char **argv)
{
	return run_one(argc, argv, "dump [OPTION]... PORT", "Print the state of an NT port.\n",
		       dump_port);
}

/* "test" and "order" are Python, in an archive beside this program, or where it is installed. */
static int
script_main(int argc, char **argv)
{
	char self[PATH_MAX] = "", place[PATH_MAX + 16], **words;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	const char *slash = n > 0 ? strrchr(self, '/') : NULL;

	words = calloc((size_t)argc + 4, sizeof(*words));
	if (slash == NULL || words == NULL)
		cli_fail(STATUS_WRONG, "cannot find itself: %s", strerror(errno));
	snprintf(place, sizeof(place), "%.*s/port-test", (int)(slash - self), self);
	if (access(place, X_OK) != 0)
		snprintf(place, sizeof(place), "%s", PORT_TEST);
	words[0] = place;
	words[1] = argv[0];
	words[2] = (char *)(uintptr_t) "--program";
	words[3] = self;
	memcpy(&words[4], &argv[1], (size_t)(argc - 1) * sizeof(*words));
	execv(place, words);
	cli_fail(STATUS_WRONG, "cannot run %s: %s", place, strerror(errno));
}

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{"test", script_main},	     {"order", script_main}, {"speed", speed_main},
	{"selftest", selftest_main}, {"dump", dump_main},    {"agent", agent_main},
};

static const struct cli_option no_options[] = {{0}};

static const struct cli line = {
	.usage = "COMMAND [OPTION]... [PORT]...",
	.about = "NT ports without the runtime. A PORT is a PCI address, an emulated port as in\n"
		 "raw_ntb_plx_emu0,cable=FILE,end=0, or a cable as in net_af_packet,iface=eth1.\n"
		 "COMMAND --help explains each:\n"
		 "\n"
		 "  test      does a port of any driver do what Ringbell needs of one?\n"
		 "  order     do a port and its cable keep the orders that Ringbell stands on, how "
		 "fast?\n"
		 "  speed     measure window, copy engine, registers, rings and relays of ports\n"
		 "  selftest  the driver's own test of a port\n"
		 "  dump      print the state of a port\n",
	.options = no_options,
	.stops = true,
};

int
main(int argc, char **argv)
{
	int first = cli_read_or_exit(&line, NULL, argc, argv);
	size_t i;

	if (first == argc)
		cli_fail(CLI_USAGE, "a command is needed; see --help");
	for (i = 0; i < RTE_DIM(commands); i++)
		if (strcmp(argv[first], commands[i].name) == 0)
			return commands[i].run(argc - first, argv + first);
	cli_fail(CLI_USAGE, "%s: no such command; see --help", argv[first]);
}
