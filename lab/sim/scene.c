/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <string.h>

#include "scene.h"

const struct scene_info scene_infos[SCENES] = {
	[SCENE_PUT] = {"put", "One put and quiet over so many hops", true, true},
	[SCENE_GET] = {"get", "One get over so many hops", true, true},
	[SCENE_NEIGHBOUR] = {"neighbour", "All put to the right neighbour", true, false},
	[SCENE_FAR] = {"far", "All put far to the right, in a torus up too", true, false},
	[SCENE_UNIFORM] = {"uniform", "All put to hosts drawn by lot", true, false},
	[SCENE_ALLTOALL] = {"alltoall", "All put to all others", true, false},
	[SCENE_BUCKETS] = {"buckets", "All fetch a place from all others and put there; barrier",
			   true, false},
	[SCENE_UPDATES] = {"updates", "All add to words of hosts drawn by lot; barrier", false,
			   false},
	[SCENE_FETCHES] = {"fetches", "All fetch words of hosts drawn by lot; barrier", false,
			   false},
	[SCENE_BARRIER] = {"barrier", "Barrier", false, false},
};

struct script {
	const struct sim_params *p;
	const struct scene *scene;
	unsigned int target;
	unsigned int columns;
	struct scene_row *row;
};

static const struct sim_op end_op = {.kind = SIM_END};

static struct sim_op
one_op(void *ctx, unsigned int host, uint64_t i)
{
	const struct script *s = ctx;
	const struct scene *sc = s->scene;
	const struct sim_op transfer = {.kind = sc->id == SCENE_GET ? SIM_GET : SIM_PUT,
					.peer = s->target,
					.len = sc->size};

	if (host != 0 || i > 1)
		return end_op;
	return i == 0 ? transfer : (struct sim_op){.kind = SIM_QUIET};
}

