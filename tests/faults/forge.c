/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Writes into the memory of a host of a running job as a hostile or broken neighbour may: into the
 * part of its region that neighbours write. WHAT is "bytes": anything anywhere in descriptors and
 * payloads; "frame": a whole descriptor, where the consumer looks next; "word": a control word.
 *
 * Usage: forge PID HOST WHAT SEED; PID is a process of that host. Exits with 3 where there is no
 * such region yet.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "base/wire.h"
#include "mem/layout.h"

enum {
	NO_REGION = 3,
	BYTES_MAX = 256, /* of one write of random bytes */
	NEAR = 64,	 /* of a true value */
};

static pid_t pid;
static uint64_t at; /* the region, in that process */
static struct rb_region_hdr hdr;
static struct rb_layout lay;
static unsigned int rings;
static uint64_t state;

static uint64_t
draw(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545F4914F6CDD1Dull % below;
}

static bool
read_from(uint64_t from, void *to, size_t len)
{
	struct iovec here = {to, len}, there = {(void *)(uintptr_t)from, len};

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)len;
}

static bool
write_to(uint64_t off, const void *from, size_t len)
{
	struct iovec here = {(void *)(uintptr_t)from, len},
		     there = {(void *)(uintptr_t)(at + off), len};

	return process_vm_writev(pid, &here, 1, &there, 1, 0) == (ssize_t)len;
}

/* A neighbour's region may be mapped as well, so the header decides. */
static bool
find_region(uint32_t host)
{
	char name[64], line[512];
	uint64_t first;
	bool found = false;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	maps = fopen(name, "r");
	while (maps != NULL && !found && fgets(line, sizeof(line), maps) != NULL) {
		if (sscanf(line, "%" SCNx64 "-%*x rw-s 00000000", &first) != 1)
			continue;
		found = read_from(first, &hdr, sizeof(hdr)) && hdr.magic == RB_MAGIC &&
			hdr.version == RB_VERSION && hdr.host == host && hdr.job != 0;
		at = first;
	}
	if (maps != NULL)
		fclose(maps);
	memcpy(&lay, hdr.settings.layout, sizeof(hdr.settings.layout));
	rings = (unsigned int)(hdr.settings.channels + 2 * hdr.settings.lcores);
	return found;
}

static bool
forge_bytes(void)
{
	unsigned int port = (unsigned int)draw(RB_RING_PORTS);
	uint64_t slots = hdr.settings.slots * rings, off;
	uint8_t bytes[BYTES_MAX];
	size_t i, len = 1 + (size_t)draw(BYTES_MAX);

	for (i = 0; i < len; i++)
		bytes[i] = (uint8_t)draw(256);
	if (draw(2) == 0)
		off = lay.desc[port] + draw(slots * sizeof(struct rb_desc) - len);
	else
		off = lay.slot[port] + draw(slots * hdr.settings.chunk - len);
	printf("%zu bytes at 0x%" PRIx64 "\n", len, off);
	return write_to(off, bytes, len);
}

/* The position behind the last frame of a ring. */
static bool
next_position(uint64_t ring_off, uint32_t *pos)
{
	struct rb_desc d;
	uint64_t i;

	*pos = 0;
	for (i = 0; i < hdr.settings.slots; i++) {
		if (!read_from(at + ring_off + i * sizeof(d), &d, sizeof(d)))
			return false;
		if ((int32_t)(d.seq - *pos) > 0)
			*pos = d.seq;
	}
	return true;
}

static bool
forge_frame(void)
{
	unsigned int port = (unsigned int)draw(RB_RING_PORTS), ring = (unsigned int)draw(rings);
	uint64_t off = lay.desc[port] + ring * hdr.settings.slots * sizeof(struct rb_desc);
	struct rb_desc d;
	uint8_t *bytes = (uint8_t *)&d;
	uint32_t pos;
	size_t i;

	if (!next_position(off, &pos))
		return false;
	for (i = 0; i < sizeof(d); i++)
		bytes[i] = (uint8_t)draw(256);
	if (draw(2) == 0) { /* one that goes further than the first check */
		d.op = (uint8_t)(1 + draw(RB_OP_MAX - 1));
		d.seg = (uint8_t)draw(RB_SEG_MAX);
		d.chan = (uint8_t)draw(hdr.settings.channels);
		d.src_pe = (uint16_t)draw(hdr.settings.pes);
		d.dst_pe = (uint16_t)draw(hdr.settings.pes);
		d.len = (uint32_t)draw(hdr.settings.chunk + 1);
		d.off = draw(hdr.settings.heap_size);
	}
	d.seq = pos + 1;
	printf("a frame of op %u in ring %u of port %u\n", d.op, ring, port);
	off += (pos & (hdr.settings.slots - 1)) * sizeof(d);
	return write_to(off, &d, offsetof(struct rb_desc, seq)) &&
	       write_to(off + offsetof(struct rb_desc, seq), &d.seq, sizeof(d.seq));
}

/* A random value, or one near the true one where the host goes by it: credits, acknowledgements. */
static bool
forge_word(void)
{
	uint64_t off = lay.ctl[draw(RB_RING_PORTS)],
		 words = sizeof(struct rb_ctl) / sizeof(uint64_t);
	uint64_t value = draw(UINT64_MAX) >> draw(64), old;
	bool near = draw(2) == 0;

	if (!near)
		off += draw(words) * sizeof(value);
	else if (draw(2) == 0)
		off += offsetof(struct rb_ctl, credit) + draw(rings) * sizeof(value);
	else
		off += offsetof(struct rb_ctl, ack) +
		       ((draw(hdr.hosts) * RB_MAX_CHANNELS + draw(hdr.settings.channels)) *
				RB_CLS_MAX +
			draw(RB_CLS_MAX)) *
			       sizeof(value);
	if (near && !read_from(at + off, &old, sizeof(old)))
		return false;
	if (near)
		value = old + draw(2 * NEAR) - NEAR;
	printf("the word at 0x%" PRIx64 " becomes %" PRIu64 "\n", off, value);
	return write_to(off, &value, sizeof(value));
}

static const struct what {
	const char *name;
	bool (*forge)(void);
} whats[] = {{"bytes", forge_bytes}, {"frame", forge_frame}, {"word", forge_word}};

int
main(int argc, char **argv)
{
	size_t i;

	if (argc != 5)
		return 2;
	pid = (pid_t)atoi(argv[1]);
	state = strtoull(argv[4], NULL, 10) * 2 + 1;
	draw(2);
	if (!find_region((uint32_t)atoi(argv[2])))
		return NO_REGION;
	for (i = 0; i < sizeof(whats) / sizeof(whats[0]); i++)
		if (strcmp(argv[3], whats[i].name) == 0) /* the process may end meanwhile */
			return whats[i].forge() ? 0 : NO_REGION;
	return 2;
}
