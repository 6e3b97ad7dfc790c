/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* dmadev: enqueue, submit, complete. */

#include <errno.h>

#include <rte_branch_prediction.h>
#include <rte_byteorder.h>
#include <rte_cycles.h>
#include <rte_io.h>
#include <rte_pause.h>

#include "plx_dma.h"

enum {
	IDLE_POLLS = 1024,
	FENCE_MS = 1000,
};

/* The chip stops at a descriptor that is not valid; every batch starts it, harmless where it runs.
 * The lower half only: the upper one holds tuning. */
static void
start_ring(struct plx_dma *d)
{
	rte_io_wmb(); /* descriptors are in memory before the chip looks for them */
	d->io->ops->wr16(d->io, PLX_DMA_CTL,
			 PLX_DMA_CTL_STATUS | PLX_DMA_CTL_HOST_RING | PLX_DMA_CTL_WRITE_BACK |
				 PLX_DMA_CTL_START);
}

static uint32_t
ring_room(const struct plx_dma *d)
{
	return d->nb_desc - (d->head - d->tail);
}

static bool
addr_fits(rte_iova_t addr, uint32_t len)
{
	return addr >> PLX_DMA_ADDR_BITS == 0 && (addr + len) >> PLX_DMA_ADDR_BITS == 0;
}

static void
put_desc(struct plx_dma *d, rte_iova_t src, rte_iova_t dst, uint32_t len)
{
	struct plx_dma_desc *desc = &d->ring[d->head & d->mask];

	desc->addr_hi = rte_cpu_to_le_32((uint32_t)(src >> 32) << 16 | (uint32_t)(dst >> 32));
	desc->dst_lo = rte_cpu_to_le_32((uint32_t)dst);
	desc->src_lo = rte_cpu_to_le_32((uint32_t)src);
	/* not valid: that is submit's. Atomic, as the chip may be looking for a valid one here. */
	__atomic_store_n(&desc->flags_len, rte_cpu_to_le_32(len), __ATOMIC_RELAXED);
	d->len[d->head & d->mask] = len;
	d->head++;
}

static int
plx_dma_submit(void *dev_private, uint16_t vchan)
{
	struct plx_dma *d = dev_private;
	uint32_t first = d->submitted, i;

	(void)vchan;
	if (first == d->head)
		return 0;
	/* The first of them last: a chip that reads ahead finds the batch whole. Each release is
	 * after what put_desc() wrote; it pairs with the chip's read of a valid descriptor. */
	for (i = d->head; i-- != first;) {
		uint32_t *word = &d->ring[i & d->mask].flags_len;

		__atomic_store_n(word, *word | rte_cpu_to_le_32(PLX_DMA_DESC_VALID),
				 __ATOMIC_RELEASE);
	}
	d->submitted = d->head;
	start_ring(d);
	return 0;
}

static uint32_t
desc_word(struct plx_dma *d, uint32_t i)
{
	/* pairs with the chip's write-back, which comes after the data */
	return rte_le_to_cpu_32(__atomic_load_n(&d->ring[i & d->mask].flags_len, __ATOMIC_ACQUIRE));
}

/* A fence orders an operation after all that were enqueued before. The chip may read for one
 * descriptor before it has written the last byte of another. So this waits for all of them. */
static int
wait_enqueued(struct plx_dma *d)
{
	uint64_t end = rte_get_timer_cycles() + rte_get_timer_hz() * FENCE_MS / 1000;

	plx_dma_submit(d, 0);
	while (d->tail != d->head && (desc_word(d, d->head - 1) & PLX_DMA_DESC_VALID)) {
		if (rte_get_timer_cycles() > end)
			return -EIO;
		rte_pause();
	}
	return 0;
}

