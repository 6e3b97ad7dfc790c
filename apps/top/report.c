/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdio.h>

#include <jansson.h>

#include "top.h"

enum {
	WIDTH = 80,
};

static char
plain_of(uint16_t cell)
{
	static const char line[] = {'-', '|', '+', '+', '+', '+'};

	cell &= TOP_CHAR;
	return cell < TOP_HLINE ? (char)cell : line[cell - TOP_HLINE];
}

int
top_print(const struct top_job *job)
{
	struct top_canvas c;
	int x, y, end, ret;

	/* ring, links and PEs with their headings, and as many warnings as there can be */
	ret = top_canvas_make(&c, WIDTH, 16 + 6 * job->hosts + 2 * job->pes);
	if (ret < 0)
		return ret;
	top_draw(&c, job, 0);
	for (x = WIDTH - 22; x < WIDTH; x++) /* keys have no effect here */
		top_put(&c, x, 0, ' ');
	for (y = 0; y < c.h; y++) {
		for (end = c.w; end > 0 && plain_of(c.cell[y * c.w + end - 1]) == ' '; end--)
			;
		for (x = 0; x < end; x++)
			putchar(plain_of(c.cell[y * c.w + x]));
		if (end > 0)
			putchar('\n');
	}
	top_canvas_free(&c);
	return fflush(stdout) == 0 ? 0 : -errno;
}

static json_t *
flow_json(const struct top_job *job, int host, bool to)
{
	struct top_flow f = top_flow(job, host, to);

	return json_pack("{s:f,s:f}", "bytes_per_s", f.bytes, "messages_per_s", f.messages);
}

static json_t *
links_json(const struct top_job *job)
{
	json_t *all = json_array();
	int host;

	for (host = 0; host < job->hosts && job->hosts > 1; host++)
		json_array_append_new(all, json_pack("{s:i,s:i,s:b,s:b,s:o,s:o}", "host", host,
						     "right_host", (host + 1) % job->hosts, "up",
						     (int)job->now.host[host].link[TOP_RIGHT].up,
						     "lost", (int)(host == top_lost(job)),
						     "to_the_right", flow_json(job, host, true),
						     "to_the_left", flow_json(job, host, false)));
	return all;
}

static json_t *
hosts_json(const struct top_job *job)
{
	json_t *all = json_array();
	int host;

	for (host = 0; host < job->hosts; host++)
		json_array_append_new(all, json_pack("{s:i,s:b,s:f,s:I}", "host", host, "answers",
						     job->now.host[host].fd >= 0, "relayed_share",
						     top_relayed(job, host), "queued_frames",
						     (json_int_t)top_queued(job, host)));
	return all;
}

static json_t *
pes_json(const struct top_job *job)
{
	json_t *all = json_array();
	int pe;

	for (pe = 0; pe < job->pes; pe++) {
		const struct top_pe *n = &job->now.pe[pe], *b = &job->before.pe[pe];

		if (!n->there)
			continue;
		json_array_append_new(
			all,
			json_pack("{s:i,s:i,s:s,s:s,s:s,s:f,s:f,s:f,s:f,s:f,s:f}", "pe", pe, "host",
				  n->host, "state", n->state, "blocked_in", n->call, "blocked_for",
				  n->whom, "blocked_s", (double)n->blocked_ns / 1e9,
				  "put_bytes_per_s", top_rate(job, n->put_bytes, b->put_bytes),
				  "get_bytes_per_s", top_rate(job, n->get_bytes, b->get_bytes),
				  "atomics_per_s", top_rate(job, n->atomics, b->atomics),
				  "barriers_per_s", top_rate(job, n->barriers, b->barriers),
				  "waiting_share", top_rate(job, n->wait_ns, b->wait_ns) / 1e9));
	}
	return all;
}

int
top_json(const struct top_job *job)
{
	json_t *warnings = json_array(), *all;
	char s[128];
	int i, ret;

	for (i = 0; top_warning(job, i, s, sizeof(s)); i++)
		json_array_append_new(warnings, json_string(s));
	all = json_pack("{s:s,s:f,s:o,s:o,s:o,s:o}", "job", job->id, "seconds",
			(double)(job->now.ns - job->before.ns) / 1e9, "hosts", hosts_json(job),
			"links", links_json(job), "pes", pes_json(job), "warnings", warnings);
	if (all == NULL)
		return -ENOMEM;
	ret = json_dumpf(all, stdout, JSON_INDENT(2));
	json_decref(all);
	putchar('\n');
	return ret == 0 && fflush(stdout) == 0 ? 0 : -EIO;
}
