/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* dmadev: control calls. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_malloc.h>
#include <rte_string_fns.h>

#include "plx_dma.h"
#include "ntb_log.h"

enum {
	STOP_MS = 1000,
};

static struct plx_dma *
dma_of(const struct rte_dma_dev *dev)
{
	return dev->data->dev_private;
}

static int
dma_info_get(const struct rte_dma_dev *dev, struct rte_dma_info *info, uint32_t size)
{
	(void)dev;
	(void)size;
	info->dev_capa =
		RTE_DMA_CAPA_MEM_TO_MEM | RTE_DMA_CAPA_HANDLES_ERRORS | RTE_DMA_CAPA_OPS_COPY;
	info->max_vchans = 1;
	info->max_desc = PLX_DMA_MAX_DESC;
	info->min_desc = PLX_DMA_MIN_DESC;
	return 0;
}

static int
dma_configure(struct rte_dma_dev *dev, const struct rte_dma_conf *conf, uint32_t size)
{
	(void)dev;
	(void)conf; /* the library has checked it against dma_info_get() */
	(void)size;
	return 0;
}

static void
free_ring(struct plx_dma *d)
{
	rte_memzone_free(d->mz);
	rte_free(d->len);
	d->mz = NULL;
	d->ring = NULL;
	d->len = NULL;
}

static int
dma_vchan_setup(struct rte_dma_dev *dev, uint16_t vchan, const struct rte_dma_vchan_conf *conf,
		uint32_t size)
{
	struct plx_dma *d = dma_of(dev);
	char name[RTE_MEMZONE_NAMESIZE];
	uint32_t slots;
	size_t bytes;

	(void)vchan;
	(void)size;
	free_ring(d);
	/* erratum: the ring must be larger than full by the descriptors that the chip reads ahead
	 */
	slots = rte_align32pow2(conf->nb_desc + PLX_DMA_FETCH + 1);
	bytes = slots * sizeof(*d->ring);
	snprintf(name, sizeof(name), "plx_dma_ring_%d", dev->data->dev_id);
	/* aligned to its size it cannot cross 4 GiB, which the chip's pointers cannot either */
	d->mz = rte_memzone_reserve_aligned(name, bytes, dev->data->numa_node,
					    RTE_MEMZONE_IOVA_CONTIG, bytes);
	d->len =
		rte_zmalloc_socket("plx_dma_len", slots * sizeof(*d->len), 0, dev->data->numa_node);
	if (d->mz == NULL || d->len == NULL) {
		free_ring(d);
		return -ENOMEM;
	}
	d->ring = d->mz->addr;
	d->mask = slots - 1;
	d->nb_desc = conf->nb_desc;
	return 0;
}

static int
dma_start(struct rte_dma_dev *dev)
{
	struct plx_dma *d = dma_of(dev);

	if (d->ring == NULL) {
		NTB_LOG(ERR, d->name, "start: set up the vchan first");
		return -EINVAL;
	}
	memset(d->ring, 0, (d->mask + 1) * sizeof(*d->ring));
	d->head = 0;
	d->submitted = 0;
	d->tail = 0;
	plx_dma_wr32(d, PLX_DMA_CTL, PLX_DMA_CTL_STATUS);
	plx_dma_wr32(d, PLX_DMA_INT, PLX_DMA_INT_STATUS); /* polled: no interrupt enabled */
	plx_dma_wr32(d, PLX_DMA_RING_LO, (uint32_t)d->mz->iova);
	plx_dma_wr32(d, PLX_DMA_RING_HI, (uint32_t)(d->mz->iova >> 32));
	plx_dma_wr32(d, PLX_DMA_NEXT, (uint32_t)d->mz->iova);
	plx_dma_wr32(d, PLX_DMA_COUNT, d->mask + 1);
	plx_dma_wr32(d, PLX_DMA_PREFETCH, PLX_DMA_FETCH);
	if (plx_dma_rd32(d, PLX_DMA_COUNT) != d->mask + 1) {
		NTB_LOG(ERR, d->name, "start: the channel does not take its ring");
		return -EIO;
	}
	return 0;
}

static bool
wait_for(struct plx_dma *d, uint32_t bit)
{
	uint64_t end = rte_get_timer_cycles() + rte_get_timer_hz() * STOP_MS / 1000;

	do {
		if (plx_dma_rd32(d, PLX_DMA_CTL) & bit)
			return true;
		rte_delay_us_sleep(1);
	} while (rte_get_timer_cycles() < end);
	return false;
}

/* After the descriptor under way, if it takes no second; else at once. */
static int
dma_stop(struct rte_dma_dev *dev)
{
	struct plx_dma *d = dma_of(dev);
	int ret = 0;

	d->io->ops->wr16(d->io, PLX_DMA_CTL, PLX_DMA_CTL_PAUSE);
	if (!wait_for(d, PLX_DMA_CTL_PAUSE_DONE)) {
		d->io->ops->wr16(d->io, PLX_DMA_CTL, PLX_DMA_CTL_ABORT);
		if (!wait_for(d, PLX_DMA_CTL_ABORT_DONE)) {
			NTB_LOG(ERR, d->name,
				"stop: the channel answers neither pause nor abort; its memory "
				"is not safe until the chip is reset");
			ret = -EIO;
		}
	}
	d->io->ops->wr16(d->io, PLX_DMA_CTL, PLX_DMA_CTL_STATUS);
	plx_dma_wr32(d, PLX_DMA_COUNT, 0);
	return ret;
}

/* The library closes no device that it has not stopped. */
static int
dma_close(struct rte_dma_dev *dev)
{
	struct plx_dma *d = dma_of(dev);

	d->io->ops->close(d->io);
	free_ring(d);
	return 0;
}

static int
dma_stats_get(const struct rte_dma_dev *dev, uint16_t vchan, struct rte_dma_stats *stats,
	      uint32_t size)
{
	(void)vchan;
	(void)size;
	*stats = dma_of(dev)->stats;
	return 0;
}

static int
dma_stats_reset(struct rte_dma_dev *dev, uint16_t vchan)
{
	(void)vchan;
	dma_of(dev)->stats = (struct rte_dma_stats){0};
	return 0;
}

static const struct rte_dma_dev_ops dma_ops = {
	.dev_info_get = dma_info_get,
	.dev_configure = dma_configure,
	.dev_start = dma_start,
	.dev_stop = dma_stop,
	.dev_close = dma_close,
	.vchan_setup = dma_vchan_setup,
	.stats_get = dma_stats_get,
	.stats_reset = dma_stats_reset,
};

int
plx_dma_create(struct rte_device *device, const char *name, struct plx_dma_io *io)
{
	struct rte_dma_dev *dev;
	struct plx_dma *d;

	dev = rte_dma_pmd_allocate(name, device->numa_node, sizeof(*d));
	if (dev == NULL) {
		NTB_LOG(ERR, name, "no room for one more dmadev");
		return -ENOMEM;
	}
	d = dma_of(dev);
	d->io = io;
	strlcpy(d->name, name, sizeof(d->name));
	dev->device = device;
	dev->dev_ops = &dma_ops;
	dev->fp_obj->dev_private = d;
	plx_dma_path_set(dev->fp_obj);
	dev->state = RTE_DMA_DEV_READY;
	return 0;
}