static int
plx_dma_copy(void *dev_private, uint16_t vchan, rte_iova_t src, rte_iova_t dst, uint32_t length,
	     uint64_t flags)
{
	struct plx_dma *d = dev_private;

	(void)vchan;
	if (unlikely(length > PLX_DMA_DESC_LEN || !addr_fits(src, length) ||
		     !addr_fits(dst, length)))
		return -EINVAL;
	if (unlikely(ring_room(d) == 0))
		return -ENOSPC;
	if (unlikely((flags & RTE_DMA_OP_FLAG_FENCE) && wait_enqueued(d) < 0))
		return -EIO;
	put_desc(d, src, dst, length);
	d->stats.submitted++;
	if (flags & RTE_DMA_OP_FLAG_SUBMIT)
		plx_dma_submit(d, 0);
	return (uint16_t)(d->head - 1);
}

static enum rte_dma_status_code
status_of(const struct plx_dma *d, uint32_t i, uint32_t word)
{
	if (word & PLX_DMA_DESC_READ_FAILED)
		return word & PLX_DMA_DESC_WRITE_FAILED ? RTE_DMA_STATUS_INVALID_OPCODE
							: RTE_DMA_STATUS_INVALID_SRC_ADDR;
	if (word & PLX_DMA_DESC_WRITE_FAILED)
		return RTE_DMA_STATUS_INVALID_DST_ADDR;
	if (!(word & PLX_DMA_DESC_DONE) || (word & PLX_DMA_DESC_LEN) != d->len[i & d->mask])
		return RTE_DMA_STATUS_ERROR_UNKNOWN;
	return RTE_DMA_STATUS_SUCCESSFUL;
}

/* Is the oldest operation through? */
static bool
oldest_done(struct plx_dma *d, enum rte_dma_status_code *ret_status)
{
	uint32_t word;

	if (d->tail == d->submitted)
		return false;
	word = desc_word(d, d->tail);
	if (word & PLX_DMA_DESC_VALID)
		return false;
	*ret_status = status_of(d, d->tail, word);
	return true;
}

/* Erratum: under many small descriptors the chip may go idle before valid ones. */
static void
restart_idle(struct plx_dma *d)
{
	if (d->tail == d->submitted || ++d->idle % IDLE_POLLS != 0)
		return;
	if (!(plx_dma_rd32(d, PLX_DMA_CTL) & PLX_DMA_CTL_BUSY))
		start_ring(d);
}

static void
report_op(struct plx_dma *d, enum rte_dma_status_code status)
{
	d->tail++;
	d->idle = 0;
	d->stats.completed++;
	d->stats.errors += status != RTE_DMA_STATUS_SUCCESSFUL;
}

static uint16_t
plx_dma_completed(void *dev_private, uint16_t vchan, const uint16_t nb_cpls, uint16_t *last_idx,
		  bool *has_error)
{
	struct plx_dma *d = dev_private;
	enum rte_dma_status_code status;
	uint16_t done = 0;

	(void)vchan;
	while (done < nb_cpls && oldest_done(d, &status)) {
		if (unlikely(status != RTE_DMA_STATUS_SUCCESSFUL)) {
			*has_error = true; /* stays until completed_status() has reported it */
			break;
		}
		report_op(d, status);
		done++;
	}
	if (done == 0)
		restart_idle(d);
	*last_idx = (uint16_t)(d->tail - 1);
	return done;
}

static uint16_t
plx_dma_completed_status(void *dev_private, uint16_t vchan, const uint16_t nb_cpls,
			 uint16_t *last_idx, enum rte_dma_status_code *status)
{
	struct plx_dma *d = dev_private;
	uint16_t done = 0;

	(void)vchan;
	while (done < nb_cpls && oldest_done(d, &status[done])) {
		report_op(d, status[done]);
		done++;
	}
	if (done == 0)
		restart_idle(d);
	*last_idx = (uint16_t)(d->tail - 1);
	return done;
}

static uint16_t
plx_dma_burst_capacity(const void *dev_private, uint16_t vchan)
{
	(void)vchan;
	return ring_room(dev_private);
}

void
plx_dma_path_set(struct rte_dma_fp_object *fp)
{
	fp->copy = plx_dma_copy;
	fp->submit = plx_dma_submit;
	fp->completed = plx_dma_completed;
	fp->completed_status = plx_dma_completed_status;
	fp->burst_capacity = plx_dma_burst_capacity;
}
