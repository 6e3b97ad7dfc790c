/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <inttypes.h>

#include "json.h"
#include "out.h"

static const char *
direction_of(bool outward)
{
	return outward ? "out" : "in";
}

static void
put_tests(FILE *f, const struct result *r)
{
	unsigned int i;

	fputs("\"tests\": [", f);
	for (i = 0; i < r->tests; i++) {
		const struct result_test *t = &r->test[i];

		fprintf(f, "%s\n{\"name\": \"%s\", \"title\": \"%s\", \"direction\": \"%s\", ",
			i ? "," : "", t->name, t->title, direction_of(t->outward));
		fprintf(f,
			"\"control\": %s, \"rounds\": %" PRIu64 ", \"violations\": %" PRIu64
			", \"lost\": %" PRIu64 ", \"seconds\": %.6f}",
			t->control ? "true" : "false", t->rounds, t->violations, t->lost,
			t->seconds);
	}
	fputs("],\n", f);
}

static void
put_speeds(FILE *f, const struct result *r)
{
	unsigned int i;

	fputs("\"bandwidth\": [", f);
	for (i = 0; i < r->speeds; i++)
		fprintf(f, "%s\n{\"method\": \"%s\", \"size\": %" PRIu64 ", \"bytes_per_s\": %.0f}",
			i ? "," : "", r->speed[i].method, r->speed[i].size,
			r->speed[i].bytes_per_s);
	fputs("],\n", f);
	fprintf(f,
		"\"latency\": {\"count\": %" PRIu64 ", \"min\": %" PRIu64 ", \"median\": %" PRIu64
		", \"p99\": %" PRIu64 ", \"max\": %" PRIu64 ", \"bins\": [",
		r->latency_count, r->latency_min, r->latency_median, r->latency_p99,
		r->latency_max);
	for (i = 0; i < BINS; i++)
		fprintf(f, "%s%" PRIu64, i ? ", " : "", r->bin[i]);
	fputs("]}\n", f);
}

void
out_json(FILE *f, const struct ntb_port_info *info, const struct session *s, const struct result *r)
{
	const struct ntb_port *port = info->port;

	fputs("{\"port\": ", f);
	json_string(f, info->location);
	fprintf(f,
		",\n\"window\": %" PRIu64 ", \"align\": %" PRIu64
		", \"emulated\": %s, \"combining\": %s, \"region\": %zu,\n",
		info->window_size, info->window_align,
		port->caps & NTB_CAP_WINDOW_IS_MEMORY ? "true" : "false",
		port->caps & NTB_CAP_WINDOW_WC ? "true" : "false", s->len);
	fputs("\"ended\": ", f);
	json_string(f, s->ended);
	fputs(", \"stores\": ", f);
	json_string(f, s->stores);
	fputs(",\n\"note\": ", f);
	json_string(f, s->note);
	fputs(",\n", f);
	put_tests(f, r);
	put_speeds(f, r);
	fputs("}\n", f);
}

void
out_text(const struct session *s, const struct result *r)
{
	unsigned int i;

	for (i = 0; i < r->tests; i++) {
		const struct result_test *t = &r->test[i];

		printf("%-3s  %-20s %8" PRIu64 " rounds, %" PRIu64 " wrong, %" PRIu64 " lost%s\n",
		       direction_of(t->outward), t->name, t->rounds, t->violations, t->lost,
		       t->control ? " (without a fence: allowed)" : "");
	}
	for (i = 0; i < r->speeds; i++)
		printf("out  %-14s %8" PRIu64 " bytes  %10.1f MB/s\n", r->speed[i].method,
		       r->speed[i].size, r->speed[i].bytes_per_s / 1e6);
	if (r->latency_count > 0)
		printf("latency one way: median %" PRIu64 " ns, minimum %" PRIu64
		       " ns, 99 %% below %" PRIu64 " ns\n",
		       r->latency_median, r->latency_min, r->latency_p99);
	if (s->stores[0] != '\0')
		printf("%s\n", s->stores);
	if (s->ended[0] != '\0')
		printf("ended: %s\n", s->ended);
}
