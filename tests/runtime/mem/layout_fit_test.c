/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Layouts against the size of the windows: which heaps fit, at both sides of each limit, and what a
 * window shows in which none does.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <rte_common.h>

#include "base/error.h"
#include "base/state.h"
#include "mem/layout_fit.h"
#include "mem/heap.h"
#include "mem/layout.h"
#include "cases.h"

#define KIB 1024ull
#define MIB (1024 * KIB)
#define SETTING "the setting to a size"

static void
lay_out(uint64_t heap, unsigned int locals)
{
	const struct rb_params own = {.heap_given = true, .heap_size = heap, .heap_own = 0};
	size_t fit;

	rb = (struct rb_state){
		.hosts = 2, .ports = 2, .npes = 2 * (int)locals, .most_locals = (int)locals};
	rb.channels = 2;
	rb.lcores = 1;
	rb.slots = 16;
	rb.chunk = 128 * KIB;
	rb.env.chunk = rb.chunk;
	rb_mem = (struct rb_mem_state){.file = {.fd = -1}};
	CU_ASSERT_EQUAL_FATAL(rb_heap_fit(&own, &fit), 0);
	CU_ASSERT_EQUAL_FATAL(rb_layout(heap), 0);
}

static void
test_fits(void)
{
	lay_out(100 * MIB, 1);
	CU_ASSERT_EQUAL(rb_layout_fit(128 * MIB, SETTING), 0);
	CU_ASSERT_FALSE(rb_mem.by_frames);
	CU_ASSERT_EQUAL(rb.chunk, 128 * KIB);
	CU_ASSERT_EQUAL(rb_mem.lay.shown, rb_mem.lay.size);
	CU_ASSERT_EQUAL(rb_seg_shown(RB_SEG_HEAP, 0), rb_mem.lay.heap);
}

/* The largest heap that the message names does fit, and a byte more does not. */
static void
test_both_sides(void)
{
	static const uint64_t windows[] = {16 * MIB, 70 * MIB, 1024 * MIB};
	unsigned int locals;

	for (locals = 1; locals <= 3; locals += 2) {
		for (unsigned int i = 0; i < RTE_DIM(windows); i++) {
			unsigned long long most = 0;
			const char *at;

			lay_out(1024 * MIB, locals);
			CU_ASSERT_EQUAL(rb_layout_fit(windows[i], SETTING), -ENOMEM);
			CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "set " SETTING " that holds"));
			at = strstr(rb_error(), "SHMEM_SYMMETRIC_SIZE to ");
			CU_ASSERT_PTR_NOT_NULL_FATAL(at);
			CU_ASSERT_EQUAL(sscanf(at, "SHMEM_SYMMETRIC_SIZE to %llu", &most), 1);
			CU_ASSERT_FATAL(most > 0);
			lay_out(most, locals);
			CU_ASSERT_EQUAL(rb_layout_fit(windows[i], SETTING), 0);
			CU_ASSERT_FALSE(rb_mem.by_frames);
			CU_ASSERT(rb_mem.lay.size <= windows[i]);
			lay_out(most + 1, locals);
			CU_ASSERT_EQUAL(rb_layout_fit(windows[i], SETTING), -ENOMEM);
		}
	}
}

/* Hosts with more ports have the blocks of those behind all that others reach, or before the heap
 * where windows do not show that. */
static void
test_more_ports(void)
{
	for (uint64_t window = 4 * MIB; window <= 256 * MIB; window *= 64) {
		struct rb_layout of_two;
		uint32_t chunk;

		lay_out(64 * MIB, 2);
		CU_ASSERT_EQUAL(rb_layout_fit(window, SETTING), 0);
		of_two = rb_mem.lay;
		chunk = rb.chunk;
		lay_out(64 * MIB, 2);
		rb.ports = 5;
		CU_ASSERT_EQUAL_FATAL(rb_layout(64 * MIB), 0);
		CU_ASSERT_EQUAL(rb_layout_fit(window, SETTING), 0);
		CU_ASSERT_EQUAL(rb.chunk, chunk);
		CU_ASSERT(rb_mem.lay.shown <= window);
		CU_ASSERT(rb_layout_reach(4) <= rb_mem.lay.shown);
		CU_ASSERT_EQUAL(memcmp(&rb_mem.lay, &of_two, offsetof(struct rb_layout, heap)), 0);
		CU_ASSERT_FALSE(rb_region_public(rb_mem.lay.ctl[2], 8));
		if (!rb_mem.by_frames)
			CU_ASSERT_EQUAL(rb_mem.lay.heap, of_two.heap);
	}
}

static void
test_frames(void)
{
	for (uint64_t window = MIB; window <= 4 * MIB; window *= 2) {
		uint32_t chunk;

		lay_out(64 * MIB, 2);
		CU_ASSERT_EQUAL(rb_layout_fit(window, SETTING), 0);
		CU_ASSERT_TRUE(rb_mem.by_frames);
		CU_ASSERT(rb.chunk >= 4 * KIB && rb.chunk < 128 * KIB);
		CU_ASSERT(rb_mem.lay.shown <= window);
		CU_ASSERT(rb_mem.lay.slot[1] + 4ull * 16 * rb.chunk <= rb_mem.lay.shown);
		CU_ASSERT(rb_mem.lay.heap >= rb_mem.lay.shown);
		CU_ASSERT_EQUAL(rb_seg_shown(RB_SEG_HEAP, 0), 0);
		CU_ASSERT_EQUAL(rb_seg_base(RB_SEG_HEAP, 1),
				rb_mem.lay.heap + rb_mem.lay.heap_span);
		CU_ASSERT_FALSE(rb_region_public(rb_mem.lay.heap, 8));
		/* the other PEs of the host repeat it */
		chunk = rb.chunk;
		CU_ASSERT_EQUAL(rb_layout_fit(window, SETTING), 0);
		CU_ASSERT_EQUAL(rb.chunk, chunk);
	}
}

/* A chunk that the user chose stays, and is refused by name where its slots have no room. */
static void
test_chunk_given(void)
{
	lay_out(64 * MIB, 1);
	rb.env.chunk_given = true;
	CU_ASSERT_EQUAL(rb_layout_fit(MIB, SETTING), -ENOMEM);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "does not hold the channels of "));
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "lower RINGBELL_CHUNK"));
	CU_ASSERT_FALSE(rb_mem.by_frames);
	lay_out(64 * MIB, 1);
	rb.env.chunk_given = true;
	rb.chunk = 4 * KIB;
	CU_ASSERT_EQUAL_FATAL(rb_layout(64 * MIB), 0);
	CU_ASSERT_EQUAL(rb_layout_fit(MIB, SETTING), 0);
	CU_ASSERT_TRUE(rb_mem.by_frames);
	/* rings that have no room whatever the chunk */
	lay_out(64 * MIB, 1);
	rb.channels = 12;
	rb.lcores = 8;
	CU_ASSERT_EQUAL(rb_layout_fit(MIB, SETTING), -ENOMEM);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "RINGBELL_LCORES"));
}

TEST_PROGRAM("layouts and windows", NULL, NULL, {"a window that shows all", test_fits},
	     {"both sides of the largest heap", test_both_sides},
	     {"hosts with more ports", test_more_ports}, {"no heap in the window", test_frames},
	     {"chunk of the user", test_chunk_given})
