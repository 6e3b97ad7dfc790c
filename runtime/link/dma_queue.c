/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* dmadev is not yet of DPDK's stable interface in 22.11 */
#define ALLOW_EXPERIMENTAL_API

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <rte_common.h>

#include "base/state.h"
#include "base/thread.h"
#include "base/tsan.h"
#include "base/window.h"
#include "link/dma_dev.h"
#include "host/wait.h"
#include "mem/fastpath.h"
#include "link/dma_queue.h"

/*
 * A virtual channel may be used by one thread at a time, so a lock covers each call; it is not held
 * while a copy runs. dmadev reports the operations of a channel in the order in which they were
 * begun, so op[tail % RB_DMA_OPS] is reported next. Until then the entry keeps all that the CPU
 * needs to repeat the operation: a device may fail long after the put has returned.
 */

static _Atomic unsigned int next_engine;
static _Atomic uint64_t copies; /* completed copies; relaxed, because it orders nothing */

uint64_t
rb_dma_copies(void)
{
	return atomic_load_explicit(&copies, memory_order_relaxed);
}

/* ---- completion ---- */

static bool
claim_engine(struct rb_dma_engine *e)
{
	return !atomic_flag_test_and_set_explicit(&e->lock, memory_order_acquire);
}

static void
release_engine(struct rb_dma_engine *e)
{
	atomic_flag_clear_explicit(&e->lock, memory_order_release);
}

static uint32_t
ops_in_flight(const struct rb_dma_engine *e)
{
	return atomic_load_explicit(&e->head, memory_order_relaxed) -
	       atomic_load_explicit(&e->tail, memory_order_relaxed);
}

static bool
is_dead(const struct rb_dma_engine *e)
{
	return atomic_load_explicit(&e->dead, memory_order_relaxed);
}

/* Completes the oldest operation. @p by_device: the device did it; else the CPU does it here. */
static void
finish_oldest(struct rb_dma_engine *e, bool by_device)
{
	uint32_t tail = atomic_load_explicit(&e->tail, memory_order_relaxed);
	struct rb_dma_op *op = &e->op[tail % RB_DMA_OPS];

	if (!by_device) {
		if (!rb_win_stored(op->dst, op->src, op->len))
			rb_store(op->dst, op->src, op->len);
		/* this may be another thread than the one whose copy it is, which flushes */
		rb_win_wmb(&rb.link[op->port]);
	} else if (op->end) {
		atomic_fetch_add_explicit(&copies, 1, memory_order_relaxed);
	}
	atomic_store_explicit(&e->tail, tail + 1, memory_order_relaxed);
	/* last access: the counter may be on the waiter's stack. Release: pairs with
	 * rb_dma_wait() */
	atomic_fetch_sub_explicit(op->pending, 1, memory_order_release);
}

/* A device that has failed once is not used again. It is stopped first: it must not store anything
 * after the CPU's copy. @return number of operations that this call completed */
static unsigned int
give_up(struct rb_dma_engine *e, int err)
{
	unsigned int n = ops_in_flight(e);

	atomic_store_explicit(&e->dead, true, memory_order_relaxed);
	rte_dma_stop(e->id);
	fprintf(stderr, "ringbell: PE %d: dmadev %s: %s; not used any more\n", rb.pe, e->name,
		err == -ETIMEDOUT ? "no completion in 2 s" : strerror(-err));
	while (ops_in_flight(e) > 0)
		finish_oldest(e, false);
	return n;
}

/* Lock held. @return number of operations that this call completed */
static unsigned int
reap_completed(struct rb_dma_engine *e)
{
	bool error = false;
	unsigned int n, i;

	if (ops_in_flight(e) == 0)
		return 0;
	n = rte_dma_completed(e->id, 0, (uint16_t)ops_in_flight(e), NULL, &error);
	rb_tsan_acquire();
	for (i = 0; i < n; i++)
		finish_oldest(e, true);
	if (error && ops_in_flight(e) > 0)
		n += give_up(e, -EIO);
	if (n > 0)
		e->moved = rb_now_ns();
	return n;
}

/* Lock held, by a thread that has waited since @p since. A device without completions for
 * RB_DMA_PATIENCE_MS has failed; the time counts from @p since at the earliest, because nobody may
 * have polled the device before. */
static unsigned int
reap_or_fail(struct rb_dma_engine *e, uint64_t since)
{
	unsigned int n = reap_completed(e);

	if (n > 0 || ops_in_flight(e) == 0 ||
	    rb_now_ns() - RTE_MAX(since, e->moved) < RB_DMA_PATIENCE_MS * 1000000ull)
		return n;
	return give_up(e, -ETIMEDOUT);
}

static void
reap_engines(uint64_t since)
{
	unsigned int i;

	for (i = 0; i < rb_dma_count; i++) {
		struct rb_dma_engine *e = &rb_dma_engines[i];

		if (ops_in_flight(e) == 0 || !claim_engine(e))
			continue;
		reap_or_fail(e, since);
		release_engine(e);
	}
}

