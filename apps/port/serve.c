/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_common.h>

#include "agent.h"
#include "cli.h"

enum {
	COMMAND_MOST = 256,
};

static const struct agent_command *
find_command(const char *name)
{
	static const struct agent_command *const tables[] = {
		port_commands, memory_commands, register_commands, rule_commands, rate_commands};
	const struct agent_command *c;
	unsigned int i;

	for (i = 0; i < RTE_DIM(tables); i++)
		for (c = tables[i]; c->name != NULL; c++)
			if (strcmp(c->name, name) == 0)
				return c;
	return NULL;
}

/* @return NULL, or what is wrong */
static const char *
read_numbers(struct agent *a, const struct agent_command *c, char **rest)
{
	char *word, *end;
	unsigned int i;

	a->word = c->needs & AGENT_WORD ? strtok_r(NULL, " \n", rest) : "";
	for (i = 0; i < c->args; i++) {
		word = strtok_r(NULL, " \n", rest);
		if (word == NULL)
			break;
		errno = 0;
		a->arg[i] = strtoull(word, &end, 0);
		if (errno != 0 || *end != '\0')
			return "not a number";
	}
	if (a->word == NULL || i < c->args || strtok_r(NULL, " \n", rest) != NULL)
		return "number of arguments";
	return NULL;
}

static const char *
find_lack(const struct agent *a, const struct agent_command *c)
{
	if (c->needs & AGENT_BELLS && a->port->db_count == 0)
		return "no doorbells";
	if (c->needs & AGENT_PADS && a->arg[1] >= a->port->spad_count)
		return "no such scratchpad";
	if (c->needs & AGENT_PLACE && !agent_has_word(agent_length(a, a->arg[0]), a->arg[1]))
		return "offset";
	if (c->needs & AGENT_REGION && !a->started)
		return "no port that is started";
	return NULL;
}

static void
run_line(struct agent *a, char *line)
{
	char *rest = NULL, *name = strtok_r(line, " \n", &rest);
	const struct agent_command *c = name == NULL ? NULL : find_command(name);

	a->numbers = 0;
	a->text = NULL;
	a->no = c == NULL ? "unknown command" : read_numbers(a, c, &rest);
	if (a->no == NULL)
		a->no = find_lack(a, c);
	if (a->no == NULL)
		c->run(a);
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

/* Whose window is messages receives them all the time. */
static void *
keep_polling(void *arg)
{
	struct agent *a = arg;

	while (!atomic_load_explicit(&a->ends, memory_order_relaxed)) {
		a->port->ops->poll(a->port, true);
		sched_yield();
	}
	return NULL;
}

int
serve_agent(const struct ntb_port_info *info)
{
	static struct agent a;
	char line[COMMAND_MOST];
	FILE *out = take_output();
	pthread_t poller;
	unsigned int i;
	bool polls;

	a.info = *info;
	a.port = info->port;
	if (out == NULL) {
		cli_say("standard output: %s", strerror(errno));
		return 1;
	}
	a.text = "ready";
	polls = a.port->ops->poll != NULL && pthread_create(&poller, NULL, keep_polling, &a) == 0;
	do {
		fputs(a.no ? "no" : "ok", out);
		if (a.no != NULL || a.text != NULL)
			fprintf(out, " %s", a.no ? a.no : a.text);
		for (i = 0; i < a.numbers && a.no == NULL; i++)
			fprintf(out, " %" PRId64, a.number[i]);
		fputc('\n', out);
		if (fflush(out) != 0 || fgets(line, sizeof(line), stdin) == NULL)
			break;
		run_line(&a, line);
	} while (true);
	agent_stop(&a);
	atomic_store_explicit(&a.ends, true, memory_order_relaxed);
	if (polls)
		pthread_join(poller, NULL);
	ntb_port_close(a.port);
	return 0;
}
