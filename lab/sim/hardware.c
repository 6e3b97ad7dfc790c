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
	double value, low, high;
};

static const struct field fields[] = {
#define HARDWARE(name, unit, value, low, high, source) \
	{#name, unit, source, offsetof(struct hardware, name), value, low, high},
#include "hardware.def"
#undef HARDWARE
};

enum {
	FIELDS = sizeof(fields) / sizeof(fields[0]),
};

/* What a set has other values for than Gen3 x8; a range of 0..0 is the value alone. */
struct change {
	const char *set, *field;
	double value, low, high;
};

static const struct change changes[] = {
	/* P1, P2: an evaluation board, Gen2; windows uncached. FITTED to P2: the reads of the
	 * engine, to 500 MB/s of a block; checked by 520 MB/s of 8 descriptors. */
	{"gen2x8", "link_gts", 5, 5, 5},
	{"gen2x8", "link_coding", 0.8, 0.8, 0.8},
	{"gen2x8", "combining", 0, 0, 0},
	{"gen2x8", "dma_reads", 3, 3, 3},
	{"gen2x8", "dma_read", 128, 128, 128},
	/* P3: the link of P4. FITTED: the reads of the engine, to 30 Gbit/s at 512 kB; checked by
	 * the growth of get with its hops. */
	{"gen3x8-p3", "dma_reads", 11, 11, 11},
	{"gen3x8-p3", "dma_read", 256, 256, 256},
	{"gen4x16", "link_gts", 16, 16, 16},
	{"gen4x16", "link_lanes", 16, 16, 16},
	{"gen4x16", "mps", 256, 128, 512},
	{"gen4x16", "header_credits", 256, 128, 512},
	{"gen4x16", "data_credits", 4096, 2048, 8192},
	{"gen4x16", "dma_reads", 63, 32, 63},
};

static const char *const sets[] = {"gen2x8", "gen3x8", "gen3x8-p3", "gen4x16"};

const char *
hardware_name(unsigned int i)
{
	return i < sizeof(sets) / sizeof(sets[0]) ? sets[i] : NULL;
}

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

static void
set_field(struct hardware_set *s, const struct field *f, double value, double low, double high)
{
	*field_of(&s->value, f) = value;
	*field_of(&s->low, f) = low;
	*field_of(&s->high, f) = high;
}

static bool
load_built_in(struct hardware_set *ret, const char *name)
{
	unsigned int i;

	for (i = 0; hardware_name(i) && strcmp(hardware_name(i), name) != 0; i++)
		;
	if (!hardware_name(i))
		return false;
	for (i = 0; i < FIELDS; i++)
		set_field(ret, &fields[i], fields[i].value, fields[i].low, fields[i].high);
	for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		if (strcmp(changes[i].set, name) == 0)
			set_field(ret, find_field(changes[i].field), changes[i].value,
				  changes[i].low, changes[i].high);
	return true;
}

/* Of which there is one at least. */
static bool
is_count(const struct field *f)
{
	static const char *const names[] = {"link_lanes",   "mps",	 "header_credits",
					    "data_credits", "dma_reads", "dma_read",
					    "dma_channels", "dma_start", "copy_mbs"};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(f->name, names[i]) == 0)
			return true;
	return false;
}

/* What the model can compute with; far beyond any hardware. */
static bool
is_sane(const struct field *f, double v)
{
	bool share = strstr(f->name, "share") != NULL;
	bool zero = share || strcmp(f->name, "combining") == 0 || strstr(f->name, "cable");

	if (!isfinite(v) || v < 0 || v > 1e9 || (v < 0.001 && !zero) || (v < 1 && is_count(f)))
		return false;
	if (share)
		return v < 0.5;
	return strcmp(f->name, "combining") == 0 || strcmp(f->name, "link_coding") == 0 ? v <= 1
											: true;
}

static bool
scan_number(char **text, double *ret)
{
	char *end;

	*ret = strtod(*text, &end);
	if (end == *text)
		return false;
	*text = end;
	return true;
}

