/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "dma_fake.h"

#include <errno.h>
#include <string.h>

#include <rte_common.h>
#include <rte_dmadev_pmd.h>

struct fake *fake;

static int
fake_copy(void *priv, uint16_t vchan, rte_iova_t src, rte_iova_t dst, uint32_t len, uint64_t flags)
{
	unsigned int at = fake->head % ROOM;

	if (fake->head - fake->tail == ROOM)
		return -ENOSPC;
	fake->src[at] = (struct rte_dma_sge){.addr = src, .length = len};
	fake->dst[at] = (struct rte_dma_sge){.addr = dst, .length = len};
	fake->head++;
	fake->most = RTE_MAX(fake->most, fake->head - fake->tail);
	if ((flags & RTE_DMA_OP_FLAG_SUBMIT) != 0)
		fake->submitted = fake->head;
	return 0;
}

static int
fake_submit(void *priv, uint16_t vchan)
{
	fake->submitted = fake->head;
	return 0;
}

/* One operation; false: it fails, or there is none. */
static bool
step(void)
{
	unsigned int i = fake->tail % ROOM;

	if (fake->hold || fake->tail == fake->submitted || fake->bad == 0)
		return false;
	fake->tail++;
	if (!fake->dead_link)
		memcpy((void *)fake->dst[i].addr, (void *)fake->src[i].addr, fake->src[i].length);
	if (fake->bad >= 0)
		fake->bad--;
	return true;
}

static uint16_t
fake_completed(void *priv, uint16_t vchan, const uint16_t most, uint16_t *last, bool *error)
{
	*error = fake->bad == 0 && !fake->hold && fake->tail != fake->submitted;
	return most > 0 && step() ? 1 : 0;
}

static int
fake_info(const struct rte_dma_dev *dev, struct rte_dma_info *info, uint32_t size)
{
	info->dev_capa = RTE_DMA_CAPA_MEM_TO_MEM | RTE_DMA_CAPA_SVA | RTE_DMA_CAPA_OPS_COPY;
	info->max_vchans = 1;
	info->min_desc = info->max_desc = ROOM;
	return 0;
}

static int
fake_configure(struct rte_dma_dev *dev, const struct rte_dma_conf *conf, uint32_t size)
{
	return 0;
}

static int
fake_setup(struct rte_dma_dev *dev, uint16_t vchan, const struct rte_dma_vchan_conf *conf,
	   uint32_t size)
{
	return 0;
}

static int
fake_start(struct rte_dma_dev *dev)
{
	fake->stopped = false;
	fake->tail = fake->submitted = fake->head; /* what was under way is not done any more */
	return 0;
}

static int
fake_stop(struct rte_dma_dev *dev)
{
	fake->stopped = true;
	return 0;
}

static const struct rte_dma_dev_ops ops = {
	.dev_info_get = fake_info,
	.dev_configure = fake_configure,
	.dev_start = fake_start,
	.dev_stop = fake_stop,
	.vchan_setup = fake_setup,
};

int
fake_make(void)
{
	struct rte_dma_dev *dev = rte_dma_pmd_allocate("dma_fake", 0, sizeof(struct fake));
	static struct rte_device device = {.numa_node = 0};

	if (dev == NULL)
		return -ENOMEM;
	fake = dev->data->dev_private;
	dev->device = &device;
	dev->dev_ops = &ops;
	dev->fp_obj->dev_private = fake;
	dev->fp_obj->copy = fake_copy;
	dev->fp_obj->submit = fake_submit;
	dev->fp_obj->completed = fake_completed;
	dev->state = RTE_DMA_DEV_READY;
	return 0;
}
