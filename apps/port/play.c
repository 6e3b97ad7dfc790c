/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Commands: rules of order. */

#include <string.h>

#include "agent.h"
#include "order.h"

enum {
	WAIT_MS = 20000, /* without progress */
};

static int
flush_window(void *ctx)
{
	return agent_flush(ctx);
}

static const struct order_rule *
find_rule(struct agent *a)
{
	const struct order_rule *r = order_rules;

	while (r->name != NULL && strcmp(a->word, r->name) != 0)
		r++;
	if (r->name == NULL || (r->way == BY_DOORBELL && a->port->db_count == 0) ||
	    (r->way == BY_SCRATCHPAD && a->port->spad_count == 0))
		a->no = "no such rule here";
	else if (agent_length(a, false) == 0)
		a->no = "no region";
	return a->no == NULL ? r : NULL;
}

static struct order_end
end_of(struct agent *a)
{
	return (struct order_end){
		.port = a->port,
		.in = (struct region *)(void *)agent_memory(a, false),
		.out = a->port->window,
		.watch = {.limit_ms = WAIT_MS, .ctx = a},
		.flush = flush_window,
	};
}

static void
run_send(struct agent *a)
{
	const struct order_rule *rule = find_rule(a);
	const struct order_end end = end_of(a);

	if (rule != NULL)
		agent_say(a, (int64_t)order_send(&end, rule, a->arg[0], a->arg[1]));
}

/* Rounds that came, wrong ones, those that were not announced. */
static void
run_receive(struct agent *a)
{
	const struct order_rule *rule = find_rule(a);
	const struct order_end end = end_of(a);
	struct order_outcome o;

	if (rule == NULL)
		return;
	order_receive(&end, rule, a->arg[0], a->arg[1], &o);
	agent_say(a, (int64_t)o.rounds);
	agent_say(a, (int64_t)o.violations);
	agent_say(a, (int64_t)o.lost);
}

const struct agent_command rule_commands[] = {
	{"send", 2, AGENT_WORD, run_send},
	{"receive", 2, AGENT_WORD, run_receive},
	{NULL, 0, 0, NULL},
};