/* Depends only on the host and the message, not on other hosts. */
static uint64_t
draw_lot(uint64_t seed, uint64_t host, uint64_t i)
{
	uint64_t z = (seed << 40) + (host << 20) + i + 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* Nearest first, right and left in turns: both directions of the ring always have work. */
static unsigned int
host_around(unsigned int host, uint64_t i, unsigned int hosts)
{
	unsigned int step = (unsigned int)(i / 2 + 1) % hosts;

	return (host + (i % 2 == 0 ? step : hosts - step)) % hosts;
}

static unsigned int
host_far(const struct script *s, unsigned int host)
{
	unsigned int columns = s->columns, rows = s->p->hosts / columns;
	unsigned int x = (host + (columns - 1) / 2) % columns;
	unsigned int y = (host / columns + (rows - 1) / 2) % rows;

	return y * columns + x;
}

static unsigned int
peer_of(const struct script *s, unsigned int host, uint64_t i)
{
	unsigned int hosts = s->p->hosts;

	switch (s->scene->id) {
	case SCENE_NEIGHBOUR:
		return (host + 1) % hosts;
	case SCENE_FAR:
		return host_far(s, host);
	case SCENE_UNIFORM:
		return (unsigned int)((host + 1 + draw_lot(s->p->seed, host, i) % (hosts - 1)) %
				      hosts);
	case SCENE_UPDATES:
	case SCENE_FETCHES:
		return (unsigned int)(draw_lot(s->p->seed, host, i) % hosts);
	case SCENE_BUCKETS:
		return host_around(host, i / 2, hosts);
	default:
		return host_around(host, i, hosts);
	}
}

static uint64_t
count_messages(const struct script *s)
{
	switch (s->scene->id) {
	case SCENE_ALLTOALL:
		return s->p->hosts - 1;
	case SCENE_BUCKETS:
		return 2ull * (s->p->hosts - 1);
	default:
		return s->scene->messages;
	}
}

static struct sim_op
traffic_op(void *ctx, unsigned int host, uint64_t i)
{
	const struct script *s = ctx;
	uint64_t n = count_messages(s);

	if (i < n)
		return (struct sim_op){SIM_PUT, peer_of(s, host, i), s->scene->size};
	return i == n ? (struct sim_op){.kind = SIM_QUIET} : end_op;
}

/* The kernels of apps/perf/bench_apps.c, without what they compute. */
static struct sim_op
kernel_op(void *ctx, unsigned int host, uint64_t i)
{
	const struct script *s = ctx;
	uint64_t n = count_messages(s);
	struct sim_op op = {
		.kind = SIM_ATOMIC, .peer = peer_of(s, host, i), .len = sizeof(uint64_t)};

	if (i >= n)
		return i == n ? (struct sim_op){.kind = SIM_BARRIER} : end_op;
	if (s->scene->id == SCENE_UPDATES)
		op.kind = SIM_ATOMIC_NBI;
	if (s->scene->id == SCENE_BUCKETS && i % 2 == 1)
		op = (struct sim_op){SIM_PUT, op.peer, s->scene->size};
	return op;
}

static void
note_carried(void *ctx, struct rb_end end, uint64_t requests)
{
	const struct script *s = ctx;

	s->row->requests[end.host][end.port] = requests;
}

static struct sim_op
barrier_op(void *ctx, unsigned int host, uint64_t i)
{
	const struct script *s = ctx;

	(void)host;
	return i < s->scene->messages ? (struct sim_op){.kind = SIM_BARRIER} : end_op;
}

/* What each host knows of the others after one more store over each cable. */
static bool
spread_once(const struct rb_graph *g, uint64_t known[RB_MAX_HOSTS])
{
	uint64_t before[RB_MAX_HOSTS];
	bool all = true;
	unsigned int host, port;

	memcpy(before, known, sizeof(before));
	for (host = 0; host < g->hosts; host++) {
		for (port = 0; port < RB_MAX_PORTS; port++)
			if (g->end[host][port].port != RB_PORT_NONE)
				known[host] |= before[g->end[host][port].host];
		all = all && known[host] == UINT64_MAX >> (RB_MAX_HOSTS - g->hosts);
	}
	return all;
}

/* The least number of hops of a barrier; each is a store that has to arrive. */
static double
barrier_limit(const struct sim_params *p)
{
	uint64_t known[RB_MAX_HOSTS];
	unsigned int hops = 1, host;
	struct rb_graph g;
	const char *what;

	if (p->hosts == 1)
		return 0;
	sim_wire(p, &g, &what);
	for (host = 0; host < RB_MAX_HOSTS; host++)
		known[host] = 1ull << host;
	while (!spread_once(&g, known))
		hops++;
	return hops * (double)(p->latency + p->store) / 1e6;
}

unsigned int
scene_target(const struct sim_params *p, unsigned int hops)
{
	struct rb_graph g;
	const char *what;
	unsigned int host;

	if (sim_wire(p, &g, &what) < 0)
		return 0;
	for (host = p->hosts - 1; host > 0 && rb_graph_hops(&g, 0, host) != hops; host--)
		;
	return host;
}

static bool
is_kernel(const struct scene *scene)
{
	return scene->id == SCENE_BUCKETS || scene->id == SCENE_UPDATES ||
	       scene->id == SCENE_FETCHES;
}

int
scene_run(const struct sim_params *p, const struct scene *scene, struct scene_row *ret,
	  const char **what)
{
	struct script script = {p, scene, scene_target(p, scene->hops), p->hosts, ret};
	struct sim_program program = {.op = traffic_op, .ctx = &script, .carried = note_carried};
	double seconds, bytes;
	struct rb_graph g;
	int error;

	if (scene_infos[scene->id].by_hops)
		program.op = one_op;
	if (is_kernel(scene))
		program.op = kernel_op;
	if (scene->id == SCENE_BARRIER)
		program.op = barrier_op;
	if ((scene_infos[scene->id].by_hops && script.target == 0) ||
	    (scene->id != SCENE_BARRIER && p->hosts < 2)) {
		*what = "more hosts are needed";
		return -EINVAL;
	}
	*ret = (struct scene_row){0};
	if (sim_wire(p, &g, what) == 0 && g.kind == RB_GRAPH_TORUS)
		script.columns = g.columns;
	error = sim_run(p, &program, &ret->result, what);
	if (error < 0)
		return error;
	if (scene->id == SCENE_BARRIER) {
		ret->us = (double)ret->result.end / 1e6 / scene->messages;
		ret->limit = barrier_limit(p);
		return 0;
	}
	seconds = (double)(program.op == one_op ? ret->result.first : ret->result.end) / 1e12;
	bytes = (double)ret->result.asked / (program.op == one_op ? 1 : p->hosts);
	ret->us = seconds * 1e6;
	if (!scene_infos[scene->id].sized) {
		ret->limit = ret->us * ret->result.busiest;
		return 0;
	}
	ret->mbs = bytes / seconds / 1e6;
	ret->limit = program.op == one_op ? p->bandwidth / 1e6 : ret->mbs / ret->result.busiest;
	return 0;
}
