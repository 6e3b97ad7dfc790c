/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/state.h"
#include "base/window.h"
#include "link/dma_dev.h"
#include "link/dma_queue.h"
#include "mem/layout.h"
#include "op/order.h"
#include "cases.h"
#include "dma_fake.h"
#include "eal.h"

/* Copies by a dmadev that does what a test wants. */

enum {
	SIZE = 4 * 1024 * 1024,
};

static uint8_t *from, *to;

/* A port whose window is @ref to, and behind it the neighbour's words. */
static void
link_up(void)
{
	static const struct ntb_port_ops ops;
	static struct ntb_port port = {.ops = &ops};
	static struct rb_ctl mine;
	struct rb_link *link = &rb.link[RB_PORT_PREV];

	port.window = to;
	link->port = &port;
	link->peer = to;
	link->mine = &mine;
	link->theirs = (struct rb_ctl *)(to + SIZE);
	link->up = true;
	rb_mem.lay.end = SIZE + sizeof(struct rb_ctl);
}

static void
open_fake(void)
{
	rb.env.dma = "dma_fake";
	CU_ASSERT_EQUAL_FATAL(rb_dma_open(), 0);
}

static void
plug(void)
{
	size_t i;

	*fake = (struct fake){.bad = NEVER};
	for (i = 0; i < SIZE; i++)
		from[i] = (uint8_t)(i * 13 + (i >> 8) + (i >> 16));
	memset(to, 0, SIZE);
	open_fake();
}

static void
unplug(void)
{
	rb_dma_drain();
	rb_dma_close();
	CU_ASSERT_TRUE(fake->stopped);
}

static void
put_returns_before(void)
{
	_Atomic uint32_t pending = 0;
	uint64_t before = rb_dma_copies();

	plug();
	fake->hold = true;
	CU_ASSERT_EQUAL(rb_dma_begin(to, from, SIZE - 5, &pending), SIZE - 5);
	CU_ASSERT_EQUAL(pending, SIZE / RB_DMA_PIECE);
	CU_ASSERT_EQUAL(to[0], 0);
	/* one that has to wait does not wait for others */
	CU_ASSERT_EQUAL(rb_dma_copy(to, from, 4096), 0);
	fake->hold = false;
	rb_dma_wait(&pending);
	CU_ASSERT_EQUAL(memcmp(to, from, SIZE - 5), 0);
	CU_ASSERT_EQUAL(to[SIZE - 5], 0);
	CU_ASSERT_EQUAL(rb_dma_copies(), before + 1);
	CU_ASSERT_EQUAL(rb_dma_copy(to + SIZE - 5, from + SIZE - 5, 5), 5);
	CU_ASSERT_EQUAL(memcmp(to, from, SIZE), 0);
	unplug();
}

static void
ordering_waits(void)
{
	struct rb_ctx *ctx = rb_ctx_default;

	plug();
	CU_ASSERT_EQUAL(rb_dma_begin(to, from, SIZE, &ctx->copying), SIZE);
	CU_ASSERT_EQUAL(to[0], 0);
	rb_fence(ctx);
	CU_ASSERT_EQUAL(ctx->copying, 0);
	CU_ASSERT_EQUAL(memcmp(to, from, SIZE), 0);
	memset(to, 0, SIZE);
	CU_ASSERT_EQUAL(rb_dma_begin(to, from, SIZE, &ctx->copying), SIZE);
	rb_quiet(ctx);
	CU_ASSERT_EQUAL(memcmp(to, from, SIZE), 0);
	/* nor does leaving forget one */
	memset(to, 0, SIZE);
	CU_ASSERT_EQUAL(rb_dma_begin(to, from, SIZE, &ctx->copying), SIZE);
	unplug();
	CU_ASSERT_EQUAL(memcmp(to, from, SIZE), 0);
}

static void
ring_is_bounded(void)
{
	_Atomic uint32_t pending = 0;
	size_t i;

	plug();
	fake->hold = true;
	for (i = 0; i < ROOM - 2; i++)
		CU_ASSERT_EQUAL(rb_dma_begin(to + i * 4096, from + i * 4096, 4096, &pending), 4096);
	CU_ASSERT_EQUAL(rb_dma_begin(to + i * 4096, from + i * 4096, SIZE / 2, &pending),
			2 * RB_DMA_PIECE);
	CU_ASSERT_EQUAL(rb_dma_begin(to, from, 4096, &pending), 0);
	CU_ASSERT_EQUAL(fake->most, ROOM);
	CU_ASSERT_EQUAL(pending, ROOM);
	fake->hold = false;
	rb_dma_wait(&pending);
	CU_ASSERT_EQUAL(memcmp(to, from, i * 4096 + 2 * RB_DMA_PIECE), 0);
	CU_ASSERT_EQUAL(to[i * 4096 + 2 * RB_DMA_PIECE], 0);
	CU_ASSERT_FALSE(fake->stopped);
	unplug();
}

