/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <inttypes.h>

#include <string.h>

#include <jansson.h>

#include "out.h"

static const char *
direction_of(bool outward)
{
	return outward ? "out" : "in";
}

static json_t *
tests_of(const struct result *r)
{
	json_t *all = json_array();
	unsigned int i;

	for (i = 0; i < r->tests; i++) {
		const struct result_test *t = &r->test[i];

		json_array_append_new(
			all, json_pack("{s:s,s:s,s:s,s:b,s:I,s:I,s:I,s:f}", "name", t->name,
				       "title", t->title, "direction", direction_of(t->outward),
				       "control", t->control, "rounds", (json_int_t)t->rounds,
				       "violations", (json_int_t)t->violations, "lost",
				       (json_int_t)t->lost, "seconds", t->seconds));
	}
	return all;
}

static json_t *
rates_of(const struct result *r)
{
	json_t *all = json_array();
	unsigned int i;

	for (i = 0; i < r->speeds; i++)
		json_array_append_new(all, json_pack("{s:s,s:I,s:f}", "method", r->speed[i].method,
						     "size", (json_int_t)r->speed[i].size,
						     "bytes_per_s", r->speed[i].bytes_per_s));
	return all;
}

static json_t *
latency_of(const struct result *r)
{
	json_t *bins = json_array();
	unsigned int i;

	for (i = 0; i < BINS; i++)
		json_array_append_new(bins, json_integer((json_int_t)r->bin[i]));
	return json_pack("{s:I,s:I,s:I,s:I,s:I,s:o}", "count", (json_int_t)r->latency_count, "min",
			 (json_int_t)r->latency_min, "median", (json_int_t)r->latency_median, "p99",
			 (json_int_t)r->latency_p99, "max", (json_int_t)r->latency_max, "bins",
			 bins);
}

int
out_json(const char *file, const struct ntb_port_info *info, const struct session *s,
	 const struct result *r)
{
	uint64_t caps = info->port->caps;
	json_t *note = json_string(s->note);
	json_t *all = json_pack(
		"{s:s,s:I,s:I,s:b,s:b,s:I,s:s,s:s,s:o,s:o,s:o,s:o}", "port", info->location,
		"window", (json_int_t)info->window_size, "align", (json_int_t)info->window_align,
		"emulated", (caps & NTB_CAP_WINDOW_IS_MEMORY) != 0, "combining",
		(caps & NTB_CAP_WINDOW_WC) != 0, "region", (json_int_t)s->len, "ended", s->ended,
		"stores", s->stores, "note", note != NULL ? note : json_string(""), "tests",
		tests_of(r), "bandwidth", rates_of(r), "latency", latency_of(r));
	int ret = strcmp(file, "-") == 0 ? json_dumpf(all, stdout, JSON_INDENT(1)) | fflush(stdout)
					 : json_dump_file(all, file, JSON_INDENT(1));

	json_decref(all);
	return ret;
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
