/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "hardware.h"

enum {
	LINE_MAX_BYTES = 256,
	PACKETS = 2048, /* enough for a rate that the first credits do not change */
};

struct field {
	const char *name, *unit, *source;
	size_t at;
	double value;
};

static const struct field fields[] = {
#define HARDWARE(name, unit, value, source) \
	{#name, unit, source, offsetof(struct hardware, name), value},
#include "hardware.def"
#undef HARDWARE
};

enum {
	FIELDS = sizeof(fields) / sizeof(fields[0]),
};

/* What a set has other values for than Gen3 x8. */
static const struct change {
	const char *set, *field;
	double value;
	const char *source;
} changes[] = {
	{"gen2x8", "link_gts", 5, "PCIe base specification, Gen2: P2's evaluation board"},
	{"gen2x8", "link_coding", 0.8, "PCIe: 8b/10b"},
	{"gen2x8", "combining", 0, "P2: the driver maps windows uncached"},
	{"gen4x16", "link_gts", 16, "PCIe base specification, Gen4"},
	{"gen4x16", "link_lanes", 16, "x16"},
	{"gen4x16", "header_credits", 256, "128 to 512; not published"},
	{"gen4x16", "data_credits", 4096, "2048 to 8192; not published"},
};

static const char *const sets[] = {"gen2x8", "gen3x8", "gen4x16"};

enum {
	CHANGES = sizeof(changes) / sizeof(changes[0]),
	SETS = sizeof(sets) / sizeof(sets[0]),
};

static double *
field_of(struct hardware *h, const struct field *f)
{
	return (double *)((char *)h + f->at);
}

static double
read_field(const struct hardware *h, const struct field *f)
{
	return *(const double *)((const char *)h + f->at);
}

static const struct field *
find_field(const char *name)
{
	unsigned int i;

	for (i = 0; i < FIELDS; i++)
		if (strcmp(fields[i].name, name) == 0)
			return &fields[i];
	return NULL;
}

static bool
load_built_in(struct hardware *ret, const char *name)
{
	unsigned int i;

	for (i = 0; i < SETS && strcmp(sets[i], name) != 0; i++)
		;
	if (i == SETS)
		return false;
	for (i = 0; i < FIELDS; i++)
		*field_of(ret, &fields[i]) = fields[i].value;
	for (i = 0; i < CHANGES; i++)
		if (strcmp(changes[i].set, name) == 0)
			*field_of(ret, find_field(changes[i].field)) = changes[i].value;
	return true;
}

/* What the model can compute with; far beyond any hardware. */
static bool
is_sane(const struct field *f, double v)
{
	bool share = strstr(f->name, "share") != NULL,
	     combining = strcmp(f->name, "combining") == 0;
	bool count = strstr(f->name, "credits") != NULL || strcmp(f->name, "link_lanes") == 0;
	bool zero = share || combining || strstr(f->name, "cable") != NULL;

	if (!isfinite(v) || v < 0 || v > 1e9 || (v < 0.001 && !zero) || (v < 1 && count))
		return false;
	if (share)
		return v < 0.5;
	return v <= 1 || (!combining && strcmp(f->name, "link_coding") != 0);
}

/* @return what is wrong, or NULL */
static const char *
read_value(struct hardware *h, const struct field *f, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end != '\0')
		return "a number is missing";
	if (!is_sane(f, value))
		return "a value that no hardware has";
	*field_of(h, f) = value;
	return NULL;
}

static void
trim_line(char *line)
{
	size_t len;

	line[strcspn(line, "#\n")] = '\0';
	for (len = strlen(line); len > 0 && isspace((unsigned char)line[len - 1]); len--)
		line[len - 1] = '\0';
}

/* @return what is wrong with the line, or NULL */
static const char *
read_line(struct hardware *h, char *line, bool seen[FIELDS], bool *based)
{
	char *name = line + strspn(line, " \t"), *rest;
	const struct field *f;

	if (*name == '\0')
		return NULL;
	rest = name + strcspn(name, " \t");
	if (*rest != '\0')
		*rest++ = '\0';
	rest += strspn(rest, " \t");
	if (strcmp(name, "base") == 0) {
		if (*based || memchr(seen, true, FIELDS))
			return "base must come first, and once";
		*based = true;
		return load_built_in(h, rest) ? NULL : "no such base";
	}
	f = find_field(name);
	if (!f)
		return "no such parameter";
	if (seen[f - fields])
		return "the parameter is there twice";
	seen[f - fields] = true;
	return read_value(h, f, rest);
}

