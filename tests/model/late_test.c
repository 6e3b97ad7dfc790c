/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Posted writes that are late, within the rules of PCI Express. */

#include <stdlib.h>

#include "model_test.h"
#include "plxm_dma.h"

#define WINDOW (1ull << 40) /* bus address of BAR2 */
#define DMA_BUS 0x500000ull /* of host 0's memory, as its engine sees it */

static struct rig r;

static uint32_t
doorbells(void)
{
	return plxm_reg_read(r.p[1], V0 + 0xC4C);
}

/* Writes are in order, and a read pushes all before it; so does a load that follows plxm_sync(). */
static void
test_pushed(void)
{
	uint32_t v = 0;

	rig_open(&r, MIB, MIB);
	rig_program(&r);
	plxm_late_set(r.p[0], true);
	for (uint32_t i = 0; i < 40; i++)
		peer_write(r.p[0], V0 + 0xC6C, i);
	peer_write(r.p[0], V0 + 0xC4C, 1);
	CU_ASSERT_EQUAL(stats(r.p[0]).late, 41);
	CU_ASSERT_EQUAL(plxm_win_read(r.p[0], 2, 0, &v, 4), 0);
	CU_ASSERT_EQUAL(doorbells(), 1);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1], V0 + 0xC6C), 39);
	peer_write(r.p[0], V0 + 0xC4C, 2);
	plxm_sync(r.p[0]);
	CU_ASSERT_EQUAL(doorbells(), 3);
	/* the other end makes none, and it ends with the last write in its place */
	peer_write(r.p[1], V0 + 0xC4C, 8);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[0], V0 + 0xC4C), 8);
	peer_write(r.p[0], V0 + 0xC4C, 4);
	plxm_late_set(r.p[0], false);
	CU_ASSERT_EQUAL(doorbells(), 7);
	peer_write(r.p[0], V0 + 0xC4C, 16);
	CU_ASSERT_EQUAL(doorbells(), 23);
	rig_close(&r);
}

/* Nothing arrives before; a lost link takes what is under way. */
static void
test_taken(void)
{
	rig_open(&r, MIB, MIB);
	rig_program(&r);
	plxm_late_set(r.p[0], true);
	peer_write(r.p[0], V0 + 0xC4C, 1);
	CU_ASSERT_EQUAL(doorbells(), 0);
	plxm_sync(r.p[0]);
	CU_ASSERT_EQUAL(doorbells(), 1);
	peer_write(r.p[0], V0 + 0xC4C, 2);
	plxm_fault_set(r.p[0], PLXM_FAULT_RETRAIN, 0);
	rig_program(&r);
	plxm_sync(r.p[0]);
	CU_ASSERT_EQUAL(doorbells(), 1);
	rig_close(&r);
}

static uint8_t *dma_mem;

static void *
host_mem(void *ctx, uint64_t bus, uint64_t *len)
{
	(void)ctx;
	if (bus < DMA_BUS || bus >= DMA_BUS + MIB)
		return NULL;
	*len = *len < DMA_BUS + MIB - bus ? *len : DMA_BUS + MIB - bus;
	return dma_mem + (bus - DMA_BUS);
}

/* One descriptor, run to its end: @return its word, as the engine wrote it back. */
static uint32_t
copy(struct plxm_dma *dma, uint64_t to, uint64_t from, uint32_t len)
{
	uint32_t *desc = (uint32_t *)(void *)dma_mem;

	desc[1] = (uint32_t)(from >> 32) << 16 | (uint32_t)(to >> 32);
	desc[2] = (uint32_t)to;
	desc[3] = (uint32_t)from;
	desc[0] = 0x80000000u | len;
	plxm_dma_write(dma, 0x214, DMA_BUS, 4);
	plxm_dma_write(dma, 0x218, 0, 4);
	plxm_dma_write(dma, 0x21C, DMA_BUS, 4);
	plxm_dma_write(dma, 0x220, 1, 4);
	plxm_dma_write(dma, 0x238, 4 | 8 | 2 << 5, 4);
	while (plxm_dma_run(dma, 4) != 0)
		;
	return desc[0];
}

/* An engine says that it is done when its writes have left it: they may land later. */
static void
test_dma(void)
{
	const struct plxm_dma_host host = {.mem = host_mem};
	struct plxm_dma *dma = NULL;
	uint32_t i;

	rig_open(&r, MIB, MIB);
	rig_program(&r);
	set64(r.p[0], V0 + 0x18, WINDOW);
	plxm_reg_write(r.p[0], V0 + 0xD98, 0x0101u << 16 | 1); /* let the engine in */
	dma_mem = malloc(MIB);
	CU_ASSERT_PTR_NOT_NULL_FATAL(dma_mem);
	for (i = 4096; i < MIB; i++)
		dma_mem[i] = (uint8_t)(i * 7 + (i >> 8));
	CU_ASSERT_EQUAL_FATAL(plxm_dma_open(r.p[0], 0, &host, &dma), 0);
	plxm_dma_write(dma, 4, 6, 2);
	CU_ASSERT_EQUAL(copy(dma, WINDOW + 64, DMA_BUS + 4096, 1000), 0x40000000u | 1000);
	CU_ASSERT_EQUAL(memcmp(r.mem[1] + 64, dma_mem + 4096, 1000), 0); /* not late: at once */
	plxm_late_set(r.p[0], true);
	for (i = 0; i < 30; i++)
		CU_ASSERT_EQUAL(copy(dma, WINDOW + 8192, DMA_BUS + 4096 + i, 70000),
				0x40000000u | 70000);
	CU_ASSERT_EQUAL(stats(r.p[0]).late, 60);
	/* what the source holds now does not count */
	memset(dma_mem + 4096 + 29, 0xEE, 70000);
	CU_ASSERT_NOT_EQUAL(r.mem[1][8192 + 69999],
			    (uint8_t)((4096 + 29 + 69999) * 7 + ((4096 + 29 + 69999) >> 8)));
	plxm_sync(r.p[0]);
	for (i = 0; i < 70000; i++)
		if (r.mem[1][8192 + i] != (uint8_t)((4125 + i) * 7 + ((4125 + i) >> 8)))
			break;
	CU_ASSERT_EQUAL(i, 70000);
	/* a lost link takes them */
	CU_ASSERT_EQUAL(copy(dma, WINDOW + 64, DMA_BUS + 200000, 1000), 0x40000000u | 1000);
	plxm_fault_set(r.p[0], PLXM_FAULT_RETRAIN, 0);
	rig_program(&r);
	plxm_sync(r.p[0]);
	CU_ASSERT_NOT_EQUAL(memcmp(r.mem[1] + 64, dma_mem + 200000, 1000), 0);
	plxm_dma_close(dma);
	rig_close(&r);
	free(dma_mem);
}

TEST_PROGRAM("late", NULL, NULL, {"a read pushes posted writes", test_pushed},
	     {"a lost link takes posted writes", test_taken},
	     {"DMA is done before its writes land", test_dma})