/* "128" or "128 64..256". @return what is wrong, or NULL */
static const char *
read_values(struct hardware_set *s, const struct field *f, char *text)
{
	double value, low, high;
	char *at = text, *dots;

	if (!scan_number(&at, &value))
		return "a number is missing";
	low = high = value;
	at += strspn(at, " \t");
	if (*at != '\0') {
		dots = strstr(at, "..");
		if (!dots)
			return "not a range such as 64..256";
		*dots = '\0'; /* strtod() would take the first dot */
		if (!scan_number(&at, &low) || *at != '\0')
			return "not a range such as 64..256";
		at = dots + 2;
		if (!scan_number(&at, &high) || *at != '\0')
			return "not a range such as 64..256";
	}
	if (!is_sane(f, value) || !is_sane(f, low) || !is_sane(f, high))
		return "a value that no hardware has";
	if (low > value || value > high)
		return "the value is not within its range";
	set_field(s, f, value, low, high);
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
read_line(struct hardware_set *s, char *line, bool seen[FIELDS], bool *based)
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
		return load_built_in(s, rest) ? NULL : "no such base";
	}
	f = find_field(name);
	if (!f)
		return "no such parameter";
	if (seen[f - fields])
		return "the parameter is there twice";
	seen[f - fields] = true;
	return read_values(s, f, rest);
}

static int
read_file(struct hardware_set *ret, FILE *f, const char *name)
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
hardware_load(struct hardware_set *ret, const char *name)
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

struct hardware
hardware_draw(const struct hardware_set *set, uint64_t seed)
{
	struct hardware h = set->value;
	unsigned int i;

	for (i = 0; i < FIELDS && seed != 0; i++) {
		double low = read_field(&set->low, &fields[i]);
		double high = read_field(&set->high, &fields[i]);
		uint64_t z = seed * 0x9e3779b97f4a7c15u + i * 0xd1342543de82ef95u;

		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
		z = (z ^ z >> 27) * 0x94d049bb133111ebu;
		z ^= z >> 31;
		*field_of(&h, &fields[i]) = low + (high - low) * (double)(z >> 11) / 0x1p53;
	}
	return h;
}

void
hardware_print(FILE *f, const struct hardware_set *set)
{
	unsigned int i;

	for (i = 0; i < FIELDS; i++) {
		const struct field *d = &fields[i];

		fprintf(f, "%-14s %-8g %g..%g\t# %s%s%s\n", d->name, read_field(&set->value, d),
			read_field(&set->low, d), read_field(&set->high, d), d->unit,
			*d->unit ? "; " : "", d->source);
	}
}

/*
 * Packets in a row. A packet begins when the wire is free and a credit for its header and those for
 * its data have come back from the packet that used them before.
 */
double
hardware_rate(const struct hardware *h, double payload)
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

uint64_t
hardware_latency(const struct hardware *h)
{
	return (uint64_t)((2 * h->switch_ns + h->cable_m * h->cable_ns + 2 * h->root_ns) * SIM_NS);
}

double
hardware_dma_rate(const struct hardware *h)
{
	double round = 2 * (h->switch_ns + h->root_ns) + h->memory_ns;

	return floor(h->dma_reads) * h->dma_read * 1e9 / round;
}

double
hardware_store_rate(const struct hardware *h)
{
	return h->combining >= 0.5 ? 64e9 / h->line_ns : 8e9 / h->uncached_ns;
}

void
hardware_apply(const struct hardware *h, struct sim_params *p)
{
	p->bandwidth = hardware_rate(h, h->combining >= 0.5 ? 64 : 8);
	p->copy = hardware_store_rate(h);
	p->latency = hardware_latency(h);
	p->turn = (uint64_t)(h->turn_ns * SIM_NS);
	p->frame = (uint64_t)(h->frame_ns * SIM_NS);
	p->store = (uint64_t)((h->combining >= 0.5 ? h->store_ns : h->mmio_write_ns) * SIM_NS);
	p->posted = (uint32_t)h->posted_bytes;
}
