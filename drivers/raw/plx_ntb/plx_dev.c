/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <rte_common.h>
#include <rte_memzone.h>
#include <rte_pmd_ntb.h>
#include <rte_string_fns.h>

#include "plx_dev.h"
#include "plx_regs.h"

RTE_LOG_REGISTER(plx_ntb_logtype, pmd.raw.plx_ntb, NOTICE);

/* What a queue pair of DPDK's NTB programs takes of the window: per descriptor a 16-byte
 * descriptor and a 4-byte used entry, and the counters of both sides on lines of their own. */
static uint32_t
queue_bytes(const struct plx_dev *dev)
{
	return RTE_ALIGN(dev->queue_size * 20u, RTE_CACHE_LINE_SIZE) + 4 * RTE_CACHE_LINE_SIZE;
}

static int
dev_info_get(struct rte_rawdev *rawdev, rte_rawdev_obj_t obj, size_t size)
{
	struct plx_dev *dev = plx_dev_of(rawdev);

	if (dev->state == PLX_CLOSED)
		return -ENODEV;
	if (size == sizeof(struct ntb_port_info)) {
		struct ntb_port_info *info = obj;

		info->port = &dev->port;
		info->window_align = plx_chip_align(&dev->chip, dev->chip.window_size);
		info->window_size = dev->chip.window_size;
		strlcpy(info->location, dev->location, sizeof(info->location));
		return 0;
	}
	if (size == sizeof(struct ntb_dev_info)) {
		struct ntb_dev_info *info = obj;

		if (dev->queue_num == 0 || dev->queue_size == 0) {
			PLX_LOG(ERR, dev->name, "set the attributes %s and %s first",
				NTB_QUEUE_NUM_NAME, NTB_QUEUE_SZ_NAME);
			return -EAGAIN;
		}
		info->mw_cnt = RTE_DIM(dev->mw_size);
		info->mw_size = dev->mw_size;
		info->mw_size_align = 1;
		info->ntb_hdr_size = queue_bytes(dev) * dev->queue_num;
		return 0;
	}
	PLX_LOG(ERR, dev->name,
		"info_get: %zu bytes are neither struct ntb_port_info (%zu) nor ntb_dev_info (%zu)",
		size, sizeof(struct ntb_port_info), sizeof(struct ntb_dev_info));
	return -EINVAL;
}

static int
check_region(const struct plx_dev *dev, const struct ntb_port_config *r)
{
	uint64_t align = plx_chip_align(&dev->chip, r->len);

	if (r->va == NULL || r->len == 0 || r->iova + r->len < r->iova) {
		PLX_LOG(ERR, dev->name,
			"inbound region %p + 0x%" PRIx64 " at bus 0x%" PRIx64
			": no memory or beyond 64 bits",
			r->va, r->len, r->iova);
		return -EINVAL;
	}
	if (r->iova & (align - 1)) {
		PLX_LOG(ERR, dev->name,
			"inbound region at bus 0x%" PRIx64 " is not aligned to 0x%" PRIx64, r->iova,
			align);
		return -EINVAL;
	}
	return 0;
}

static int
configure_region(struct plx_dev *dev, const struct ntb_port_config *region)
{
	int ret;

	ret = check_region(dev, region);
	if (ret < 0)
		return ret;

	pthread_mutex_lock(&dev->lock);
	/* from here on the old region is out of the peer's reach, whatever comes */
	plx_chip_shut(&dev->chip);
	dev->state = PLX_PROBED;
	ret = dev->io->ops->mem_set(dev->io, region);
	if (ret < 0)
		goto unlock;
	plx_chip_inbound(&dev->chip, region->iova, region->len);
	ret = plx_chip_program(&dev->chip, false);
	if (ret < 0) {
		PLX_LOG(ERR, dev->name, "the chip does not keep its inbound translation");
		dev->io->ops->mem_clear(dev->io);
		plx_chip_inbound(&dev->chip, 0, 0);
		goto unlock;
	}
	dev->region = *region;
	dev->state = PLX_CONFIGURED;
unlock:
	pthread_mutex_unlock(&dev->lock);
	return ret;
}

