/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "report.h"

/* Names of the values in a unit, and how they follow from one sample. */
static const struct {
	const char *column;
	const char *name;
	bool less_is_better;
} units[] = {
	[REPORT_US] = {"Latency (us)", "us", true},
	[REPORT_MBS] = {"Bandwidth (MB/s)", "MB/s", false},
	[REPORT_OPS] = {"Operations/s", "1/s", false},
};

struct report {
	struct report_options opts;
	FILE *json;
	FILE *csv;
	FILE *table; /* NULL where standard output is taken by a file */
	enum report_unit unit;
	struct json_row *old; /* rows to compare with */
	int old_n;
	unsigned int settings;
	unsigned int rows;
	bool terminal;
	bool failed;
};

static FILE *
open_output(struct report *r, const char *path)
{
	FILE *f;

	if (!path)
		return NULL;
	if (strcmp(path, "-") == 0) {
		r->table = NULL;
		return stdout;
	}
	f = fopen(path, "w");
	if (!f) {
		fprintf(stderr, "%s: cannot write %s: %s\n", r->opts.tool, path, strerror(errno));
		r->failed = true;
	}
	return f;
}

static int
close_output(struct report *r, FILE *f, const char *path)
{
	int ret = 0;

	if (!f)
		return 0;
	if (ferror(f) || fflush(f) != 0)
		ret = -EIO;
	if (f != stdout && fclose(f) != 0)
		ret = -EIO;
	if (ret < 0)
		fprintf(stderr, "%s: cannot write %s: %s\n", r->opts.tool, path, strerror(errno));
	return ret;
}

static void
read_old(struct report *r)
{
	unsigned int line;

	r->old_n = json_read_rows(r->opts.against, &r->old, &line);
	if (r->old_n >= 0)
		return;
	if (line)
		fprintf(stderr, "%s: %s:%u: this is not what --json writes\n", r->opts.tool,
			r->opts.against, line);
	else
		fprintf(stderr, "%s: cannot read %s: %s\n", r->opts.tool, r->opts.against,
			strerror(-r->old_n));
	r->failed = true;
}

bool
report_option(struct report_options *opts, int option, const char *value)
{
	switch (option) {
	case 'j':
		opts->json = value;
		return true;
	case 'C':
		opts->csv = value;
		return true;
	case 'a':
		opts->against = value;
		return true;
	}
	return false;
}

struct report *
report_open(const struct report_options *opts)
{
	struct report *r = calloc(1, sizeof(*r));

	if (!r) {
		fprintf(stderr, "%s: no memory\n", opts->tool);
		return NULL;
	}
	r->opts = *opts;
	r->table = stdout;
	r->terminal = isatty(STDERR_FILENO);
	/* before the outputs: the file to compare with may be the one to overwrite */
	if (opts->against)
		read_old(r);
	if (!r->failed)
		r->json = open_output(r, opts->json);
	if (!r->failed)
		r->csv = open_output(r, opts->csv);
	if (r->failed) {
		free(r->old);
		free(r);
		return NULL;
	}
	if (r->json) {
		fputs("{\"tool\": ", r->json);
		json_string(r->json, opts->tool);
		fputs(",\n \"settings\": {", r->json);
	}
	if (r->csv)
		fputs("bench,buffer,target,hops,size,value,min,max,unit,ops_per_s,samples,ops\n",
		      r->csv);
	return r;
}

void
report_setting(struct report *r, const char *name, const char *value)
{
	if (r->table)
		fprintf(r->table, "# %s: %s\n", name, value);
	if (!r->json)
		return;
	fputs(r->settings++ ? ",\n  " : "\n  ", r->json);
	json_string(r->json, name);
	fputs(": ", r->json);
	json_string(r->json, value);
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
	fprintf(r->table, " %14s %14s %11s", "Min", "Max", "Iterations");
	if (r->opts.against)
		fprintf(r->table, " %14s %8s", "Before", "Speed-up");
	fputc('\n', r->table);
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

static const struct json_row *
find_old(const struct report *r, const struct report_key *key)
{
	const struct json_row *row;

	for (row = r->old; row < r->old + r->old_n; row++)
		if (strcmp(row->bench, key->bench) == 0 && strcmp(row->buffer, key->buffer) == 0 &&
		    row->target == key->target && row->size == (double)key->size)
			return row;
	return NULL;
}

static void
table_row(const struct report *r, const struct report_key *key, const double v[3],
	  const struct report_samples *s, double rate)
{
	const struct json_row *old = find_old(r, key);
	int digits = r->unit == REPORT_US ? 3 : r->unit == REPORT_MBS ? 2 : 0;

	if (key->size)
		fprintf(r->table, "%-10zu", key->size);
	else
		fprintf(r->table, "%-10s", "-");
	fprintf(r->table, " %18.*f", digits, v[0]);
	if (r->unit == REPORT_MBS)
		fprintf(r->table, " %14.0f", rate);
	fprintf(r->table, " %14.*f %14.*f %11.0f", digits, v[1], digits, v[2], s->ops);
	if (old && old->value > 0 && v[0] > 0)
		fprintf(r->table, " %14.*f %7.2fx", digits, old->value,
			units[r->unit].less_is_better ? old->value / v[0] : v[0] / old->value);
	else if (r->opts.against)
		fprintf(r->table, " %14s %8s", "-", "-");
	fputc('\n', r->table);
	fflush(r->table);
}

static void
json_row(const struct report *r, const struct report_key *key, const double v[3],
	 const struct report_samples *s, double rate)
{
	fputs(r->rows ? ",\n  {\"bench\": " : "},\n \"rows\": [\n  {\"bench\": ", r->json);
	json_string(r->json, key->bench);
	fputs(", \"buffer\": ", r->json);
	json_string(r->json, key->buffer);
	fprintf(r->json,
		", \"target\": %d, \"hops\": %d, \"size\": %zu, \"value\": %.9g, \"min\": %.9g, "
		"\"max\": %.9g, \"unit\": \"%s\", \"ops_per_s\": %.9g, \"samples\": %u, "
		"\"ops\": %.0f}",
		key->target, key->hops, key->size, v[0], v[1], v[2], units[r->unit].name, rate,
		s->n, s->ops);
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
	report_progress(r, "%s", "");
	if (r->table)
		table_row(r, key, v, s, rate);
	if (r->json)
		json_row(r, key, v, s, rate);
	if (r->csv)
		fprintf(r->csv, "%s,%s,%d,%d,%zu,%.9g,%.9g,%.9g,%s,%.9g,%u,%.0f\n", key->bench,
			key->buffer, key->target, key->hops, key->size, v[0], v[1], v[2],
			units[r->unit].name, rate, s->n, s->ops);
	r->rows++;
}

void
report_progress(struct report *r, const char *format, ...)
{
	va_list args;

	if (!r->terminal)
		return;
	fputs("\r\033[K", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fflush(stderr);
}

int
report_close(struct report *r)
{
	int ret, ret2;

	if (r->json)
		fputs(r->rows ? "\n ]}\n" : "},\n \"rows\": []}\n", r->json);
	ret = close_output(r, r->json, r->opts.json);
	ret2 = close_output(r, r->csv, r->opts.csv);
	free(r->old);
	free(r);
	return ret < 0 ? ret : ret2;
}