/* Which operation fails, and that those behind it are done, whoever does them. */
static void
error_in(int bad)
{
	_Atomic uint32_t pending = 0;

	plug();
	fake->bad = bad;
	CU_ASSERT_EQUAL(rb_dma_begin(to, from, SIZE, &pending), SIZE);
	rb_dma_wait(&pending);
	CU_ASSERT_EQUAL(memcmp(to, from, SIZE), 0);
	CU_ASSERT_TRUE(fake->stopped);
	/* it is not asked again */
	CU_ASSERT_EQUAL(rb_dma_begin(to, from, SIZE, &pending), 0);
	CU_ASSERT_EQUAL(pending, 0);
	unplug();
}

static void
errors(void)
{
	int bad;

	for (bad = 0; bad < SIZE / RB_DMA_PIECE; bad += 5)
		error_in(bad);
}

static void
silence(void)
{
	_Atomic uint32_t pending = 0;
	size_t i;

	plug();
	fake->hold = true;
	for (i = 0; i < ROOM; i++)
		CU_ASSERT_EQUAL(rb_dma_begin(to + i * 4096, from + i * 4096, 4096, &pending), 4096);
	rb_dma_wait(&pending);
	CU_ASSERT_TRUE(fake->stopped);
	CU_ASSERT_EQUAL(memcmp(to, from, i * 4096), 0);
	unplug();
}

/* On trial, by an error or by what does not arrive, which the device does not know. */
static void
reaches_nothing(void)
{
	_Atomic uint32_t pending = 0;
	unsigned int posted;

	for (posted = 0; posted < 2; posted++) {
		memset(to, 0, SIZE + sizeof(struct rb_ctl));
		*fake = (struct fake){.bad = posted ? NEVER : 0, .dead_link = posted};
		open_fake();
		CU_ASSERT_FALSE(fake->stopped);
		CU_ASSERT_EQUAL(rb_dma_begin(to, from, SIZE, &pending), 0);
		CU_ASSERT_EQUAL(rb_dma_copy(to, from, SIZE), 0);
		unplug();
	}
}

static void *
copy_along(void *arg)
{
	size_t first = (size_t)arg, i;
	_Atomic uint32_t pending = 0;

	for (i = 0; i < 200; i++) {
		size_t at = first * (SIZE / 4) + i * 5000;

		if (rb_dma_begin(to + at, from + at, 5000, &pending) == 0)
			memcpy(to + at, from + at, 5000);
		if (i % 16 == first)
			rb_dma_wait(&pending);
	}
	rb_dma_wait(&pending);
	return NULL;
}

static void
threads(void)
{
	pthread_t thread[4];
	size_t i;

	plug();
	for (i = 0; i < 4; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[i], NULL, copy_along, (void *)i), 0);
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(
			memcmp(to + i * (SIZE / 4), from + i * (SIZE / 4), (size_t)200 * 5000), 0);
	unplug();
}

#ifdef RB_WEAK_WINDOW
static pthread_barrier_t met;

/* The copy fails, and this thread does it: what is in its buffers then stays there. */
static void *
repeat_failed(void *pending)
{
	rb_dma_wait(pending);
	pthread_barrier_wait(&met);
	pthread_barrier_wait(&met);
	return NULL;
}

/* A copy that was handed to a device is complete for a thread that flushes, whoever repeats it. */
static void
repeated_by_another(void)
{
	struct rb_link *link = &rb.link[RB_PORT_PREV];
	_Atomic uint32_t pending = 0;
	pthread_t thread;

	plug();
	link->wc = true;
	rb_weak_window(to, SIZE);
	fake->bad = 0;
	CU_ASSERT_EQUAL(rb_dma_begin(to, from, 2000, &pending), 2000);
	pthread_barrier_init(&met, NULL, 2);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, repeat_failed, &pending), 0);
	pthread_barrier_wait(&met);
	CU_ASSERT_EQUAL(pending, 0);
	CU_ASSERT_EQUAL(memcmp(to, from, 2000), 0);
	pthread_barrier_wait(&met);
	pthread_join(thread, NULL);
	link->wc = false;
	unplug();
}
#endif

static int
start(void)
{
	from = malloc(SIZE);
	to = aligned_alloc(_Alignof(struct rb_ctl), SIZE + sizeof(struct rb_ctl));
	if (from == NULL || to == NULL || start_eal("--log-level=lib.dmadev:4") < 0 ||
	    fake_make() < 0)
		return -1;
	memset(to, 0, SIZE + sizeof(struct rb_ctl));
	link_up();
	return 0;
}

int
main(void)
{
	static const struct test_case cases[] = {
		{"a put returns before it is complete", put_returns_before},
		{"fence, quiet and leaving wait", ordering_waits},
		{"a full ring takes no more", ring_is_bounded},
		{"errors", errors},
		{"a device that is silent", silence},
		{"a device that reaches no neighbour's memory", reaches_nothing},
		{"threads", threads},
#ifdef RB_WEAK_WINDOW
		{"a failed copy that another thread repeats", repeated_by_another},
#endif
	};
	const struct test_suite suite = {"dma", start, NULL, NULL, NULL};

	return run_cases(&suite, cases, RTE_DIM(cases));
}
