/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <math.h>
#include <string.h>

#include "hardware.h"

enum {
	PACKETS = 2048, /* enough for a rate that the first credits do not change */
};

enum {
	SETS = 6,
};

static const char *const sets[SETS] = {"gen2x8", "gen3x8", "gen4x16", "10gbe", "100gbe", "pool"};

static const double values[][SETS] = {
#define HARDWARE(name, unit, gen2x8, gen3x8, gen4x16, gbe10, gbe100, pool, source) \
	{gen2x8, gen3x8, gen4x16, gbe10, gbe100, pool},
#include "hardware.def"
#undef HARDWARE
};

bool
hardware_find(struct hardware *ret, const char *set)
{
	unsigned int column = 0, row = 0;

	while (column < SETS && strcmp(sets[column], set) != 0)
		column++;
	if (column == SETS)
		return false;
#define HARDWARE(name, unit, gen2x8, gen3x8, gen4x16, gbe10, gbe100, pool, source) \
	ret->name = values[row++][column];
#include "hardware.def"
#undef HARDWARE
	return true;
}

void
hardware_print(FILE *f, const struct hardware *h)
{
#define HARDWARE(name, unit, gen2x8, gen3x8, gen4x16, gbe10, gbe100, pool, source) \
	fprintf(f, "%-14s %-8g %s; %s\n", #name, h->name, unit, source);
#include "hardware.def"
#undef HARDWARE
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
	p->bandwidth = find_rate(h, h->packet);
	p->copy = store_rate(h);
	p->latency = find_latency(h);
	p->turn = (uint64_t)(h->turn_ns * SIM_NS);
	p->frame = (uint64_t)(h->frame_ns * SIM_NS);
	p->store = (uint64_t)((h->combining >= 0.5 ? h->store_ns : h->mmio_write_ns) * SIM_NS);
	p->head = (uint32_t)h->tlp_bytes;
	p->posted = (uint32_t)h->posted_bytes;
	p->memory = p->atomics = h->memory >= 0.5;
}
