/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_atomic.h>
#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_memzone.h>
#include <rte_pmd_ntb.h>
#include <rte_string_fns.h>

#include "plx_dev.h"
#include "ntb_log.h"

enum {
	LINK_DOWN_MS = 100, /* until a port that is switched off has no lanes, at most */
};

static int
dev_info_get(struct rte_rawdev *rawdev, rte_rawdev_obj_t obj, size_t size)
{
	struct plx_dev *dev = plx_dev_of(rawdev);
	struct ntb_dev_info *queues = obj;
	struct ntb_port_info *port = obj;
	int ret;

	if (size != sizeof(*queues)) {
		ret = ntb_rawdev_calls.dev_info_get(rawdev, obj, size);
		if (ret == 0)
			strlcpy(port->location, rawdev->device->name, sizeof(port->location));
		return ret;
	}
	if (dev->raw.closed)
		return -ENODEV;
	if (dev->q.asked_num == 0 || dev->q.asked_size == 0) {
		NTB_LOG(ERR, dev->raw.name, "set the attributes %s and %s first",
			NTB_QUEUE_NUM_NAME, NTB_QUEUE_SZ_NAME);
		return -EAGAIN;
	}
	queues->mw_cnt = RTE_DIM(dev->mw_size);
	queues->mw_size = dev->mw_size;
	/* an A-LUT slice is small enough for the driver to shift the zone within one */
	queues->mw_size_align = dev->chip.alut_entries == 0;
	queues->ntb_hdr_size = ntb_ring_bytes(dev->q.asked_size) * dev->q.asked_num;
	return 0;
}

static int
check_region(const struct plx_dev *dev, const struct ntb_port_config *r, uint64_t lead)
{
	uint64_t align = plx_chip_align(&dev->chip, r->len + lead);

	if (r->iova + r->len < r->iova) {
		NTB_LOG(ERR, dev->raw.name,
			"inbound region 0x%" PRIx64 " at bus 0x%" PRIx64 ": beyond 64 bits", r->len,
			r->iova);
		return -EINVAL;
	}
	if ((r->iova - lead) & (align - 1)) {
		NTB_LOG(ERR, dev->raw.name,
			"inbound region at bus 0x%" PRIx64 " is not aligned to 0x%" PRIx64, r->iova,
			align);
		return -EINVAL;
	}
	return 0;
}

/* A program that was killed leaves its port open. If its peer looks again only when this one has
 * memory there, it takes this one for the old one. So it sees a lost link, as after a stop. */
static void
drop_old_link(struct plx_dev *dev)
{
	struct plx_link_state now;
	unsigned int ms;

	if (dev->raw.configured || !plx_chip_is_open(&dev->chip))
		return;
	plx_chip_link_enable(&dev->chip, false);
	for (ms = 0; ms < LINK_DOWN_MS; ms++) {
		plx_chip_link_state(&dev->chip, &now);
		if (now.width == 0)
			return;
		rte_delay_us_sleep(1000);
	}
}

/* @p lead: how far into the window the region begins, where its address is not aligned. */
static int
configure_region(struct plx_dev *dev, const struct ntb_port_config *region, uint64_t lead)
{
	int ret;

	ret = check_region(dev, region, lead);
	if (ret < 0)
		return ret;

	ntb_queues_unwatch(&dev->q);
	pthread_mutex_lock(&dev->lock);
	if (dev->q.open)
		ntb_queues_leave(&dev->q);
	dev->q.refuse = -ENOTSUP; /* unless they follow */
	drop_old_link(dev);
	/* from here on the old region is out of the peer's reach, whatever comes */
	plx_chip_shut(&dev->chip);
	dev->raw.configured = false;
	ret = plx_io_memory(dev->io, region);
	if (ret < 0)
		goto unlock;
	plx_chip_inbound(&dev->chip, region->iova - lead, region->len + lead);
	ret = plx_chip_program(&dev->chip, false);
	if (ret < 0) {
		NTB_LOG(ERR, dev->raw.name, "the chip does not keep its inbound translation");
		(void)plx_io_memory(dev->io, NULL);
		plx_chip_inbound(&dev->chip, 0, 0);
		goto unlock;
	}
	dev->raw.configured = true;
unlock:
	pthread_mutex_unlock(&dev->lock);
	return ret;
}

static int
open_port(struct plx_dev *dev)
{
	int ret = dev->io->ops->master(dev->io, true);

	if (ret < 0)
		return ret;
	/* doorbells of an earlier program on this adapter mean nothing to this one */
	plx_virt_write(&dev->chip, PLX_DB_MASK_SET, PLX_DB_BITS);
	plx_virt_write(&dev->chip, PLX_DB_CLEAR, PLX_DB_BITS);
	plx_chip_link_enable(&dev->chip, true);
	plx_chip_link_ack(&dev->chip);
	return plx_chip_program(&dev->chip, true);
}

