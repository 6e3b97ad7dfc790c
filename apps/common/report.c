/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli.h"
#include "report.h"

/* Names of the values in a unit. */
static const struct {
	const char *column;
	const char *name;
} units[] = {
	[REPORT_US] = {"Latency (us)", "us"},
	[REPORT_MBS] = {"Bandwidth (MB/s)", "MB/s"},
	[REPORT_OPS] = {"Operations/s", "1/s"},
};

struct report {
	struct report_options opts;
	FILE *json;
	FILE *table; /* NULL where standard output is taken by a file */
	enum report_unit unit;
	json_t *settings, *rows;
	bool failed;
};

static void
open_json(struct report *r, const char *path)
{
	r->json = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
	if (r->json == stdout)
		r->table = NULL;
	r->failed = r->json == NULL;
	if (r->failed)
		cli_say("cannot write %s: %s", path, strerror(errno));
}

static void
free_report(struct report *r)
{
	json_decref(r->settings);
	json_decref(r->rows);
	free(r);
}

struct report *
report_open(const struct report_options *opts)
{
	struct report *r = calloc(1, sizeof(*r));

	if (!r) {
		cli_say("no memory");
		return NULL;
	}
	r->opts = *opts;
	r->settings = json_object();
	r->rows = json_array();
	r->table = stdout;
	if (opts->json)
		open_json(r, opts->json);
	if (r->failed) {
		free_report(r);
		return NULL;
	}
	return r;
}

void
report_setting(struct report *r, const char *name, const char *value)
{
	if (r->table)
		fprintf(r->table, "# %s: %s\n", name, value);
	json_object_set_new(r->settings, name, json_string(value));
}

void
report_table(struct report *r, const char *title, enum report_unit unit)
{
	r->unit = unit;
	if (!r->table)
		return;
	fprintf(r->table, "\n# %s\n%-10s %18s", title, "# Size", units[unit].column);
	if (unit == REPORT_MBS)
		fprintf(r->table, " %14s", "Messages/s");
	fprintf(r->table, " %14s %14s %11s\n", "Min", "Max", "Iterations");
}

static int
compare_times(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
value_of(const struct report *r, const struct report_samples *s, double seconds)
{
	if (seconds <= 0)
		seconds = 1e-9; /* below the resolution of the clock */
	switch (r->unit) {
	case REPORT_US:
		return seconds * 1e6 / s->ops;
	case REPORT_MBS:
		return s->bytes / seconds / 1e6;
	case REPORT_OPS:
		break;
	}
	return s->ops / seconds;
}

static void
table_row(const struct report *r, const struct report_key *key, const double v[3],
	  const struct report_samples *s, double rate)
{
	int digits = r->unit == REPORT_US ? 3 : r->unit == REPORT_MBS ? 2 : 0;

	if (key->size)
		fprintf(r->table, "%-10zu", key->size);
	else
		fprintf(r->table, "%-10s", "-");
	fprintf(r->table, " %18.*f", digits, v[0]);
	if (r->unit == REPORT_MBS)
		fprintf(r->table, " %14.0f", rate);
	fprintf(r->table, " %14.*f %14.*f %11.0f\n", digits, v[1], digits, v[2], s->ops);
	fflush(r->table);
}

static json_t *
json_row(const struct report *r, const struct report_key *key, const double v[3],
	 const struct report_samples *s, double rate)
{
	return json_pack("{s:s,s:s,s:i,s:i,s:I,s:f,s:f,s:f,s:s,s:f,s:i,s:I}", "bench", key->bench,
			 "buffer", key->buffer, "target", key->target, "hops", key->hops, "size",
			 (json_int_t)key->size, "value", v[0], "min", v[1], "max", v[2], "unit",
			 units[r->unit].name, "ops_per_s", rate, "samples", (int)s->n, "ops",
			 (json_int_t)s->ops);
}

void
report_row(struct report *r, const struct report_key *key, struct report_samples *s)
{
	double v[3], rate, middle;

	qsort(s->seconds, s->n, sizeof(s->seconds[0]), compare_times);
	middle = s->seconds[s->n / 2];
	if (s->n % 2 == 0)
		middle = (middle + s->seconds[s->n / 2 - 1]) / 2;
	v[0] = value_of(r, s, middle);
	v[1] = value_of(r, s, s->seconds[0]);
	v[2] = value_of(r, s, s->seconds[s->n - 1]);
	if (v[1] > v[2]) {
		double t = v[1];

		v[1] = v[2];
		v[2] = t;
	}
	rate = s->ops / (middle > 0 ? middle : 1e-9);
	if (r->table)
		table_row(r, key, v, s, rate);
	json_array_append_new(r->rows, json_row(r, key, v, s, rate));
}

static int
write_json(struct report *r)
{
	json_t *all = json_pack("{s:s,s:O,s:O}", "tool", r->opts.tool, "settings", r->settings,
				"rows", r->rows);
	int ret = json_dumpf(all, r->json, JSON_INDENT(1) | JSON_REAL_PRECISION(9));

	json_decref(all);
	if (fputc('\n', r->json) == EOF || fflush(r->json) != 0)
		ret = -1;
	if (r->json != stdout && fclose(r->json) != 0)
		ret = -1;
	if (ret < 0)
		cli_say("cannot write %s: %s", r->opts.json, strerror(errno));
	return ret < 0 ? -EIO : 0;
}

int
report_close(struct report *r)
{
	int ret = r->json ? write_json(r) : 0;

	free_report(r);
	return ret;
}

long
report_calibrate(const struct report_options *opts, double (*take)(void *what, long n), void *what)
{
	double seconds = opts->ms / 1e3, t, shortest;
	long n = 2;
	int i;

	for (;;) {
		shortest = take(what, n);
		for (i = 0; i < 2 && shortest >= seconds / 2; i++) {
			t = take(what, n);
			if (t < shortest)
				shortest = t;
		}
		if (shortest >= seconds / 2 || shortest < 0)
			return n;
		if (shortest < seconds / 16)
			n *= 8;
		else
			n = ((long)((double)n * seconds / shortest) + 1) & ~1L;
	}
}