/* DPDK's own form: the window is one memzone, queues follow. */
static int
configure_queues(struct plx_dev *dev, const struct ntb_dev_config *conf)
{
	const struct rte_memzone *mz;
	struct ntb_port_config region;
	int ret;

	if (conf->num_queues == 0 || conf->num_queues > PLX_QUEUES_MAX ||
	    conf->queue_size < NTB_MIN_DESC_SIZE || conf->queue_size > NTB_MAX_DESC_SIZE) {
		PLX_LOG(ERR, dev->name, "%u queues of %u; 1..%u of %u..%u are possible",
			conf->num_queues, conf->queue_size, PLX_QUEUES_MAX, NTB_MIN_DESC_SIZE,
			NTB_MAX_DESC_SIZE);
		return -EINVAL;
	}
	if (conf->mz_num != RTE_DIM(dev->mw_size) || conf->mz_list == NULL ||
	    conf->mz_list[0] == NULL) {
		PLX_LOG(ERR, dev->name, "%u memzones given, one per memory window (%zu) is needed",
			conf->mz_num, RTE_DIM(dev->mw_size));
		return -EINVAL;
	}
	mz = conf->mz_list[0];
	region = (struct ntb_port_config){
		.va = mz->addr,
		.iova = mz->iova,
		.len = mz->len,
		.fd = -1,
	};
	ret = configure_region(dev, &region);
	if (ret < 0)
		return ret;
	dev->queue_num = conf->num_queues;
	dev->queue_size = conf->queue_size;
	return 0;
}

static int
dev_configure(const struct rte_rawdev *rawdev, rte_rawdev_obj_t obj, size_t size)
{
	struct plx_dev *dev = plx_dev_of(rawdev);

	if (dev->state == PLX_CLOSED)
		return -ENODEV;
	if (obj != NULL && size == sizeof(struct ntb_port_config))
		return configure_region(dev, obj);
	if (obj != NULL && size == sizeof(struct ntb_dev_config))
		return configure_queues(dev, obj);
	PLX_LOG(ERR, dev->name,
		"configure: %zu bytes are neither struct ntb_port_config (%zu) nor ntb_dev_config "
		"(%zu)",
		size, sizeof(struct ntb_port_config), sizeof(struct ntb_dev_config));
	return -EINVAL;
}

static int
dev_start(struct rte_rawdev *rawdev)
{
	struct plx_dev *dev = plx_dev_of(rawdev);
	int ret;

	if (dev->state != PLX_CONFIGURED) {
		PLX_LOG(ERR, dev->name, "start: %s",
			dev->state == PLX_CLOSED ? "the device is closed"
						 : "configure an inbound region first");
		return dev->state == PLX_CLOSED ? -ENODEV : -EINVAL;
	}
	pthread_mutex_lock(&dev->lock);
	ret = dev->io->ops->master(dev->io, true);
	if (ret == 0) {
		/* doorbells of an earlier program on this adapter mean nothing to this one */
		plx_virt_write(&dev->chip, PLX_DB_MASK_SET, PLX_DB_BITS);
		plx_virt_write(&dev->chip, PLX_DB_CLEAR, PLX_DB_BITS);
		plx_chip_link_enable(&dev->chip, true);
		plx_chip_link_ack(&dev->chip);
		ret = plx_chip_program(&dev->chip, true);
	}
	if (ret == 0)
		dev->state = PLX_STARTED;
	pthread_mutex_unlock(&dev->lock);
	if (ret < 0)
		PLX_LOG(ERR, dev->name, "start: the chip does not take its set-up");
	return ret;
}

static void
dev_stop(struct rte_rawdev *rawdev)
{
	struct plx_dev *dev = plx_dev_of(rawdev);

	if (dev->state != PLX_STARTED)
		return;
	pthread_mutex_lock(&dev->lock);
	plx_chip_shut(&dev->chip);
	plx_chip_link_enable(&dev->chip, false); /* so that the peer notices */
	__atomic_store_n(&dev->link, NTB_LINK_DOWN, __ATOMIC_RELAXED);
	dev->state = PLX_CONFIGURED;
	pthread_mutex_unlock(&dev->lock);
}

static int
dev_close(struct rte_rawdev *rawdev)
{
	struct plx_dev *dev = plx_dev_of(rawdev);

	if (dev->state == PLX_CLOSED)
		return 0;
	pthread_mutex_lock(&dev->lock);
	plx_chip_inbound(&dev->chip, 0, 0);
	(void)plx_chip_program(&dev->chip, false); /* no translation survives its memory */
	(void)dev->io->ops->master(dev->io, false);
	dev->io->ops->mem_clear(dev->io);
	dev->io->ops->close(dev->io);
	dev->io = NULL;
	dev->port.window = NULL;
	dev->port.window_size = 0;
	dev->state = PLX_CLOSED;
	pthread_mutex_unlock(&dev->lock);
	return 0;
}

