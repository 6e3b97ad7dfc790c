/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The region of a host with adapters: its place on the bus, which is not that in the process, and
 * what is said where a window is too small for it.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <rte_eal.h>
#include <rte_memory.h>
#include <rte_memzone.h>
#include <rte_pmd_ntb_port.h>

#include "base/error.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/types.h"
#include "host/hostseg.h"
#include "host/eal_segments.h"
#include "link/links.h"
#include "mem/heap.h"
#include "mem/layout.h"
#include "mem/region.h"
#include "cases.h"
#include "eal.h"

#define MIB (1ull << 20)

static uint64_t shift; /* of bus addresses against those of the process */

/* The EAL gives memory bus addresses where it can know physical ones. None leaves this process. */
int rte_eal_using_phys_addrs(void);
int
rte_eal_using_phys_addrs(void)
{
	return 1;
}

static int
place(const struct rte_memseg_list *list, const struct rte_memseg *seg, void *arg)
{
	rte_mem_virt2memseg(seg->addr, list)->iova = (uintptr_t)seg->addr + shift;
	return 0;
}

/* It stays the EAL's to the end of a process, which has one region. */
static void
free_zone(void)
{
	const struct rte_memzone *mz = rte_memzone_lookup("ringbell_region");

	CU_ASSERT_PTR_NOT_NULL_FATAL(mz);
	CU_ASSERT_EQUAL(rte_memzone_free(mz), 0);
}

static void
test_bus_alignment(void)
{
	static const uint64_t shifts[] = {0, 2 * MIB, 14 * MIB, 6 * MIB};
	static const uint64_t aligns[] = {2 * MIB, 4 * MIB, 8 * MIB, 16 * MIB};
	unsigned int i, j;

	rb_mem.lay.heap = 2 * MIB;
	rb_mem.lay.size = 6 * MIB;
	for (i = 0; i < RTE_DIM(shifts); i++) {
		shift = shifts[i];
		CU_ASSERT_EQUAL_FATAL(rte_memseg_walk(place, NULL), 0);
		for (j = 0; j < RTE_DIM(aligns); j++) {
			const struct rte_memseg *first, *last;
			const struct rte_memzone *mz;
			const uint8_t *at;

			CU_ASSERT_EQUAL_FATAL(rb_region_reserve(aligns[j]), 0);
			first = rte_mem_virt2memseg(rb_mem.region, NULL);
			last = rte_mem_virt2memseg(rb_mem.region + rb_mem.lay.size - 1, NULL);
			CU_ASSERT_PTR_NOT_NULL_FATAL(first);
			CU_ASSERT_PTR_NOT_NULL_FATAL(last);
			CU_ASSERT_EQUAL(first->iova % aligns[j], 0);
			CU_ASSERT_EQUAL(rb_region_bus(), first->iova);
			CU_ASSERT_EQUAL(last->iova + last->len, first->iova + rb_mem.lay.size);
			/* to the end of what a chip may show */
			mz = rte_memzone_lookup("ringbell_region");
			CU_ASSERT_PTR_NOT_NULL_FATAL(mz);
			CU_ASSERT_TRUE(mz->iova + mz->len >=
				       first->iova + RTE_ALIGN_CEIL(6 * MIB, aligns[j]));
			memset(rb_mem.region, 0x5a, rb_mem.lay.size);
			at = rb_mem.region;
			rb_region_free();
			CU_ASSERT_EQUAL(rb_region_bus(), 0);
			/* nobody goes through all of it when a job ends */
			CU_ASSERT_EQUAL(at[rb_mem.lay.size - 1], 0x5a);
			free_zone();
		}
	}
	/* what cannot be is said */
	CU_ASSERT_EQUAL(rb_region_reserve(1ull << 40), -ENOMEM);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "aligned to 1099511627776 there"));
}

