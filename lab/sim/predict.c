/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include "cli.h"
#include "predict.h"
#include "replay.h"

static const char *const calls[SIM_KINDS] = {
	[SIM_PUT] = "put",	   [SIM_GET] = "get",
	[SIM_ATOMIC] = "atomic",   [SIM_ATOMIC_NBI] = "atomic_nbi",
	[SIM_QUIET] = "quiet",	   [SIM_BARRIER] = "barrier",
	[SIM_COMPUTE] = "compute", [SIM_AWAIT] = "wait",
	[SIM_END] = NULL,
};

static void
print_table(FILE *f, const struct trace *t, const struct sim_params *p,
	    const struct replay_result *r)
{
	unsigned int pe, kind;

	fprintf(f,
		"# link %.0f MB/s, %" PRIu64 " ns; %u PEs, %u hosts\n"
		"traced       %14.1f us\npredicted    %14.1f us\nbusiest link %14.1f %%\n",
		p->bandwidth / 1e6, p->latency / SIM_NS, t->pes, p->hosts, t->end - t->begin, r->us,
		r->busiest * 100);
	fprintf(f, "\n# Time of each PE (us)\n%-6s", "# PE");
	for (kind = 0; kind < SIM_END; kind++)
		fprintf(f, " %12s", calls[kind]);
	for (pe = 0; pe < t->pes; pe++) {
		fprintf(f, "\n%-6u", pe);
		for (kind = 0; kind < SIM_END; kind++)
			fprintf(f, " %12.1f", r->spent[pe][kind]);
	}
	fputs("\n", f);
}

static void
print_json(FILE *f, const struct trace *t, const struct sim_params *p,
	   const struct replay_result *r)
{
	json_t *pes = json_array(), *all;
	unsigned int pe, kind;

	for (pe = 0; pe < t->pes; pe++) {
		json_t *times = json_pack("{s:i}", "pe", (int)pe);

		for (kind = 0; kind < SIM_END; kind++)
			json_object_set_new(times, calls[kind], json_real(r->spent[pe][kind]));
		json_array_append_new(pes, times);
	}
	all = json_pack("{s:s,s:s,s:i,s:f,s:I,s:f,s:f,s:f,s:o}", "tool", "ringbell-sim",
			"experiment", "replay", "hosts", (int)p->hosts, "bandwidth",
			p->bandwidth / 1e6, "latency_ns", (json_int_t)(p->latency / SIM_NS),
			"traced_us", t->end - t->begin, "predicted_us", r->us, "busiest",
			r->busiest, "pes", pes);
	json_dumpf(all, f, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	fputs("\n", f);
	json_decref(all);
}

static int
replay_trace(FILE *f, const struct predict *predict, struct sim_params *p, const struct trace *t)
{
	const struct replay r = {.cpu = predict->cpu != 0 ? predict->cpu : 1,
				 .delayed = predict->own_ring};
	struct replay_result result;
	const char *what;
	int error;

	if (predict->own_ring)
		replay_own_ring(t, p);
	p->hosts = predict->hosts ? predict->hosts : t->pes;
	error = replay_run(t, p, &r, &result, &what);
	if (error < 0)
		cli_say("replay: %s: %s", strerror(-error), what);
	else
		(predict->json ? print_json : print_table)(f, t, p, &result);
	return error;
}

int
predict_trace(FILE *f, const struct predict *predict, const struct sim_params *p)
{
	struct sim_params params = *p;
	struct trace t;
	int error = trace_load(&t, predict->file);

	if (error < 0)
		return error;
	if (t.pes >= 2 && t.pes <= RB_MAX_HOSTS &&
	    (predict->hosts == 0 || predict->hosts >= t.pes)) {
		error = replay_trace(f, predict, &params, &t);
	} else {
		cli_say("%s: %u PEs; a replay has one on each host, of 2 to %d: --hosts",
			predict->file, t.pes, RB_MAX_HOSTS);
		error = -EINVAL;
	}
	trace_free(&t);
	return error;
}
