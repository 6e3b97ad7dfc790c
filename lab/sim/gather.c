/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* Atomics that share frames: relay/request.c, with time. */

#include "gather.h"
#include "base/wire.h"
#include "net.h"

bool
sim_gather_add(struct sim_app *a)
{
	struct sim_gather *g = &a->gather[a->op.peer];

	g->parts++;
	g->bytes += (uint32_t)a->op.len;
	a->gathered++;
	return g->under_way == 0 || g->parts == RB_GATHER;
}

unsigned int
sim_gather_before(const struct sim_app *a)
{
	unsigned int i, hosts = a->thread.s->p.hosts;

	if (a->op.kind == SIM_ATOMIC && a->gather[a->op.peer].parts > 0)
		return a->op.peer;
	if (a->op.kind != SIM_QUIET && a->op.kind != SIM_BARRIER && a->op.kind != SIM_END)
		return RB_MAX_HOSTS;
	for (i = 0; i < hosts && a->gather[i].parts == 0; i++)
		;
	return i < hosts ? i : RB_MAX_HOSTS;
}

void
sim_gather_send(struct sim_app *a, struct sim_thread *t, unsigned int port, unsigned int dst)
{
	struct sim_gather *g = &a->gather[dst];
	const struct sim_frame f = {
		.op = SIM_F_GET,
		.src = t->host->id,
		.dst = dst,
		.len = g->bytes,
		.atomic = true,
		.parts = g->parts,
	};

	a->gathered -= g->parts;
	a->pending++;
	*g = (struct sim_gather){.under_way = g->under_way + 1};
	t->lands = 0;
	sim_commit(t, port, SIM_OWN, &f);
}

/* The program takes a slot before it fills it. */
static bool
slot_left(const struct sim_host *h, unsigned int port)
{
	const struct sim_app *a = &h->app;
	bool taken = (a->state == SIM_WRITTEN || a->state == SIM_SENT) && a->port == port;

	return sim_free(h, port, SIM_OWN) > taken;
}

bool
sim_gather_turn(struct sim_thread *t)
{
	struct sim_host *h = t->host;
	struct sim_app *a = &h->app;
	unsigned int dst, port;
	bool sent = false;

	for (dst = 0; a->gathered > 0 && dst < h->s->p.hosts; dst++) {
		/* the program is about to send them */
		bool leave = (a->state == SIM_HELD || a->state == SIM_SENT) && a->to == dst;

		if (a->gather[dst].parts == 0 || a->gather[dst].under_way > 0 || leave)
			continue;
		port = rb_graph_next(&h->s->graph, h->id, RB_PORT_NONE, dst);
		if (!slot_left(h, port))
			continue;
		sim_gather_send(a, t, port, dst);
		sent = true;
	}
	return sent;
}
