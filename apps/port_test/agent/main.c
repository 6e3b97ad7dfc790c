/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * ringbell-port-agent: one side of ringbell-port-test, which starts it and speaks with it over
 * standard input and output.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_rawdev.h>

#include "access.h"
#include "agent.h"
#include "eal.h"
#include "memory.h"
#include "order.h"
#include "port.h"
#include "registers.h"

enum {
	STATUS_WRONG = 1,
	STATUS_USAGE = 2,
	OPT_VERSION = 256,
	LINE = 256,
};

static const char usage[] =
	"Usage: ringbell-port-agent [OPTION]... PORT\n"
	"\n"
	"One side of ringbell-port-test, which starts it. PORT is a PCI address, or an emulated "
	"port\n"
	"as in raw_ntb_plx_emu0,cable=FILE,end=0. Commands come on standard input.\n"
	"\n"
	"  -e, --eal OPTIONS  of the EAL, instead of those for huge pages\n"
	"  -h, --help         this text\n"
	"      --version      the version\n";

static const struct option options[] = {
	{"eal", required_argument, NULL, 'e'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, OPT_VERSION},
	{NULL, 0, NULL, 0},
};

static const struct agent_command *
find_command(const char *name)
{
	static const struct agent_command *const tables[] = {port_commands, memory_commands,
							     register_commands, order_commands};
	const struct agent_command *c;
	unsigned int i;

	for (i = 0; i < RTE_DIM(tables); i++)
		for (c = tables[i]; c->name != NULL; c++)
			if (strcmp(c->name, name) == 0)
				return c;
	return NULL;
}

static bool
run_line(struct agent *a, char *line)
{
	char *rest = NULL, *word = strtok_r(line, " \n", &rest), *end;
	const struct agent_command *c = word == NULL ? NULL : find_command(word);
	unsigned int i;

	if (c == NULL)
		return agent_no(a, "unknown command");
	a->word = c->named ? strtok_r(NULL, " \n", &rest) : "";
	for (i = 0; i < c->args; i++) {
		word = strtok_r(NULL, " \n", &rest);
		if (word == NULL)
			break;
		errno = 0;
		a->arg[i] = strtoull(word, &end, 0);
		if (errno != 0 || *end != '\0')
			return agent_no(a, "%s is no number", word);
	}
	if (a->word == NULL || i < c->args || strtok_r(NULL, " \n", &rest) != NULL)
		return agent_no(a, "%s takes %u arguments", c->name, c->args);
	return c->run(a);
}

/* Commands until the end of standard input. */
static void
serve_commands(struct agent *a)
{
	char line[LINE];

	while (fgets(line, sizeof(line), stdin) != NULL) {
		(void)run_line(a, line);
		if (fflush(a->out) != 0)
			return;
	}
}

/* Answers have a descriptor of their own: the EAL and drivers print to standard output. */
static FILE *
take_output(void)
{
	int fd = dup(STDOUT_FILENO);

	if (fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return NULL;
	return fdopen(fd, "w");
}

static int
serve_port(const char *name)
{
	static struct agent agent;
	uint16_t id;

	for (id = 0; id < rte_rawdev_count() && agent.port == NULL; id++)
		if (access_port(id, &agent.info) == 0)
			agent.port = agent.info.port;
	if (agent.port == NULL) {
		fprintf(stderr,
			"ringbell-port-agent: %s: no NT port there; is it bound, and to a driver "
			"that "
			"DPDK can use?\n",
			name);
		return STATUS_WRONG;
	}
	agent.out = take_output();
	if (agent.out == NULL) {
		fprintf(stderr, "ringbell-port-agent: standard output: %s\n", strerror(errno));
		return STATUS_WRONG;
	}
	agent_ok(&agent, "ready");
	fflush(agent.out);
	serve_commands(&agent);
	agent_stop(&agent);
	ntb_port_close(agent.port);
	return 0;
}

int
main(int argc, char **argv)
{
	const char *eal = NULL;
	int c, ret;

	while ((c = getopt_long(argc, argv, "e:h", options, NULL)) >= 0) {
		switch (c) {
		case 'e':
			eal = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
			return 0;
		case OPT_VERSION:
			puts("ringbell-port-agent (Ringbell) " RINGBELL_VERSION);
			return 0;
		default:
			return STATUS_USAGE;
		}
	}
	if (argc - optind != 1) {
		fputs("ringbell-port-agent: one PORT is needed; see --help\n", stderr);
		return STATUS_USAGE;
	}
	if (eal_start(argv[0], argv[optind], eal) < 0)
		return STATUS_WRONG;
	ret = serve_port(argv[optind]);
	eal_end();
	return ret;
}
