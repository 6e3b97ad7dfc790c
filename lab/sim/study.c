/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "place.h"
#include "replay.h"
#include "study.h"

static const char *const calls[SIM_KINDS] = {
	[SIM_PUT] = "put",     [SIM_GET] = "get",	  [SIM_ATOMIC] = "atomic",
	[SIM_QUIET] = "quiet", [SIM_BARRIER] = "barrier", [SIM_COMPUTE] = "compute",
	[SIM_AWAIT] = "wait",  [SIM_END] = NULL,
};

/* What could be otherwise. */
enum change {
	NOTHING,
	FASTER, /* links of twice the bandwidth */
	CABLE,	/* a second ring of cables */
	ORDER,	/* the PEs in the order of place_search() */
	CHANGES
};

static const char *const changes[CHANGES] = {
	[FASTER] = "links twice as fast",
	[CABLE] = "two rings of cables",
	[ORDER] = "PEs in the order of --place",
};

struct outcome {
	struct replay_result result[CHANGES];
	struct place place;
};

static void
print_calls(FILE *f, const struct trace *t, const struct replay_result *r)
{
	unsigned int pe, kind;

	fprintf(f, "\n# Time of each PE (us)\n%-6s", "# PE");
	for (kind = 0; kind < SIM_KINDS; kind++)
		if (calls[kind])
			fprintf(f, " %12s", calls[kind]);
	fputs("\n", f);
	for (pe = 0; pe < t->pes; pe++) {
		fprintf(f, "%-6u", pe);
		for (kind = 0; kind < SIM_KINDS; kind++)
			if (calls[kind])
				fprintf(f, " %12.1f", r->spent[pe][kind]);
		fputs("\n", f);
	}
}

static double
share_of(const struct sim_params *p, const struct replay_result *r, uint64_t bytes)
{
	return r->us > 0 ? (double)bytes / p->bandwidth * 1e6 / r->us * 100 : 0;
}

static void
print_links(FILE *f, const struct sim_params *p, const struct replay_result *r, unsigned int hosts)
{
	unsigned int host;

	fprintf(f,
		"\n# Links: bytes that leave, and share of the time (%%)\n%-6s %14s %6s %14s %6s\n",
		"# Host", "left", "", "right", "");
	for (host = 0; host < hosts; host++)
		fprintf(f, "%-6u %14" PRIu64 " %6.2f %14" PRIu64 " %6.2f\n", host,
			r->link[host][RB_PORT_PREV], share_of(p, r, r->link[host][RB_PORT_PREV]),
			r->link[host][RB_PORT_NEXT], share_of(p, r, r->link[host][RB_PORT_NEXT]));
}

static void
print_table(FILE *f, const struct trace *t, const struct sim_params *p, const struct outcome *o,
	    unsigned int hosts)
{
	const struct replay_result *r = &o->result[NOTHING];
	unsigned int c;

	fprintf(f,
		"# link %.0f MB/s, %" PRIu64 " ns; %u PEs, %u hosts\n"
		"traced     %14.1f us\npredicted  %14.1f us\n",
		p->bandwidth / 1e6, p->latency / SIM_NS, t->pes, hosts, t->end - t->begin, r->us);
	print_calls(f, t, r);
	print_links(f, p, r, hosts);
	fputs("\n# What would it be with\n", f);
	for (c = FASTER; c < CHANGES; c++)
		fprintf(f, "%-28s %14.1f us  %+6.1f %%\n", changes[c], o->result[c].us,
			(o->result[c].us / r->us - 1) * 100);
}

static void
print_json_calls(FILE *f, const struct trace *t, const struct replay_result *r)
{
	unsigned int pe, kind;

	fputs(",\n \"pes\": [", f);
	for (pe = 0; pe < t->pes; pe++) {
		fprintf(f, "%s\n  {\"pe\": %u", pe ? "," : "", pe);
		for (kind = 0; kind < SIM_KINDS; kind++)
			if (calls[kind])
				fprintf(f, ", \"%s\": %.6g", calls[kind], r->spent[pe][kind]);
		fputs("}", f);
	}
	fputs("\n ]", f);
}

static void
print_json(FILE *f, const struct trace *t, const struct sim_params *p, const struct outcome *o,
	   unsigned int hosts)
{
	const struct replay_result *r = &o->result[NOTHING];
	unsigned int c, host;

	fprintf(f,
		"{\"tool\": \"ringbell-sim\", \"experiment\": \"replay\", \"hosts\": %u,\n"
		" \"bandwidth\": %.0f, \"latency_ns\": %" PRIu64 ", \"traced_us\": %.6g, "
		"\"predicted_us\": %.6g",
		hosts, p->bandwidth / 1e6, p->latency / SIM_NS, t->end - t->begin, r->us);
	print_json_calls(f, t, r);
	fputs(",\n \"links\": [", f);
	for (host = 0; host < hosts; host++)
		fprintf(f, "%s\n  {\"host\": %u, \"left\": %" PRIu64 ", \"right\": %" PRIu64 "}",
			host ? "," : "", host, r->link[host][0], r->link[host][1]);
	fputs("\n ],\n \"changes\": [", f);
	for (c = FASTER; c < CHANGES; c++)
		fprintf(f, "%s\n  {\"what\": \"%s\", \"us\": %.6g}", c > FASTER ? "," : "",
			changes[c], o->result[c].us);
	fputs("\n ]}\n", f);
}