void
rb_dma_wait(_Atomic uint32_t *pending)
{
	struct rb_wait w = {.inner = true};
	uint64_t since;

	if (likely(atomic_load_explicit(pending, memory_order_acquire) == 0))
		return;
	since = rb_now_ns();
	while (atomic_load_explicit(pending, memory_order_acquire) != 0) {
		reap_engines(since);
		rb_wait_turn(&w);
	}
	rb_wait_end(&w);
}

void
rb_dma_drain(void)
{
	struct rb_wait w = {.inner = true};
	uint64_t since = rb_now_ns();
	unsigned int i;

	for (i = 0; i < rb_dma_count; i++) {
		while (ops_in_flight(&rb_dma_engines[i]) > 0) {
			reap_engines(since);
			rb_wait_turn(&w);
		}
	}
	rb_wait_end(&w);
}

/* ---- start ---- */

/* Lock held. Begin the next piece of a copy, @p len bytes in all, on a device that has these
 * addresses for it. @return its bytes, or -errno */
static ssize_t
begin_piece(struct rb_dma_engine *e, const struct rb_dma_op *copy, rte_iova_t dst, rte_iova_t src)
{
	size_t len = RTE_MIN(copy->len, (size_t)RB_DMA_PIECE);
	uint32_t head = atomic_load_explicit(&e->head, memory_order_relaxed);
	struct rb_dma_op *op = &e->op[head % RB_DMA_OPS];
	int ret;

	ret = ops_in_flight(e) == RB_DMA_OPS ? -ENOSPC
					     : rte_dma_copy(e->id, 0, src, dst, (uint32_t)len, 0);
	if (ret < 0)
		return ret;
	*op = *copy;
	op->len = len;
	op->end = len == copy->len;
	atomic_fetch_add_explicit(op->pending, 1, memory_order_relaxed);
	atomic_store_explicit(&e->head, head + 1, memory_order_relaxed);
	return (ssize_t)len;
}

/* Lock held. @return bytes that the device copies, from the first one on: as many as its ring has
 * room for */
static size_t
enqueue_copy(struct rb_dma_engine *e, struct rb_dma_op copy, rte_iova_t dst, rte_iova_t src)
{
	size_t all = copy.len;
	ssize_t ret = 0;

	rb_tsan_release();
	if (ops_in_flight(e) == 0)
		e->moved = rb_now_ns();
	while (copy.len > 0 && (ret = begin_piece(e, &copy, dst, src)) > 0) {
		copy.dst += ret;
		copy.src += ret;
		copy.len -= (size_t)ret;
		dst += (size_t)ret;
		src += (size_t)ret;
	}
	if (ret >= 0 || ret == -ENOSPC)
		ret = rte_dma_submit(e->id, 0);
	if (ret < 0)
		give_up(e, (int)ret);
	return all - copy.len;
}

/* @p idle: only a device without operations under way. NULL: none is free, and a copy by the CPU is
 * as fast as waiting. */
static struct rb_dma_engine *
choose_engine(unsigned int port, bool idle)
{
	unsigned int first = atomic_fetch_add_explicit(&next_engine, 1, memory_order_relaxed), i;

	for (i = 0; i < rb_dma_count; i++) {
		struct rb_dma_engine *e = &rb_dma_engines[(first + i) % rb_dma_count];

		if ((e->ports & 1u << port) == 0 || is_dead(e) || !claim_engine(e))
			continue;
		/* completed operations make room, and their counters go down: nobody else polls
		 * before a wait */
		reap_completed(e);
		if (!(idle && ops_in_flight(e) > 0) && !is_dead(e))
			return e;
		release_engine(e);
	}
	return NULL;
}

static size_t
begin_copy(void *dst, const void *src, size_t len, _Atomic uint32_t *pending, bool idle)
{
	struct rb_dma_op copy = {.dst = dst, .src = src, .len = len, .pending = pending};
	struct rb_dma_engine *e;
	rte_iova_t to, from;
	size_t taken = 0;

	copy.port = (uint8_t)rb_dma_port(dst, len);
	if (copy.port == RB_DMA_HERE)
		return 0;
	e = choose_engine(copy.port, idle);
	if (e == NULL)
		return 0;
	if (rb_dma_address(e, src, len, &from) && rb_dma_address(e, dst, len, &to))
		taken = enqueue_copy(e, copy, to, from);
	release_engine(e);
	return taken;
}

size_t
rb_dma_begin(void *dst, const void *src, size_t len, _Atomic uint32_t *pending)
{
	return begin_copy(dst, src, len, pending, false);
}

size_t
rb_dma_copy(void *dst, const void *src, size_t len)
{
	_Atomic uint32_t pending = 0;
	size_t taken = begin_copy(dst, src, len, &pending, true);

	rb_dma_wait(&pending);
	return taken;
}
