/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Commands: doorbells and scratchpads, of ports that have them. */

#include "agent.h"
#include "wait.h"

static void
run_ring(struct agent *a)
{
	ntb_db_ring(a->port, (uint32_t)a->arg[0]);
}

/* Wait for one of these doorbells, or all that are pending after the time. */
static void
run_hear(struct agent *a)
{
	uint64_t end = clock_ns() + a->arg[1] * 1000000;
	uint32_t bits;

	do {
		bits = ntb_db_read(a->port);
	} while ((bits & a->arg[0]) != a->arg[0] && clock_ns() < end);
	agent_say(a, bits);
}

static void
run_clear(struct agent *a)
{
	ntb_db_clear(a->port, (uint32_t)a->arg[0]);
	agent_say(a, ntb_db_read(a->port));
}

/* Of this side (0), or of the peer (1). */
static void
run_pad(struct agent *a)
{
	const struct ntb_port_ops *ops = a->port->ops;
	unsigned int i = (unsigned int)a->arg[1];

	agent_say(a, a->arg[0] ? ops->peer_spad_read(a->port, i) : ops->spad_read(a->port, i));
}

static void
run_pad_set(struct agent *a)
{
	const struct ntb_port_ops *ops = a->port->ops;

	(a->arg[0] ? ops->peer_spad_write : ops->spad_write)(a->port, (unsigned int)a->arg[1],
							     (uint32_t)a->arg[2]);
}

const struct agent_command register_commands[] = {
	{"ring", 1, AGENT_BELLS, run_ring},	 {"hear", 2, AGENT_BELLS, run_hear},
	{"clear", 1, AGENT_BELLS, run_clear},	 {"pad", 2, AGENT_PADS, run_pad},
	{"pad_set", 3, AGENT_PADS, run_pad_set}, {NULL, 0, 0, NULL},
};
