/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "hardware.h"

enum {
	PACKETS = 2048, /* enough for a rate that the first credits do not change */
};

static const struct {
	const char *name;
	struct hardware value;
} sets[] = {
#define HARDWARE(name, unit, gen2x8, gen3x8, gen4x16, gbe10, gbe100, pool, source) gen2x8,
	{"gen2x8",
	 {
#include "hardware.def"
	 }},
#undef HARDWARE
#define HARDWARE(name, unit, gen2x8, gen3x8, gen4x16, gbe10, gbe100, pool, source) gen3x8,
	{"gen3x8",
	 {
#include "hardware.def"
	 }},
#undef HARDWARE
#define HARDWARE(name, unit, gen2x8, gen3x8, gen4x16, gbe10, gbe100, pool, source) gen4x16,
	{"gen4x16",
	 {
#include "hardware.def"
	 }},
#undef HARDWARE
#define HARDWARE(name, unit, gen2x8, gen3x8, gen4x16, gbe10, gbe100, pool, source) gbe10,
	{"10gbe",
	 {
#include "hardware.def"
	 }},
#undef HARDWARE
#define HARDWARE(name, unit, gen2x8, gen3x8, gen4x16, gbe10, gbe100, pool, source) gbe100,
	{"100gbe",
	 {
#include "hardware.def"
	 }},
#undef HARDWARE
#define HARDWARE(name, unit, gen2x8, gen3x8, gen4x16, gbe10, gbe100, pool, source) pool,
	{"pool",
	 {
#include "hardware.def"
	 }},
#undef HARDWARE
};

const struct hardware *
hardware_find(const char *set)
{
	unsigned int i;

	for (i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		if (strcmp(sets[i].name, set) == 0)
			return &sets[i].value;
	return NULL;
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
