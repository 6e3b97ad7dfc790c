/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/layout.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include <rte_common.h>

#include "mem/available.h"
#include "base/env.h"
#include "base/error.h"
#include "base/state.h"

struct rb_mem_state rb_mem = {.file = {.fd = -1}, .data_file = {.fd = -1}};

/*
 * Is the region laid out for huge pages? Every process of an emulated ring comes to the same
 * answer, because it asks for the machine's total and not for what is free at the moment. A host
 * that then gets no huge pages uses the same layout on small ones: rb_region_create().
 */
static bool
huge_suffices(uint64_t region)
{
	uint64_t pages = 0, regions = rb_emulated() ? (unsigned int)rb.hosts : 1;
	FILE *f;

	if (!rb.env.huge)
		return false;
	f = fopen("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "r");
	if (f == NULL)
		return false;
	if (fscanf(f, "%" SCNu64, &pages) != 1)
		pages = 0;
	fclose(f);
	return pages * RB_HEAP_ALIGN >= regions * RTE_ALIGN_CEIL(region, RB_HEAP_ALIGN);
}

/* Is the region a file also where there are ports? Ports of an adapter need memory of the EAL.
 * RINGBELL_EMU=bridge asks for the same restrictions on emulated ports. */
static bool
file_behind_windows(void)
{
	return rb_emulated() && !rb.env.bridges;
}

static uint64_t
slots_of_port(void)
{
	return (uint64_t)RB_SLOT_RINGS * rb.slots * rb.chunk;
}

/* Returns where they end. */
static uint64_t
lay_words(uint64_t at, unsigned int port)
{
	rb_mem.lay.ctl[port] = at;
	at = RTE_ALIGN_CEIL(at + sizeof(struct rb_ctl), RB_PAGE);
	rb_mem.lay.desc[port] = at;
	return RTE_ALIGN_CEIL(at + (uint64_t)RB_RINGS * rb.slots * sizeof(struct rb_desc), RB_PAGE);
}

/* Every host has the ports of a ring, at least. */
static uint64_t
lay_ring_ports(uint64_t at)
{
	unsigned int port;

	for (port = 0; port < RB_RING_PORTS; port++)
		at = lay_words(at, port);
	for (port = 0; port < RB_RING_PORTS; port++, at += slots_of_port())
		rb_mem.lay.slot[port] = at;
	return RTE_ALIGN_CEIL(at, RB_PAGE);
}

/* Those that this host has not may be a neighbour's. Returns where those of this host end. */
static uint64_t
lay_more_ports(uint64_t at)
{
	uint64_t end = at;
	unsigned int port;

	for (port = RB_RING_PORTS; port < RB_MAX_PORTS; port++) {
		at = lay_words(at, port);
		rb_mem.lay.slot[port] = at;
		at += slots_of_port();
		if (port < rb.ports)
			end = at;
	}
	return end;
}

uint64_t
rb_layout_reach(unsigned int far)
{
	uint64_t slots = rb_mem.lay.slot[far] + slots_of_port();

	return rb_mem.by_frames ? slots : RTE_MAX(slots, rb_mem.lay.end);
}

int
rb_layout(size_t heap_size)
{
	uint64_t at, channels;
	struct rb_available room;

	if (heap_size == 0)
		return rb_fail(
			-EINVAL,
			"symmetric heap of 0 bytes: set SHMEM_SYMMETRIC_SIZE, for example to 512M");
	rb_available_look("", &room);
	if (heap_size > room.limit / (unsigned int)rb.most_locals)
		return rb_fail(-ENOMEM,
			       "symmetric heap of %zu bytes for each of %d PEs is more than there "
			       "is (%s has %llu bytes): lower SHMEM_SYMMETRIC_SIZE",
			       heap_size, rb.most_locals, room.limit_of,
			       (unsigned long long)room.limit);
	at = lay_ring_ports(RB_PAGE);
	channels = rb_mem.by_frames ? lay_more_ports(at) : at;
	rb_mem.lay.heap = RTE_ALIGN_CEIL(channels, RB_HEAP_ALIGN);
	rb_mem.lay.heap_size = RTE_ALIGN_CEIL(heap_size, RB_PAGE);
	rb_mem.lay.heap_span = RTE_ALIGN_CEIL(heap_size, RB_HEAP_ALIGN);
	at = rb_mem.lay.heap + rb_mem.lay.heap_span * (unsigned int)rb.most_locals;
	/* a window smaller than a huge page cannot show a part of one */
	rb_mem.huge = !rb_mem.by_frames && huge_suffices(at);
	/* Static data is remapped page by page, which neither huge pages nor the EAL's memory
	 * allow; the windows of an adapter show the latter. */
	rb_mem.lay.data = 0;
	if (rb.env.statics == RB_STATICS_REMAP && rb.npes > 1 && !rb_mem.huge &&
	    (rb.hosts == 1 || file_behind_windows())) {
		rb_mem.lay.data = at;
		at += rb_mem.data_size * (unsigned int)rb.most_locals;
	}
	rb_mem.lay.end = at;
	if (!rb_mem.by_frames)
		at = lay_more_ports(RTE_ALIGN_CEIL(at, RB_PAGE));
	rb_mem.lay.size = RTE_ALIGN_CEIL(at, RB_HEAP_ALIGN);
	rb_mem.lay.shown = rb_mem.by_frames ? channels : rb_mem.lay.size;
	return 0;
}
