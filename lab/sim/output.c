/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include "cli.h"
#include "output.h"

int
output_open(struct output *o, const char *name)
{
	*o = (struct output){.name = name, .scene = SCENES};
	if (name != NULL)
		o->json = strcmp(name, "-") == 0 ? stdout : fopen(name, "w");
	if (name != NULL && o->json == NULL) {
		cli_say("cannot write %s: %s", name, strerror(errno));
		return -EIO;
	}
	o->table = o->json == stdout ? NULL : stdout;
	o->rows = json_array();
	return 0;
}

void
output_settings(struct output *o, const struct sim_params *p)
{
	if (o->table)
		fprintf(o->table,
			"# link %.0f MB/s, %" PRIu64 " ns; core %.0f MB/s, %" PRIu64
			" ns a frame; chunk %u, %u slots; seed %" PRIu64 "\n",
			p->bandwidth / 1e6, p->latency / SIM_NS, p->copy / 1e6, p->frame / SIM_NS,
			p->chunk, p->slots, p->seed);
	o->settings = json_pack("{s:f,s:I,s:f,s:I,s:I,s:I,s:I,s:I,s:I}", "bandwidth",
				p->bandwidth / 1e6, "latency_ns", (json_int_t)(p->latency / SIM_NS),
				"copy", p->copy / 1e6, "frame_ns", (json_int_t)(p->frame / SIM_NS),
				"turn_ns", (json_int_t)(p->turn / SIM_NS), "store_ns",
				(json_int_t)(p->store / SIM_NS), "chunk", (json_int_t)p->chunk,
				"slots", (json_int_t)p->slots, "seed", (json_int_t)p->seed);
}

static void
table_row(struct output *o, const struct sim_params *p, const struct scene *sc,
	  const struct scene_row *row)
{
	if (o->scene != sc->id)
		fprintf(o->table, "\n# %s\n%-10s %6s %5s %9s %14s %10s %10s %6s %6s\n",
			scene_infos[sc->id].title, "# Wiring", "Hosts", "Hops", "Size", "Time (us)",
			scene_infos[sc->id].sized ? "MB/s" : "",
			scene_infos[sc->id].sized ? "Limit" : "Limit (us)",
			scene_infos[sc->id].sized ? "Behind" : "",
			scene_infos[sc->id].sized ? "Share" : "");
	o->scene = sc->id;
	fprintf(o->table, "%-10s %6u ", p->wiring, p->hosts);
	if (sc->hops)
		fprintf(o->table, "%5u ", sc->hops);
	else
		fprintf(o->table, "%5s ", "-");
	if (sc->size)
		fprintf(o->table, "%9" PRIu64 " ", sc->size);
	else
		fprintf(o->table, "%9s ", "-");
	fprintf(o->table, "%14.3f ", row->us);
	if (row->mbs > 0)
		fprintf(o->table, "%10.1f %10.1f %6u %6.2f\n", row->mbs, row->limit,
			row->result.behind, row->result.share);
	else
		fprintf(o->table, "%10s %10.3f\n", "", row->limit);
	fflush(o->table);
}

/* {"0.1": frames}: host and port, of those that carried any. */
static json_t *
requests_of(const struct scene_row *row)
{
	json_t *all = json_object();
	unsigned int host, port;
	char name[16];

	for (host = 0; host < RB_MAX_HOSTS; host++)
		for (port = 0; port < RB_MAX_PORTS; port++) {
			if (row->requests[host][port] == 0)
				continue;
			snprintf(name, sizeof(name), "%u.%u", host, port);
			json_object_set_new(all, name,
					    json_integer((json_int_t)row->requests[host][port]));
		}
	return all;
}

void
output_row(struct output *o, const struct sim_params *p, const struct scene *sc,
	   const struct scene_row *row)
{
	if (o->table)
		table_row(o, p, sc, row);
	json_array_append_new(
		o->rows,
		json_pack("{s:s,s:s,s:i,s:i,s:I,s:f,s:f,s:f,s:f,s:I,s:i,s:f,s:o}", "scene",
			  scene_infos[sc->id].name, "wiring", p->wiring, "hosts", (int)p->hosts,
			  "hops", (int)sc->hops, "size", (json_int_t)sc->size, "us", row->us, "mbs",
			  row->mbs, "limit", row->limit, "busiest", row->result.busiest, "relayed",
			  (json_int_t)row->result.relayed, "behind", (int)row->result.behind,
			  "share", row->result.share, "requests", requests_of(row)));
}

int
output_close(struct output *o)
{
	json_t *all = json_pack("{s:s,s:o,s:o}", "tool", "ringbell-sim", "settings", o->settings,
				"rows", o->rows);
	int ret = 0;

	if (o->json != NULL) {
		ret = json_dumpf(all, o->json, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) |
		      fputc('\n', o->json);
		ret = ret < 0 || fflush(o->json) != 0 ? -EIO : 0;
		if (o->json != stdout && fclose(o->json) != 0)
			ret = -EIO;
	}
	json_decref(all);
	if (ret < 0)
		cli_say("cannot write %s", o->name);
	return ret;
}
