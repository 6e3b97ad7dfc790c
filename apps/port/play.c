/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Commands: rules of order. */

#include <inttypes.h>
#include <string.h>

#include "agent.h"
#include "order.h"
#include "play.h"

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
	    (r->way == BY_SCRATCHPAD && a->port->spad_count == 0)) {
		agent_no(a, "no such rule here");
		return NULL;
	}
	return agent_region_len(a) != 0 || agent_no(a, "no region") ? r : NULL;
}

static struct order_end
end_of(struct agent *a)
{
	return (struct order_end){
		.port = a->port,
		.in = (struct region *)(void *)agent_region(a),
		.out = a->port->window,
		.watch = {.limit_ms = WAIT_MS, .ctx = a},
		.flush = flush_window,
	};
}

static bool
run_send(struct agent *a)
{
	const struct order_rule *rule = find_rule(a);
	const struct order_end end = end_of(a);

	return rule != NULL &&
	       agent_ok(a, "%" PRIu64, order_send(&end, rule, a->arg[0], a->arg[1]));
}

/* Rounds that came, wrong ones, those that were not announced. */
static bool
run_receive(struct agent *a)
{
	const struct order_rule *rule = find_rule(a);
	const struct order_end end = end_of(a);
	struct order_outcome o;

	if (rule == NULL)
		return false;
	order_receive(&end, rule, a->arg[0], a->arg[1], &o);
	return agent_ok(a, "%" PRIu64 " %" PRIu64 " %" PRIu64, o.rounds, o.violations, o.lost);
}

const struct agent_command play_commands[] = {
	{"send", 2, true, run_send},
	{"receive", 2, true, run_receive},
	{NULL, 0, false, NULL},
};