/* How far into the window the region begins, so that the window has the alignment that the chip
 * needs. 0 without an A-LUT: info_get has asked for an aligned zone. */
static uint64_t
lead_of(const struct plx_dev *dev, const struct ntb_port_config *r)
{
	uint64_t lead = 0, before;

	if (dev->chip.alut_entries == 0)
		return 0;
	do { /* a longer region may need more alignment; a slice of the whole window is the most */
		before = lead;
		lead = r->iova & (plx_chip_align(&dev->chip, r->len + before) - 1);
	} while (lead != before);
	return lead;
}

/* DPDK's own form: the window is one memzone, queues follow. It waits for the link before it
 * starts the device, so the link must come up here. */
static int
configure_queues(struct plx_dev *dev, const struct ntb_dev_config *conf)
{
	struct ntb_port_config region;
	const struct rte_memzone *mz;
	uint64_t page, lead, in_page;
	int ret;

	ret = ntb_queues_conf_check(&dev->q, conf);
	if (ret < 0)
		return ret;
	mz = conf->mz_list[0];
	/* whole pages for the model, whole slices for the chip: both let the peer reach a little
	 * more memory of this process than the zone */
	page = mz->hugepage_sz;
	in_page = (uintptr_t)mz->addr & (page - 1);
	region = (struct ntb_port_config){
		.va = (uint8_t *)mz->addr - in_page,
		.iova = mz->iova - in_page,
		.len = RTE_ALIGN_CEIL(in_page + mz->len, page),
		.fd = -1,
	};
	lead = lead_of(dev, &region);
	if (lead > dev->chip.window_size - mz->len - in_page) {
		NTB_LOG(ERR, dev->raw.name,
			"memzone at 0x%" PRIx64 " + 0x%zx crosses the end of the window (0x%" PRIx64
			"); take a smaller or an aligned one",
			mz->iova, mz->len, dev->chip.window_size);
		return -EINVAL;
	}
	ret = configure_region(dev, &region, lead);
	if (ret < 0)
		return ret;
	pthread_mutex_lock(&dev->lock);
	ntb_queues_begin(&dev->q, conf, lead + in_page);
	ret = open_port(dev);
	dev->q.open = ret == 0;
	pthread_mutex_unlock(&dev->lock);
	return ret < 0 ? ret : ntb_queues_watch(&dev->q);
}

static int
configure_port(struct ntb_rawdev *r, const struct ntb_port_config *conf)
{
	return configure_region(plx_dev_of_raw(r), conf, 0);
}

static int
dev_configure(const struct rte_rawdev *rawdev, rte_rawdev_obj_t obj, size_t size)
{
	struct plx_dev *dev = plx_dev_of(rawdev);

	if (obj == NULL || size != sizeof(struct ntb_dev_config))
		return ntb_rawdev_calls.dev_configure(rawdev, obj, size);
	return dev->raw.closed ? -ENODEV : configure_queues(dev, obj);
}

static int
start_port(struct ntb_rawdev *r)
{
	struct plx_dev *dev = plx_dev_of_raw(r);
	bool queues = dev->q.refuse == 0;
	int ret;

	if (queues && dev->q.open)
		(void)plx_dev_link_update(&dev->raw.port);
	if (queues && ntb_queues_start_check(&dev->q) < 0)
		return -EINVAL;
	ntb_queues_unwatch(&dev->q);
	pthread_mutex_lock(&dev->lock);
	dev->once = false;
	ret = dev->q.open ? 0 : open_port(dev);
	dev->q.open = queues && ret == 0;
	if (ret == 0) {
		/* the peer may send at once, or as soon as it is there */
		if (queues)
			ntb_rx_start(&dev->q);
		dev->q.started = queues;
		dev->started = true;
	}
	pthread_mutex_unlock(&dev->lock);
	if (ret == 0 && queues)
		ret = ntb_queues_watch(&dev->q);
	if (ret < 0)
		NTB_LOG(ERR, dev->raw.name, "start: the chip does not take its set-up");
	return ret;
}

static void
stop_port(struct ntb_rawdev *r)
{
	struct plx_dev *dev = plx_dev_of_raw(r);

	ntb_queues_unwatch(&dev->q);
	pthread_mutex_lock(&dev->lock);
	if (dev->q.open)
		ntb_queues_leave(&dev->q);
	/* A doorbell or the last word of a barrier may still be under way, and would be lost with
	 * the link. A read of the peer returns after they have arrived. */
	rte_mb();
	if (__atomic_load_n(&dev->link, __ATOMIC_RELAXED) == NTB_LINK_UP)
		(void)plx_chip_peer_answers(&dev->chip);
	plx_chip_shut(&dev->chip);
	plx_chip_link_enable(&dev->chip, false); /* so that the peer notices */
	__atomic_store_n(&dev->link, NTB_LINK_DOWN, __ATOMIC_RELAXED);
	dev->started = false;
	ntb_queues_drop(&dev->q);
	pthread_mutex_unlock(&dev->lock);
}

