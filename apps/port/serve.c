/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_common.h>

#include "agent.h"
#include "cli.h"
#include "memory.h"
#include "play.h"
#include "registers.h"
#include "serve.h"
#include "state.h"

enum {
	COMMAND_MOST = 256,
};

static const struct agent_command *
find_command(const char *name)
{
	static const struct agent_command *const tables[] = {state_commands, memory_commands,
							     register_commands, play_commands};
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
	char line[COMMAND_MOST];

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

int
serve_agent(const struct ntb_port_info *info)
{
	static struct agent agent;

	agent.info = *info;
	agent.port = info->port;
	agent.out = take_output();
	if (agent.out == NULL) {
		cli_say("standard output: %s", strerror(errno));
		return 1;
	}
	agent_ok(&agent, "ready");
	fflush(agent.out);
	serve_commands(&agent);
	agent_stop(&agent);
	ntb_port_close(agent.port);
	return 0;
}
