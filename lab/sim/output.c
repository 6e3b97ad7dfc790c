/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "output.h"

static FILE *
open_one(struct output *o, const char *name)
{
	FILE *f;

	if (strcmp(name, "-") == 0) {
		o->table = NULL;
		return stdout;
	}
	f = fopen(name, "w");
	if (!f)
		fprintf(stderr, "ringbell-sim: cannot write %s: %s\n", name, strerror(errno));
	return f;
}

int
output_open(struct output *o, const char *csv, const char *json)
{
	*o = (struct output){.table = stdout, .csv_name = csv, .json_name = json, .scene = SCENES};
	if (csv && !(o->csv = open_one(o, csv)))
		return -EIO;
	if (json && !(o->json = open_one(o, json)))
		return -EIO;
	if (o->csv)
		fputs("scene,topology,hosts,hops,size,us,mbs,limit,busiest,relayed\n", o->csv);
	return 0;
}

void
output_settings(struct output *o, const struct sim_params *p)
{
	if (o->table)
		fprintf(o->table,
			"# link %.0f MB/s, %" PRIu64 " ns; core %.0f MB/s, %" PRIu64
			" ns a frame, %s; chunk %u, %u slots; seed %" PRIu64 "\n",
			p->bandwidth / 1e6, p->latency / SIM_NS, p->copy / 1e6, p->frame / SIM_NS,
			p->cpus ? "CPUs shared" : "a core for each thread", p->chunk, p->slots,
			p->seed);
	if (o->json)
		fprintf(o->json,
			"{\"tool\": \"ringbell-sim\",\n \"settings\": {\"bandwidth\": %.0f, "
			"\"latency_ns\": %" PRIu64 ", \"copy\": %.0f, \"frame_ns\": %" PRIu64
			", \"turn_ns\": %" PRIu64 ", \"store_ns\": %" PRIu64
			", \"cpus\": %u, \"chunk\": %u, \"slots\": %u, \"seed\": %" PRIu64
			"},\n \"rows\": [",
			p->bandwidth / 1e6, p->latency / SIM_NS, p->copy / 1e6, p->frame / SIM_NS,
			p->turn / SIM_NS, p->store / SIM_NS, p->cpus, p->chunk, p->slots, p->seed);
}

static void
table_row(struct output *o, const struct sim_params *p, const struct scene *sc,
	  const struct scene_row *row)
{
	if (o->scene != sc->id)
		fprintf(o->table, "\n# %s\n%-10s %6s %5s %9s %14s %10s %10s\n",
			scene_infos[sc->id].title, "# Topology", "Hosts", "Hops", "Size",
			"Time (us)", sc->id == SCENE_BARRIER ? "" : "MB/s",
			sc->id == SCENE_BARRIER ? "Limit (us)" : "Limit");
	o->scene = sc->id;
	fprintf(o->table, "%-10s %6u ", topo_names[p->shape], p->hosts);
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
		fprintf(o->table, "%10.1f %10.1f\n", row->mbs, row->limit);
	else
		fprintf(o->table, "%10s %10.3f\n", "", row->limit);
	fflush(o->table);
}

void
output_row(struct output *o, const struct sim_params *p, const struct scene *sc,
	   const struct scene_row *row)
{
	const char *scene = scene_infos[sc->id].name, *shape = topo_names[p->shape];

	if (o->table)
		table_row(o, p, sc, row);
	if (o->csv)
		fprintf(o->csv, "%s,%s,%u,%u,%" PRIu64 ",%.6g,%.6g,%.6g,%.4f,%" PRIu64 "\n", scene,
			shape, p->hosts, sc->hops, sc->size, row->us, row->mbs, row->limit,
			row->result.busiest, row->result.relayed);
	if (o->json)
		fprintf(o->json,
			"%s\n  {\"scene\": \"%s\", \"topology\": \"%s\", \"hosts\": %u, "
			"\"hops\": %u, \"size\": %" PRIu64 ", \"us\": %.6g, \"mbs\": %.6g, "
			"\"limit\": %.6g, \"busiest\": %.4f, \"relayed\": %" PRIu64,
			o->rows ? "," : "", scene, shape, p->hosts, sc->hops, sc->size, row->us,
			row->mbs, row->limit, row->result.busiest, row->result.relayed);
	if (o->json)
		fputs("}", o->json);
	o->rows++;
}

static int
close_one(FILE *f, const char *name)
{
	int ret = 0;

	if (!f)
		return 0;
	if (ferror(f) || fflush(f) != 0)
		ret = -EIO;
	if (f != stdout && fclose(f) != 0)
		ret = -EIO;
	if (ret < 0)
		fprintf(stderr, "ringbell-sim: cannot write %s\n", name);
	return ret;
}

int
output_close(struct output *o)
{
	int ret;

	if (o->json)
		fputs("\n ]}\n", o->json);
	ret = close_one(o->csv, o->csv_name);
	return close_one(o->json, o->json_name) < 0 ? -EIO : ret;
}