static void
close_port(struct ntb_rawdev *r)
{
	struct plx_dev *dev = plx_dev_of_raw(r);

	ntb_queues_unwatch(&dev->q);
	pthread_mutex_lock(&dev->lock);
	if (dev->q.open)
		ntb_queues_leave(&dev->q);
	plx_chip_inbound(&dev->chip, 0, 0);
	(void)plx_chip_program(&dev->chip, false); /* no translation survives its memory */
	(void)dev->io->ops->master(dev->io, false);
	(void)plx_io_memory(dev->io, NULL);
	__atomic_store_n(&dev->link, NTB_LINK_DOWN, __ATOMIC_RELAXED);
	ntb_queues_close(&dev->q);
	pthread_mutex_unlock(&dev->lock);
}

/* ---- mbufs ---- */

static int
queue_conf_get(struct rte_rawdev *rawdev, uint16_t id, rte_rawdev_obj_t obj, size_t size)
{
	return ntb_queue_conf_get(&plx_dev_of(rawdev)->q, id, obj, size);
}

static int
queue_setup(struct rte_rawdev *rawdev, uint16_t id, rte_rawdev_obj_t obj, size_t size)
{
	return ntb_queue_setup(&plx_dev_of(rawdev)->q, id, obj, size);
}

static int
queue_release(struct rte_rawdev *rawdev, uint16_t id)
{
	return ntb_queue_release(&plx_dev_of(rawdev)->q, id);
}

static uint16_t
queue_count(struct rte_rawdev *rawdev)
{
	return plx_dev_of(rawdev)->q.asked_num;
}

static int
enqueue_mbufs(struct rte_rawdev *rawdev, struct rte_rawdev_buf **bufs, unsigned int count,
	      rte_rawdev_obj_t context)
{
	return ntb_enqueue(&plx_dev_of(rawdev)->q, bufs, count, (size_t)context);
}

static int
dequeue_mbufs(struct rte_rawdev *rawdev, struct rte_rawdev_buf **bufs, unsigned int count,
	      rte_rawdev_obj_t context)
{
	return ntb_dequeue(&plx_dev_of(rawdev)->q, bufs, count, (size_t)context);
}

static int
dev_selftest(uint16_t dev_id)
{
	struct plx_dev *dev = plx_dev_of(&rte_rawdevs[dev_id]);
	int ret;

	if (dev->raw.closed)
		return -ENODEV;
	if (dev->started) {
		NTB_LOG(ERR, dev->raw.name,
			"selftest writes registers in use: stop the device first");
		return -EBUSY;
	}
	pthread_mutex_lock(&dev->lock);
	ret = plx_chip_selftest(&dev->chip);
	if (ret == 0)
		ret = plx_chip_program(&dev->chip, false);
	pthread_mutex_unlock(&dev->lock);
	return ret;
}

/* The registers themselves are for `ringbell-doctor --snapshot`, which needs no driver. */
static void
dump_chip(struct ntb_rawdev *r, FILE *f)
{
	struct plx_dev *dev = plx_dev_of_raw(r);
	struct plx_chip *c = &dev->chip;
	struct plx_link_state now;

	plx_chip_link_state(c, &now);
	fprintf(f, "  PEX %04x NT%u port %u, link %s gen %u x%u%s%s\n", c->part, c->nt, c->port,
		__atomic_load_n(&dev->link, __ATOMIC_RELAXED) == NTB_LINK_UP ? "up" : "down",
		now.speed, now.width, now.changed ? ", change pending" : "",
		now.gone ? ", chip does not answer" : "");
	fprintf(f, "  inbound region 0x%" PRIx64 " + 0x%" PRIx64 ", %u A-LUT slices\n", c->iova,
		c->len, c->alut_entries);
}

/* Those of all ports, and those of mbufs, attributes and the chip. */
static struct rte_rawdev_ops calls;

RTE_INIT(fill_calls)
{
	calls = ntb_rawdev_calls;
	calls.dev_info_get = dev_info_get;
	calls.dev_configure = dev_configure;
	calls.queue_def_conf = queue_conf_get;
	calls.queue_setup = queue_setup;
	calls.queue_release = queue_release;
	calls.queue_count = queue_count;
	calls.enqueue_bufs = enqueue_mbufs;
	calls.dequeue_bufs = dequeue_mbufs;
	calls.attr_get = plx_dev_attr_get;
	calls.attr_set = plx_dev_attr_set;
	calls.dev_selftest = dev_selftest;
}

const struct ntb_rawdev_ops plx_rawdev_ops = {
	.calls = &calls,
	.configure = configure_port,
	.start = start_port,
	.stop = stop_port,
	.close = close_port,
	.dump = dump_chip,
	.counters = plx_dev_counters,
};
