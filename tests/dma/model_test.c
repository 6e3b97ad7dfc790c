/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The DMA engine of the model against what is known of the chip, register by register, as far as no
 * driver shows it: dmadev_test.c has rings, copies and what fails of them.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"
#include "plxm.h"
#include "plxm_dma.h"

#define BUS 0x123400000ull /* of the host's memory: above 4 GiB, so that upper halves count */
#define MEM (1u << 20)
#define RING 0x1000u
#define SRC 0x40000u
#define DST 0x80000u

#define VALID 0x80000000u
#define DONE 0x40000000u

enum {
	COUNT = 8,
	CTL = 0x238,
	PAUSE = 1,
	ABORT = 2,
	WRITE_BACK = 4,
	START = 8,
	HOST_RING = 2 << 5,
	INVALID = 1 << 8,
	PAUSE_DONE = 1 << 9,
	ABORT_DONE = 1 << 10,
	BUSY = 1 << 30,
	GO = WRITE_BACK | HOST_RING | START,
};

static struct plxm_port *port;
static struct plxm_dma *dma;
static uint8_t *mem;

static void *
host_mem(void *ctx, uint64_t bus, uint64_t *len)
{
	(void)ctx;
	if (bus < BUS || bus >= BUS + MEM)
		return NULL;
	if (*len > BUS + MEM - bus)
		*len = BUS + MEM - bus;
	return mem + (bus - BUS);
}

static uint32_t *
desc(uint32_t i)
{
	return (uint32_t *)(void *)(mem + RING) + 4 * (size_t)i;
}

static void
set(uint32_t i, uint32_t word, uint64_t src, uint64_t dst)
{
	desc(i)[1] = (uint32_t)(src >> 32) << 16 | (uint32_t)(dst >> 32);
	desc(i)[2] = (uint32_t)dst;
	desc(i)[3] = (uint32_t)src;
	desc(i)[0] = word;
}

static uint32_t
rd(uint32_t off)
{
	return plxm_dma_read(dma, off, 4);
}

static void
wr(uint32_t off, uint32_t val)
{
	plxm_dma_write(dma, off, val, 4);
}

static void
set_up(void)
{
	const struct plxm_dma_host host = {.mem = host_mem};
	struct plxm_eeprom e;
	int fd = memfd_create("cable", MFD_CLOEXEC);

	plxm_eeprom_default(&e, MEM);
	CU_ASSERT_EQUAL_FATAL(plxm_port_open(fd, 0, 0, &e, &port), 0);
	close(fd);
	mem = calloc(1, MEM);
	CU_ASSERT_PTR_NOT_NULL_FATAL(mem);
	for (unsigned int i = 0; i < DST - SRC; i++)
		mem[SRC + i] = (uint8_t)(i * 7 + (i >> 8));
	CU_ASSERT_EQUAL_FATAL(plxm_dma_open(port, 2, &host, &dma), 0);
	plxm_dma_write(dma, 4, 6, 2);
	wr(0x214, (uint32_t)(BUS + RING));
	wr(0x218, (uint32_t)((BUS + RING) >> 32));
	wr(0x21C, (uint32_t)(BUS + RING));
	wr(0x220, COUNT);
	wr(0x234, 4);
}

static void
tear_down(void)
{
	plxm_dma_close(dma);
	plxm_port_close(port);
	free(mem);
}

static void
test_registers(void)
{
	const struct plxm_dma_host host = {.mem = host_mem};
	struct plxm_dma *other;

	wr(0, 0);
	CU_ASSERT_EQUAL(rd(0), 0x87D010B5);
	CU_ASSERT_EQUAL(rd(8) >> 8, 0x088000);
	CU_ASSERT_EQUAL(plxm_dma_read(dma, 2, 2), 0x87D0);
	CU_ASSERT_EQUAL(plxm_dma_read(dma, 2, 4), UINT32_MAX);
	CU_ASSERT_EQUAL(plxm_dma_read(dma, 4096, 4), UINT32_MAX);
	wr(0x214, 0xFFFFFFFF);
	CU_ASSERT_EQUAL(rd(0x214), 0xFFFFFFC0); /* rings are aligned to 64 bytes */
	plxm_dma_write(dma, 0x23A, 0x0107, 2);
	CU_ASSERT_EQUAL(rd(CTL), 0x01070000);
	CU_ASSERT_FALSE(plxm_dma_busy(dma));
	wr(0x70, 0x8000); /* function level reset */
	CU_ASSERT_EQUAL(rd(CTL), 0);
	CU_ASSERT_EQUAL(rd(4) & 6, 0);
	CU_ASSERT_EQUAL(plxm_dma_open(port, 4, &host, &other), -EINVAL);
}

