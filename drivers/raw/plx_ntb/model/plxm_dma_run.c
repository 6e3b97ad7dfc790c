/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The DMA engine at work: the ring of descriptors in host memory. */

#include "plxm_dma_priv.h"

/* The registers that a step needs, read at once. */
struct view {
	uint64_t base;
	uint32_t next, count, ctl;
};

static uint64_t
desc_bus(const struct view *v)
{
	/* the pointers have no upper half: a ring lies within 4 GiB */
	return (v->base & ~0xFFFFFFFFull) | v->next;
}

static void
read_view(struct plxm_dma *d, struct view *v)
{
	v->base = (uint64_t)*plxm_dma_reg(d, HW_DMA_RING + 4) << 32 | *plxm_dma_reg(d, HW_DMA_RING);
	v->next = *plxm_dma_reg(d, HW_DMA_NEXT);
	v->count = *plxm_dma_reg(d, HW_DMA_COUNT);
	v->ctl = *plxm_dma_reg(d, HW_DMA_CTL);
}

/* Position in the ring, or count for a pointer that is outside. */
static uint32_t
ring_position(const struct view *v)
{
	uint32_t off = v->next - (uint32_t)v->base;

	return off / 16 < v->count ? off / 16 : v->count;
}

/* A pause or an abort that was asked for; between two descriptors. */
static bool
told_to_stop(struct plxm_dma *d)
{
	if (d->want_abort) {
		d->want_abort = false;
		d->want_pause = false;
		plxm_dma_idle(d, HW_DMA_ABORT_DONE);
	} else if (d->want_pause) {
		d->want_pause = false;
		plxm_dma_idle(d, HW_DMA_PAUSE_DONE);
	} else {
		return !d->running;
	}
	return true;
}

/* The next descriptor. False: the engine went idle. Drops the lock while it reads host memory. */
static bool
next_desc(struct plxm_dma *d, const struct view *v, uint32_t desc[4])
{
	uint32_t starts;
	bool good;

	do {
		starts = d->starts;
		pthread_mutex_unlock(&d->mu);
		good = ring_position(v) < v->count && plxm_dma_fetch(d, desc_bus(v), desc);
		pthread_mutex_lock(&d->mu);
		if (!d->running) /* reset meanwhile */
			return false;
		if (good && (desc[0] & HW_DESC_VALID))
			return true;
		/* a START after the fetch means that there may be one now */
	} while (good && starts != d->starts);
	plxm_dma_idle(d, HW_DMA_INVALID);
	return false;
}

static uint32_t
execute_desc(struct plxm_dma *d, const uint32_t desc[4], uint32_t *ret_failed)
{
	struct plxm_dma_job job = {
		.src = (uint64_t)(desc[1] >> 16) << 32 | desc[3],
		.dst = (uint64_t)(desc[1] & 0xFFFF) << 32 | desc[2],
		.len = desc[0] & HW_DESC_COUNT,
	};

	*ret_failed = HW_DESC_READ_FAILED | HW_DESC_WRITE_FAILED;
	if (desc[0] & (HW_DESC_EXTENDED | HW_DESC_HOLD))
		return 0;
	return plxm_dma_move(d, &job, ret_failed);
}

static void
finish_desc(struct plxm_dma *d, const struct view *v)
{
	uint32_t pos = ring_position(v) + 1;

	*plxm_dma_reg(d, HW_DMA_NEXT) = pos < v->count ? v->next + 16 : (uint32_t)v->base;
}

static bool
take_stall(struct plxm_dma *d)
{
	uint32_t n = atomic_load(&d->fault[PLXM_DMA_FAULT_STALL]);

	if (n == 0)
		return false;
	atomic_store(&d->fault[PLXM_DMA_FAULT_STALL], n - 1);
	plxm_dma_idle(d, 0);
	return true;
}

/* With d->mu held, dropped for everything that takes time. One descriptor, or false. */
static bool
run_step(struct plxm_dma *d)
{
	uint32_t desc[4], done, failed;
	struct view v;
	bool reset;

	if (told_to_stop(d))
		return false;
	read_view(d, &v);
	if (HW_DMA_MODE(v.ctl) != 2) {
		plxm_dma_idle(d, HW_DMA_INVALID);
		return false;
	}
	if (!next_desc(d, &v, desc) || take_stall(d))
		return false;
	pthread_mutex_unlock(&d->mu);
	done = execute_desc(d, desc, &failed);
	/* an aborted descriptor stays the next one, and is not reported */
	reset = atomic_load(&d->abort) != 0;
	if (!reset && (v.ctl & HW_DMA_WRITE_BACK)) {
		uint32_t word = done | (desc[0] & HW_DESC_EXTENDED) |
				(failed != 0 ? failed : HW_DESC_SUCCESS);

		(void)plxm_dma_write_back(d, desc_bus(&v), word);
	}
	pthread_mutex_lock(&d->mu);
	/* the function may have been reset meanwhile */
	if (!reset && d->running)
		finish_desc(d, &v);
	return true;
}

unsigned int
plxm_dma_run(struct plxm_dma *d, unsigned int max)
{
	unsigned int n = 0;

	if (atomic_load(&d->fault[PLXM_DMA_FAULT_STUCK]) != 0)
		return 0;
	pthread_mutex_lock(&d->engine);
	pthread_mutex_lock(&d->mu);
	while (n < max && run_step(d))
		n++;
	pthread_mutex_unlock(&d->mu);
	pthread_mutex_unlock(&d->engine);
	return n;
}