static int
play_change(const struct trace *t, const struct sim_params *p, struct replay r, struct outcome *o,
	    enum change c)
{
	struct sim_params params = *p;
	const char *what;
	int error;

	if (c == FASTER)
		params.bandwidth *= 2;
	if (c == CABLE)
		params.wiring = "double";
	if (c == ORDER)
		r.order = o->place.order;
	error = replay_run(t, &params, &r, &o->result[c], &what);
	if (error < 0)
		fprintf(stderr, "ringbell-sim: replay: %s: %s\n", strerror(-error), what);
	return error;
}

static int
replay_trace(FILE *f, const struct study *study, const struct sim_params *p, const struct trace *t)
{
	struct outcome *o = calloc(1, sizeof(*o));
	struct replay r = {.cpu = study->cpu != 0 ? study->cpu : 1,
			   .hosts = study->hosts ? study->hosts : t->pes,
			   .delayed = study->own_ring};
	unsigned int *natural = NULL, pe;
	enum change c;
	int error = -ENOMEM;

	if (!o || place_of_trace(&o->place, t) < 0)
		goto free_all;
	natural = malloc(t->pes * sizeof(*natural));
	if (!natural)
		goto free_all;
	for (pe = 0; pe < t->pes; pe++)
		natural[pe] = pe;
	r.order = natural;
	place_search(&o->place);
	for (c = NOTHING, error = 0; c < CHANGES && error == 0; c++)
		error = play_change(t, p, r, o, c);
	if (error == 0)
		(study->json ? print_json : print_table)(f, t, p, o, r.hosts);
free_all:
	if (error == -ENOMEM)
		fprintf(stderr, "ringbell-sim: no memory\n");
	if (o)
		place_free(&o->place);
	free(natural);
	free(o);
	return error;
}

int
study_replay(FILE *f, const struct study *study, const struct sim_params *p)
{
	struct sim_params params = *p;
	struct trace t;
	int error = trace_load(&t, study->file);

	if (error < 0)
		return error;
	if (t.pes < 2 || (study->hosts && study->hosts < t.pes) || t.pes > RB_MAX_HOSTS) {
		fprintf(stderr,
			"ringbell-sim: %s: %u PEs; a replay has one on each host, of 2 to %d: "
			"--hosts\n",
			study->file, t.pes, RB_MAX_HOSTS);
		error = -EINVAL;
	} else {
		if (study->own_ring)
			replay_own_ring(&t, &params);
		error = replay_trace(f, study, &params, &t);
	}
	trace_free(&t);
	return error;
}

static void
print_order(FILE *f, const struct place *p, const char *between)
{
	unsigned int i;

	for (i = 0; i < p->n; i++)
		fprintf(f, "%s%u", i ? between : "", p->order[i]);
}

static double
gain_of(const uint64_t v[2])
{
	return v[0] ? ((double)v[1] / (double)v[0] - 1) * 100 : 0;
}

int
study_place(FILE *f, const struct study *study)
{
	struct place p;
	int error = place_load(&p, study->file);

	if (error < 0)
		return error;
	place_search(&p);
	if (study->json) {
		fputs("{\"tool\": \"ringbell-sim\", \"experiment\": \"place\",\n \"order\": [", f);
		print_order(f, &p, ", ");
		fprintf(f,
			"],\n \"busiest\": [%" PRIu64 ", %" PRIu64 "],\n \"byte_hops\": [%" PRIu64
			", %" PRIu64 "]}\n",
			p.busiest[0], p.busiest[1], p.carried[0], p.carried[1]);
	} else {
		fputs("PEs round the ring: ", f);
		print_order(f, &p, " ");
		fprintf(f, "\n%-24s %16s %16s\n", "", "by number", "in this order");
		fprintf(f, "%-24s %16" PRIu64 " %16" PRIu64 "  %+6.1f %%\n", "busiest link, bytes",
			p.busiest[0], p.busiest[1], gain_of(p.busiest));
		fprintf(f, "%-24s %16" PRIu64 " %16" PRIu64 "  %+6.1f %%\n", "all, bytes * hops",
			p.carried[0], p.carried[1], gain_of(p.carried));
	}
	place_free(&p);
	return 0;
}