/* Another PE of the host maps the same memory, from the files that the EAL has behind it. */
static void
test_pieces(void)
{
	static struct rb_host_seg seg;
	struct rb_file list, other;
	uint8_t *mine;
	int i;

	rb_hostseg = &seg;
	seg.lead_pid = getpid();
	rb_mem.lay.heap = 2 * MIB;
	rb_mem.lay.heap_size = 4 * MIB;
	rb_mem.lay.size = 6 * MIB;
	CU_ASSERT_EQUAL_FATAL(rb_region_reserve(2 * MIB), 0);
	mine = rb_mem.region;
	CU_ASSERT_EQUAL_FATAL(rb_eal_segments_list(&list), 0);
	for (i = 0; i < 6; i++)
		memset(mine + (uint64_t)i * MIB, 0x10 + i, MIB);
	CU_ASSERT_EQUAL_FATAL(rb_eal_segments_map(rb_hostseg_open(&list, "the list")), 0);
	CU_ASSERT_PTR_NOT_EQUAL(rb_mem.region, mine);
	CU_ASSERT_EQUAL(memcmp(rb_mem.region, mine, rb_mem.lay.size), 0);
	CU_ASSERT_EQUAL((uintptr_t)rb_mem.heap % RB_HEAP_ALIGN, 0);
	rb_mem.region[5 * MIB + 7] = 0xaa;
	CU_ASSERT_EQUAL(mine[5 * MIB + 7], 0xaa);
	rb_region_free();
	CU_ASSERT_PTR_NULL(rb_mem.region);
	CU_ASSERT_EQUAL(mine[5 * MIB + 7], 0xaa); /* the lead's stays */

	/* a list that ends early, or has a hole */
	CU_ASSERT_EQUAL(ftruncate(list.fd, 8), 0);
	CU_ASSERT_EQUAL(rb_eal_segments_map(rb_hostseg_open(&list, "the list")), -EPROTO);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "ends at 0 of 6291456 bytes"));
	CU_ASSERT_PTR_NULL(rb_mem.region);
	/* a number that is another file by now */
	other = list;
	other.inode++;
	CU_ASSERT_EQUAL(rb_hostseg_open(&other, "the list"), -ESTALE);
	rb_file_close(&other);
	CU_ASSERT_TRUE(rb_file_ours(&list));
	rb_file_close(&list);
	CU_ASSERT_EQUAL(list.fd, -1);
	free_zone();
	rb_hostseg = NULL;
}

static uint64_t
quarter(struct ntb_port *port, uint64_t len)
{
	return len / 4;
}

static uint64_t
page(struct ntb_port *port, uint64_t len)
{
	return 4096;
}

static void
test_wants(void)
{
	static const struct ntb_port_ops coarse = {.region_align = quarter};
	static const struct ntb_port_ops fine = {.region_align = page};
	struct ntb_port port[] = {
		{.ops = &coarse, .window_size = 64 * MIB, .setting = "the one to a size"},
		{.ops = &fine, .window_size = 32 * MIB, .setting = "the other to a size"},
	};
	const struct rb_params params = {.heap_given = true, .heap_size = 4 * MIB, .heap_own = MIB};
	uint64_t align = 0;
	size_t size = 0;

	rb.most_locals = 2;
	CU_ASSERT_EQUAL(rb_heap_fit(&params, &size), 0);
	CU_ASSERT_EQUAL(size, 5 * MIB);
	rb_mem.lay.heap = 10 * MIB;
	rb_mem.lay.heap_span = 12 * MIB;
	rb_mem.lay.size = 32 * MIB;
	rb.link[RB_PORT_NEXT].port = &port[1];
	CU_ASSERT_EQUAL(rb_links_want(&align), 0);
	CU_ASSERT_EQUAL(align, RB_HEAP_ALIGN);
	/* both ports must be content */
	rb.link[RB_PORT_PREV].port = &port[0];
	CU_ASSERT_EQUAL(rb_links_want(&align), 0);
	CU_ASSERT_EQUAL(align, 8 * MIB);
	/* (32 - 10) / 2 = 11: whole pages of 2 MiB, and one for the library itself */
	rb_mem.lay.size = 34 * MIB;
	rb_mem.lay.shown = 34 * MIB;
	rb_mem.lay.slot[RB_MAX_PORTS - 1] = 34 * MIB;
	rb.env.chunk_given = true;
	CU_ASSERT_EQUAL(rb_links_want(&align), -ENOMEM);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(),
				      "the window of 33554432 bytes is smaller than "
				      "the region of 35651584: set the other to a size that"));
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "SHMEM_SYMMETRIC_SIZE to 9437184 at most"));
	/* PEs of an emulated ring have the region already, and cannot give it another layout */
	rb.env.emulated = true;
	port[1].window_size = MIB;
	rb_mem.lay.shown = 34 * MIB;
	CU_ASSERT_EQUAL(rb_links_want(&align), -ENOMEM);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "SHMEM_SYMMETRIC_SIZE to 0 at most"));
	rb_mem.lay.shown = MIB;
	CU_ASSERT_EQUAL(rb_links_want(&align), 0);
	rb.env.emulated = false;
}

static int
start(void)
{
	return start_eal("--iova-mode=pa");
}

TEST_PROGRAM_AROUND("region", start, NULL, NULL, NULL, {"alignment on the bus", test_bus_alignment},
		    {"another PE maps it", test_pieces}, {"what ports want", test_wants})
