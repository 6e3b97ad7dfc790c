/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The DMA engine on rings of any contents. Whatever a descriptor holds, the engine touches no byte
 * that the host did not give it for that access, ends each turn, and keeps its registers in the
 * ranges of the chip. */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "input.h"
#include "plxm.h"
#include "plxm_dma.h"

#define BUS 0x100000000ull /* above 4 GiB: upper halves count */
#define RAM 65536u
#define READ_ONLY 4096u /* the last bytes of it: the host refuses writes there */
#define GUARD 4096u

enum {
	RING = 0,
	DESCS = 64,
	TURN = 32, /* descriptors a turn */
	CTL = 0x238,
	GO = 0x4C, /* write-back, ring in host memory, start */
};

/* Kept from one input to the next, and its bytes set anew: mapping costs more than running. */
static struct {
	int cable;
	struct plxm_port *port;
	struct plxm_dma *dma;
	uint8_t *ram; /* guard, RAM, guard */
} s;

static void *
host_mem(void *ctx, uint64_t bus, uint64_t *len, bool write)
{
	uint64_t size = write ? RAM - READ_ONLY : RAM;

	(void)ctx;
	if (bus < BUS || bus - BUS >= size)
		return NULL;
	if (*len > size - (bus - BUS))
		*len = size - (bus - BUS);
	return s.ram + GUARD + (bus - BUS);
}

static void
open_engine(void)
{
	static const struct plxm_dma_host host = {.mem = host_mem};

	HOLDS(plxm_dma_open(s.port, 0, &host, &s.dma) == 0);
}

static void
set_up(void)
{
	struct plxm_eeprom e;

	if (s.port == NULL) {
		s.cable = memfd_create("cable", MFD_CLOEXEC);
		s.ram = malloc(RAM + 2 * GUARD);
		HOLDS(s.cable >= 0 && s.ram != NULL);
		plxm_eeprom_default(&e, 1024 * 1024);
		HOLDS(plxm_port_open(s.cable, 0, &e, &s.port) == 0);
	}
	memset(s.ram, 0xA5, RAM + 2 * GUARD);
	open_engine();
}

static void
wr(uint32_t off, uint32_t val)
{
	plxm_dma_write(s.dma, off, val, 4);
}

static void
program(struct input *in)
{
	uint8_t shape = (uint8_t)take(in, 1);

	wr(0x214, (uint32_t)BUS + RING + (shape & 3) * 16);
	wr(0x218, (uint32_t)(BUS >> 32));
	wr(0x21C, (uint32_t)BUS + RING + (shape & 3) * 16);
	wr(0x220, (shape >> 2 & 15) + 1u);
	wr(0x234, shape >> 6);
	wr(CTL, GO | (shape & 0x80 ? 1u << 4 : 0));
}

/* Mostly addresses within or across the ends of the memory, of mostly small lengths. */
static void
descriptor(struct input *in)
{
	uint32_t i = (uint32_t)take(in, 1) % DESCS, word = (uint32_t)take(in, 1) << 27;
	uint64_t at[2];

	for (unsigned int k = 0; k < 2; k++) {
		at[k] = BUS - 64 + take(in, 3) % (RAM + 128);
		if (in->left > 8 && in->at[0] == 0xFF)
			at[k] = take(in, 6);
	}
	word |= (uint32_t)take(in, in->left > 4 && in->at[0] == 0xFF ? 4 : 2);
	uint32_t d[4] = {word, (uint32_t)(at[0] >> 32) << 16 | (uint32_t)(at[1] >> 32 & 0xFFFF),
			 (uint32_t)at[1], (uint32_t)at[0]};

	memcpy(s.ram + GUARD + RING + i * sizeof(d), d, sizeof(d));
}

static void
step(struct input *in)
{
	uint8_t op = (uint8_t)take(in, 1);
	static const uint8_t size[] = {4, 2, 1, 4};
	uint32_t off;

	switch (op & 7) {
	case 0:
		off = (uint32_t)take(in, 2);
		plxm_dma_write(s.dma, off, (uint32_t)take(in, 4), size[op >> 6]);
		break;
	case 1:
		off = 0x1F8 + (uint32_t)take(in, 1) % 0xC0;
		plxm_dma_write(s.dma, off, (uint32_t)take(in, 4), size[op >> 6]);
		break;
	case 2:
		plxm_dma_read(s.dma, (uint32_t)take(in, 2), size[op >> 6]);
		break;
	case 3:
		program(in);
		break;
	case 4:
		plxm_dma_fault_set(s.dma, (enum plxm_dma_fault)(op >> 3 & 3),
				   (uint32_t)take(in, 1) & 3);
		break;
	case 5:
		wr(CTL, (uint32_t)take(in, 1)); /* start, pause, abort */
		break;
	default:
		descriptor(in);
		break;
	}
}

static void
check(void)
{
	unsigned int done = plxm_dma_run(s.dma, TURN);

	HOLDS(done <= TURN);
	HOLDS(done == TURN || !plxm_dma_busy(s.dma) ||
	      (plxm_dma_read(s.dma, CTL, 4) & 1u << 30) != 0);
	HOLDS(plxm_dma_read(s.dma, 0, 4) == 0x87D010B5);
	for (uint32_t i = 0; i < GUARD; i += 64)
		HOLDS(s.ram[i] == 0xA5 && s.ram[GUARD + RAM + i] == 0xA5);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size < 4096 ? size : 4096};

	set_up();
	for (uint32_t i = 0; i < READ_ONLY; i++)
		s.ram[GUARD + RAM - READ_ONLY + i] = (uint8_t)i;
	while (in.left != 0) {
		step(&in);
		check();
	}
	for (uint32_t i = 0; i < READ_ONLY; i++)
		HOLDS(s.ram[GUARD + RAM - READ_ONLY + i] == (uint8_t)i);
	plxm_dma_close(s.dma);
	return 0;
}
