/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdlib.h>

#include "app.h"
#include "service.h"
#include "sim.h"
#include "state.h"
#include "thread.h"
#include "wiring.h"

/*
 * Gen3 x8: 7.88 GB/s raw, 6.6 to 7.1 GB/s of payload with packets of 128 to 256 bytes. Latency of a
 * store until the peer's CPU sees it: 0.6 to 1.0 us, two switches and two root complexes. The time
 * of a core for a frame is measured on the emulated ring. The size of the buffers of posted writes
 * is not known for these chips; it only has to cover the time of a frame.
 */
void
sim_defaults(struct sim_params *p)
{
	*p = (struct sim_params){
		.wiring = "ring",
		.hosts = 8,
		.bandwidth = 6.6e9,
		.copy = 10e9,
		.latency = 800 * SIM_NS,
		.turn = 50 * SIM_NS,
		.frame = 70 * SIM_NS,
		.store = 20 * SIM_NS,
		.head = 24,
		.posted = 4096,
		.segment = 8192,
		.chunk = 128 * 1024,
		.slots = 16,
		.pieces = true,
		.seed = 1,
	};
}

static bool
are_valid(const struct sim_params *p)
{
	return p->bandwidth >= 1e3 && p->copy >= 1e3 && p->slots >= 2 &&
	       (p->slots & (p->slots - 1)) == 0 && p->chunk > 0 && p->segment > 0;
}

static void
init_thread(struct sim_host *h, struct sim_thread *t, void (*step)(struct sim_thread *))
{
	t->s = h->s;
	t->host = h;
	t->step = step;
	sim_thread_start(t);
}

static int
init_hosts(struct sim *s)
{
	size_t hosts = s->p.hosts, rings = hosts * s->ports * SIM_RINGS;
	struct sim_frame *slot;
	unsigned int i, port, ring;

	if (event_init(&s->q) < 0)
		return -ENOMEM;
	s->host = calloc(hosts, sizeof(*s->host));
	slot = s->frames = calloc(rings * s->p.slots, sizeof(*s->frames));
	s->acks = calloc(hosts * hosts, sizeof(*s->acks));
	s->ack_queue = calloc(hosts * hosts, sizeof(*s->ack_queue));
	s->messages = calloc(hosts * hosts, sizeof(*s->messages));
	if (!s->host || !s->frames || !s->acks || !s->ack_queue || !s->messages)
		return -ENOMEM;
	for (i = 0; i < hosts; i++) {
		struct sim_host *h = &s->host[i];

		h->s = s;
		h->id = i;
		h->acks = s->acks + i * hosts;
		h->ack_queue = s->ack_queue + i * hosts;
		for (port = 0; port < s->ports; port++)
			for (ring = 0; ring < SIM_RINGS; ring++, slot += s->p.slots)
				h->rx[port][ring] =
					(struct sim_rx){.slot = slot, .room = s->p.slots};
	}
	for (i = 0; i < hosts; i++) {
		init_thread(&s->host[i], &s->host[i].service.thread, sim_service_step);
		s->host[i].service.turn = 2;
		s->host[i].service.thread.between = sim_service_words;
		init_thread(&s->host[i], &s->host[i].app.thread, sim_app_step);
	}
	s->running = s->p.hosts;
	return 0;
}

static void
free_all(struct sim *s)
{
	event_free(&s->q);
	free(s->host);
	free(s->frames);
	free(s->acks);
	free(s->ack_queue);
	free(s->messages);
}

/* When no event is left, all programs have ended and all bytes are in their final places. */
static int
judge_end(struct sim *s, const char **what)
{
	const struct sim_host *h;
	unsigned int port, ring;

	*what = s->broken;
	if (s->broken)
		return -EPROTO;
	if (s->running) {
		*what = "hosts wait for each other";
		return -EDEADLK;
	}
	if (s->r.delivered != s->r.asked)
		*what = "not every byte arrived, or some twice";
	for (h = s->host; h < s->host + s->p.hosts; h++) {
		if (h->app.acked != h->app.issued || h->app.pending || h->acks_queued)
			*what = "not every request was acknowledged";
		for (port = 0; port < s->ports; port++)
			for (ring = 0; ring < SIM_RINGS; ring++)
				if (h->tx[port][ring].pos != h->tx[port][ring].credit)
					*what = "slots are missing at the end";
	}
	return *what ? -EPROTO : 0;
}

static void
report_links(const struct sim *s)
{
	const struct sim_host *h;
	unsigned int port;

	for (h = s->host; s->program->carried && h < s->host + s->p.hosts; h++)
		for (port = 0; port < s->ports; port++)
			s->program->carried(s->program->ctx,
					    (struct rb_end){(uint8_t)h->id, (uint8_t)port},
					    h->link[port].requests);
}

static double
busiest_cable(const struct sim *s)
{
	const struct sim_host *h;
	uint64_t most = 0;
	unsigned int port;

	for (h = s->host; h < s->host + s->p.hosts; h++)
		for (port = 0; port < s->ports; port++)
			if (h->link[port].bytes > most)
				most = h->link[port].bytes;
	return s->r.end ? (double)sim_time(most, s->p.bandwidth) / (double)s->r.end : 0;
}

int
sim_wire(const struct sim_params *p, struct rb_graph *g, const char **what)
{
	static char why[160];

	*what = why;
	return wiring_read(g, p->wiring, p->hosts, why, sizeof(why));
}

static unsigned int
most_ports(const struct rb_graph *g)
{
	unsigned int host, port, most = 0;

	for (host = 0; host < g->hosts; host++)
		for (port = most; port < RB_MAX_PORTS; port++)
			if (g->end[host][port].port != RB_PORT_NONE)
				most = port + 1;
	return most;
}

int
sim_run(const struct sim_params *p, const struct sim_program *program, struct sim_result *ret,
	const char **what)
{
	struct sim s = {.p = *p, .program = program, .random = p->seed};
	int result;

	*what = "parameters";
	if (!are_valid(p) || sim_wire(p, &s.graph, what) < 0)
		return -EINVAL;
	s.ports = most_ports(&s.graph);
	*what = "memory";
	result = init_hosts(&s);
	if (result < 0)
		goto free_all;
	while (event_next(&s.q) && !s.broken)
		;
	result = judge_end(&s, what);
	s.r.busiest = busiest_cable(&s);
	report_links(&s);
	*ret = s.r;
free_all:
	free_all(&s);
	return result;
}