static int
dev_reset(struct rte_rawdev *rawdev)
{
	struct plx_dev *dev = plx_dev_of(rawdev);
	unsigned int i;
	int ret;

	if (dev->state == PLX_CLOSED)
		return -ENODEV;
	pthread_mutex_lock(&dev->lock);
	plx_virt_write(&dev->chip, PLX_DB_MASK_SET, PLX_DB_BITS);
	plx_virt_write(&dev->chip, PLX_DB_CLEAR, PLX_DB_BITS);
	for (i = 0; i < PLX_SPAD_COUNT; i++)
		plx_virt_write(&dev->chip, PLX_SPAD(i), 0);
	ret = plx_chip_program(&dev->chip, dev->state == PLX_STARTED);
	__atomic_store_n(&dev->link, NTB_LINK_DOWN, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&dev->lock);
	return ret;
}

static int
check_queue(const struct plx_dev *dev, uint16_t queue_id)
{
	if (dev->state == PLX_CLOSED)
		return -ENODEV;
	if (queue_id >= dev->queue_num) {
		PLX_LOG(ERR, dev->name, "queue %u of %u", queue_id, dev->queue_num);
		return -EINVAL;
	}
	return 0;
}

static int
queue_def_conf(struct rte_rawdev *rawdev, uint16_t queue_id, rte_rawdev_obj_t obj, size_t size)
{
	struct plx_dev *dev = plx_dev_of(rawdev);
	struct ntb_queue_conf *conf = obj;
	int ret = check_queue(dev, queue_id);

	if (ret < 0)
		return ret;
	if (conf == NULL || size != sizeof(*conf))
		return -EINVAL;
	*conf = (struct ntb_queue_conf){.nb_desc = dev->queue_size};
	return 0;
}

static int
queue_setup(struct rte_rawdev *rawdev, uint16_t queue_id, rte_rawdev_obj_t obj, size_t size)
{
	struct plx_dev *dev = plx_dev_of(rawdev);
	const struct ntb_queue_conf *conf = obj;
	int ret = check_queue(dev, queue_id);

	if (ret < 0)
		return ret;
	if (conf == NULL || size != sizeof(*conf) || conf->nb_desc < NTB_MIN_DESC_SIZE ||
	    conf->nb_desc > NTB_MAX_DESC_SIZE || conf->tx_free_thresh >= conf->nb_desc) {
		PLX_LOG(ERR, dev->name, "queue %u: %u..%u descriptors, free threshold below",
			queue_id, NTB_MIN_DESC_SIZE, NTB_MAX_DESC_SIZE);
		return -EINVAL;
	}
	if (conf->rx_mp == NULL) {
		PLX_LOG(ERR, dev->name, "queue %u: no mempool to receive into", queue_id);
		return -EINVAL;
	}
	PLX_LOG(ERR, dev->name,
		"queue %u: this driver moves no mbufs; store through the window of struct ntb_port",
		queue_id);
	return -ENOTSUP;
}

static int
queue_release(struct rte_rawdev *rawdev, uint16_t queue_id)
{
	return check_queue(plx_dev_of(rawdev), queue_id);
}

static uint16_t
queue_count(struct rte_rawdev *rawdev)
{
	return plx_dev_of(rawdev)->queue_num;
}

static int
dev_selftest(uint16_t dev_id)
{
	struct plx_dev *dev = plx_dev_of(&rte_rawdevs[dev_id]);
	int ret;

	if (dev->state == PLX_CLOSED)
		return -ENODEV;
	if (dev->state == PLX_STARTED) {
		PLX_LOG(ERR, dev->name, "selftest writes registers in use: stop the device first");
		return -EBUSY;
	}
	pthread_mutex_lock(&dev->lock);
	ret = plx_chip_selftest(&dev->chip);
	if (ret == 0)
		ret = plx_chip_program(&dev->chip, false);
	pthread_mutex_unlock(&dev->lock);
	return ret;
}

const struct rte_rawdev_ops plx_rawdev_ops = {
	.dev_info_get = dev_info_get,
	.dev_configure = dev_configure,
	.dev_start = dev_start,
	.dev_stop = dev_stop,
	.dev_close = dev_close,
	.dev_reset = dev_reset,
	.queue_def_conf = queue_def_conf,
	.queue_setup = queue_setup,
	.queue_release = queue_release,
	.queue_count = queue_count,
	.dump = plx_dev_dump,
	.attr_get = plx_dev_attr_get,
	.attr_set = plx_dev_attr_set,
	.xstats_get = plx_dev_xstats_get,
	.xstats_get_names = plx_dev_xstats_get_names,
	.xstats_get_by_name = plx_dev_xstats_get_by_name,
	.xstats_reset = plx_dev_xstats_reset,
	.dev_selftest = dev_selftest,
};