static int
read_file(struct hardware *ret, FILE *f, const char *name)
{
	char line[LINE_MAX_BYTES], shown[LINE_MAX_BYTES];
	bool seen[FIELDS] = {false}, based = false;
	unsigned int n = 0;
	const char *wrong;

	load_built_in(ret, "gen3x8");
	while (fgets(line, sizeof(line), f)) {
		n++;
		if (!strchr(line, '\n') && !feof(f)) {
			fprintf(stderr, "ringbell-sim: %s:%u: the line is too long\n", name, n);
			return -EINVAL;
		}
		trim_line(line);
		memcpy(shown, line, sizeof(shown));
		wrong = read_line(ret, line, seen, &based);
		if (wrong) {
			fprintf(stderr, "ringbell-sim: %s:%u: %s: %s\n", name, n, shown, wrong);
			return -EINVAL;
		}
	}
	if (ferror(f) || n == 0) {
		fprintf(stderr, "ringbell-sim: %s: %s\n", name,
			ferror(f) ? "cannot be read" : "an empty file");
		return -EIO;
	}
	return 0;
}

int
hardware_load(struct hardware *ret, const char *name)
{
	FILE *f;
	int result;

	if (load_built_in(ret, name))
		return 0;
	f = fopen(name, "r");
	if (!f) {
		result = -errno;
		fprintf(stderr, "ringbell-sim: link '%s': neither built in nor a file: %s\n", name,
			strerror(errno));
		return result;
	}
	result = read_file(ret, f, name);
	fclose(f);
	return result;
}

static const char *
source_of(const struct field *f, double value)
{
	unsigned int i;

	if (value == f->value)
		return f->source;
	for (i = 0; i < CHANGES; i++)
		if (strcmp(changes[i].field, f->name) == 0 && changes[i].value == value)
			return changes[i].source;
	return "from a file";
}

void
hardware_print(FILE *f, const struct hardware *h)
{
	unsigned int i;

	for (i = 0; i < FIELDS; i++) {
		const struct field *d = &fields[i];
		double value = read_field(h, d);

		fprintf(f, "%-14s %-8g\t# %s%s%s\n", d->name, value, d->unit, *d->unit ? "; " : "",
			source_of(d, value));
	}
}

/*
 * Bytes of payload a second in packets of @p payload bytes in a row: the wire, or the credits. A
 * packet begins when the wire is free and a credit for its header and those for its data have come
 * back from the packet that used them before.
 */
static double
find_rate(const struct hardware *h, double payload)
{
	double raw = h->link_gts * h->link_lanes * h->link_coding / 8; /* bytes a ns */
	double wire = (payload + h->tlp_bytes) / (raw * (1 - h->skip_share - h->dllp_share));
	double by_data = floor(h->data_credits / ceil(payload / 16));
	double end[PACKETS], start;
	unsigned int i, window = (unsigned int)fmin(fmin(h->header_credits, by_data), PACKETS);

	if (window == 0)
		window = 1;
	for (i = 0; i < PACKETS; i++) {
		start = i == 0 ? 0 : end[i - 1];
		if (i >= window && end[i - window] + h->credit_ns > start)
			start = end[i - window] + h->credit_ns;
		end[i] = start + wire;
	}
	return payload * PACKETS / 2 * 1e9 / (end[PACKETS - 1] - end[PACKETS / 2 - 1]);
}

/* ps from a store until the other host's CPU sees it, without its time on the wire. */
static uint64_t
find_latency(const struct hardware *h)
{
	return (uint64_t)((2 * h->switch_ns + h->cable_m * h->cable_ns + 2 * h->root_ns) * SIM_NS);
}

/* Bytes a second that a core stores through a window. */
static double
store_rate(const struct hardware *h)
{
	return h->combining >= 0.5 ? 64e9 / h->line_ns : 8e9 / h->uncached_ns;
}

void
hardware_apply(const struct hardware *h, struct sim_params *p)
{
	p->bandwidth = find_rate(h, h->combining >= 0.5 ? 64 : 8);
	p->copy = store_rate(h);
	p->latency = find_latency(h);
	p->turn = (uint64_t)(h->turn_ns * SIM_NS);
	p->frame = (uint64_t)(h->frame_ns * SIM_NS);
	p->store = (uint64_t)((h->combining >= 0.5 ? h->store_ns : h->mmio_write_ns) * SIM_NS);
	p->posted = (uint32_t)h->posted_bytes;
}
