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
	struct plx_dma_slot *slot = &d->slot[d->head & d->mask];

	desc->addr_hi = rte_cpu_to_le_32((uint32_t)(src >> 32) << 16 | (uint32_t)(dst >> 32));
	desc->dst_lo = rte_cpu_to_le_32((uint32_t)dst);
	desc->src_lo = rte_cpu_to_le_32((uint32_t)src);
	/* not valid: that is submit's. Atomic, as the chip may be looking for a valid one here. */
	__atomic_store_n(&desc->flags_len, rte_cpu_to_le_32(len), __ATOMIC_RELAXED);
	slot->len = len;
	slot->last = false;
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

/* The descriptors since the operation before make one; its index. */
static int
end_op(struct plx_dma *d, uint64_t flags)
{
	uint16_t idx = d->next_idx++;

	d->slot[(d->head - 1) & d->mask].last = true;
	d->stats.submitted++;
	if (flags & RTE_DMA_OP_FLAG_SUBMIT)
		plx_dma_submit(d, 0);
	return idx;
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
	return end_op(d, flags);
}

/* Pair up two lists: gives the descriptors that takes, or -EINVAL. Fills them if @p fill. */
static int
pair_lists(struct plx_dma *d, const struct rte_dma_sge *src, const struct rte_dma_sge *dst,
	   const uint16_t nb[2], bool fill)
{
	uint32_t so = 0, po = 0;
	uint16_t s = 0, p = 0;
	int n = 0;

	while (s < nb[0] && p < nb[1]) {
		uint32_t len = RTE_MIN(src[s].length - so, dst[p].length - po);

		if (len > PLX_DMA_DESC_LEN || !addr_fits(src[s].addr + so, len) ||
		    !addr_fits(dst[p].addr + po, len))
			return -EINVAL;
		if (len != 0) {
			if (fill)
				put_desc(d, src[s].addr + so, dst[p].addr + po, len);
			n++;
		}
		so += len;
		po += len;
		if (so == src[s].length) {
			s++;
			so = 0;
		}
		if (po == dst[p].length) {
			p++;
			po = 0;
		}
	}
	while (s < nb[0] && src[s].length == 0)
		s++;
	while (p < nb[1] && dst[p].length == 0)
		p++;
	return s == nb[0] && p == nb[1] && n != 0 ? n : -EINVAL;
}

static int
plx_dma_copy_sg(void *dev_private, uint16_t vchan, const struct rte_dma_sge *src,
		const struct rte_dma_sge *dst, uint16_t nb_src, uint16_t nb_dst, uint64_t flags)
{
	struct plx_dma *d = dev_private;
	const uint16_t nb[2] = {nb_src, nb_dst};
	int n;

	(void)vchan;
	if (unlikely(nb_src > PLX_DMA_MAX_SGES || nb_dst > PLX_DMA_MAX_SGES))
		return -EINVAL;
	n = pair_lists(d, src, dst, nb, false);
	if (unlikely(n < 0))
		return n;
	if (unlikely(ring_room(d) < (uint32_t)n))
		return -ENOSPC;
	if (unlikely((flags & RTE_DMA_OP_FLAG_FENCE) && wait_enqueued(d) < 0))
		return -EIO;
	(void)pair_lists(d, src, dst, nb, true);
	return end_op(d, flags);
}

static enum rte_dma_status_code
status_of(const struct plx_dma *d, uint32_t i, uint32_t word)
{
	if (word & PLX_DMA_DESC_READ_FAILED)
		return word & PLX_DMA_DESC_WRITE_FAILED ? RTE_DMA_STATUS_INVALID_OPCODE
							: RTE_DMA_STATUS_INVALID_SRC_ADDR;
	if (word & PLX_DMA_DESC_WRITE_FAILED)
		return RTE_DMA_STATUS_INVALID_DST_ADDR;
	if (!(word & PLX_DMA_DESC_DONE) || (word & PLX_DMA_DESC_LEN) != d->slot[i & d->mask].len)
		return RTE_DMA_STATUS_ERROR_UNKNOWN;
	return RTE_DMA_STATUS_SUCCESSFUL;
}

/* The oldest operation: number of its descriptors if all are through, else 0. */
static uint32_t
oldest_done(struct plx_dma *d, enum rte_dma_status_code *ret_status)
{
	uint32_t i;

	*ret_status = RTE_DMA_STATUS_SUCCESSFUL;
	for (i = d->tail; i != d->submitted; i++) {
		uint32_t word = desc_word(d, i);

		if (word & PLX_DMA_DESC_VALID)
			return 0;
		if (*ret_status == RTE_DMA_STATUS_SUCCESSFUL)
			*ret_status = status_of(d, i, word);
		if (d->slot[i & d->mask].last)
			return i + 1 - d->tail;
	}
	return 0;
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
report_op(struct plx_dma *d, uint32_t n, enum rte_dma_status_code status)
{
	d->tail += n;
	d->tail_idx++;
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
	while (done < nb_cpls) {
		uint32_t n = oldest_done(d, &status);

		if (n == 0)
			break;
		if (unlikely(status != RTE_DMA_STATUS_SUCCESSFUL)) {
			*has_error = true; /* stays until completed_status() has reported it */
			break;
		}
		report_op(d, n, status);
		done++;
	}
	if (done == 0)
		restart_idle(d);
	*last_idx = d->tail_idx - 1;
	return done;
}

static uint16_t
plx_dma_completed_status(void *dev_private, uint16_t vchan, const uint16_t nb_cpls,
			 uint16_t *last_idx, enum rte_dma_status_code *status)
{
	struct plx_dma *d = dev_private;
	uint16_t done = 0;

	(void)vchan;
	while (done < nb_cpls) {
		uint32_t n = oldest_done(d, &status[done]);

		if (n == 0)
			break;
		report_op(d, n, status[done]);
		done++;
	}
	if (done == 0)
		restart_idle(d);
	*last_idx = d->tail_idx - 1;
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
	fp->copy_sg = plx_dma_copy_sg;
	fp->submit = plx_dma_submit;
	fp->completed = plx_dma_completed;
	fp->completed_status = plx_dma_completed_status;
	fp->burst_capacity = plx_dma_burst_capacity;
}