static void
test_errors(void)
{
	/* a ring, or a pointer into it, that is nowhere */
	wr(0x218, 0x7777);
	wr(CTL, GO | 0x1700);
	CU_ASSERT_EQUAL(plxm_dma_run(dma, 100), 0);
	CU_ASSERT_EQUAL(rd(CTL) & (BUSY | INVALID), INVALID);
	wr(0x218, (uint32_t)(BUS >> 32));
	wr(0x21C, (uint32_t)(BUS + RING) + 16 * COUNT);
	wr(CTL, GO | 0x1700);
	CU_ASSERT_EQUAL(plxm_dma_run(dma, 100), 0);
	wr(0x21C, (uint32_t)(BUS + RING));
	/* not a bus master: nothing is fetched */
	set(0, VALID | 64, BUS + SRC, BUS + DST);
	plxm_dma_write(dma, 4, 2, 2);
	wr(CTL, GO | 0x1700);
	CU_ASSERT_EQUAL(plxm_dma_run(dma, 100), 0);
	CU_ASSERT_EQUAL(desc(0)[0], VALID | 64);
}

static void
test_control(void)
{
	for (uint32_t i = 0; i < COUNT; i++)
		set(i, VALID | 64, BUS + SRC, BUS + DST);
	wr(CTL, GO);
	CU_ASSERT_EQUAL(plxm_dma_run(dma, 3), 3);
	wr(CTL, HOST_RING | WRITE_BACK | PAUSE);
	CU_ASSERT_EQUAL(rd(CTL) & PAUSE_DONE, 0); /* not before the engine came to it */
	CU_ASSERT_EQUAL(plxm_dma_run(dma, 3), 0);
	CU_ASSERT_EQUAL(rd(CTL) & (PAUSE_DONE | BUSY), PAUSE_DONE);
	wr(CTL, GO | PAUSE_DONE);
	CU_ASSERT_EQUAL(plxm_dma_run(dma, 1), 1);
	CU_ASSERT_EQUAL(desc(3)[0], DONE | 64); /* goes on where it was */
	wr(CTL, HOST_RING | WRITE_BACK | ABORT);
	CU_ASSERT_EQUAL(plxm_dma_run(dma, 3), 0);
	CU_ASSERT_EQUAL(rd(CTL) & (ABORT_DONE | BUSY), ABORT_DONE);
	CU_ASSERT_EQUAL(desc(4)[0], VALID | 64);
	wr(CTL, ABORT_DONE | PAUSE);
	CU_ASSERT_EQUAL(plxm_dma_run(dma, 3), 0); /* an idle channel pauses too */
	CU_ASSERT_EQUAL(rd(CTL) & (ABORT_DONE | PAUSE_DONE), PAUSE_DONE);

	plxm_dma_fault_set(dma, PLXM_DMA_FAULT_STALL, 1);
	wr(CTL, GO | 0x1700);
	CU_ASSERT_EQUAL(plxm_dma_run(dma, 100), 0);
	CU_ASSERT_EQUAL(rd(CTL) & (BUSY | INVALID), 0);
	wr(CTL, GO | 0x1700);
	CU_ASSERT_EQUAL(plxm_dma_run(dma, 100), 4);
	plxm_dma_fault_set(dma, PLXM_DMA_FAULT_STUCK, 1);
	wr(CTL, GO | ABORT);
	CU_ASSERT_EQUAL(plxm_dma_run(dma, 100), 0);
	CU_ASSERT_EQUAL(rd(CTL) & (BUSY | ABORT_DONE), BUSY);
	plxm_dma_fault_set(dma, PLXM_DMA_FAULT_STUCK, 0);
	CU_ASSERT_EQUAL(rd(CTL), 0);
}

TEST_PROGRAM("DMA engine of the model", set_up, tear_down, {"registers", test_registers},
	     {"errors", test_errors}, {"pause, abort, errata", test_control})
