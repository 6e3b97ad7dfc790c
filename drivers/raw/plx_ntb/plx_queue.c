/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Queues of mbufs: set-up, and how two sides find to each other. */

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include <rte_alarm.h>
#include <rte_cycles.h>
#include <rte_malloc.h>
#include <rte_mempool.h>
#include <rte_memzone.h>
#include <rte_random.h>

#include "plx_dev.h"
#include "plx_regs.h"

/* Scratchpads below those of the user: hello, session, shape of the rings, place of the zone in
 * units of cache lines. The hello holds a check sum of the others, which are written before it. */
enum {
	HELLO_MAGIC = 0xA7,
	HELLO_VERSION = 1,
	HELLO_WORDS = 4,
	DFLT_TX_FREE_THRESH = 32,
	WATCH_US = 10000,
	ROOM_MIN = 64, /* a packet of fewer bytes to a buffer costs more ring than data */
};

_Static_assert((int)HELLO_WORDS <= (int)PLX_SPAD_USER, "user scratchpads come after the hello");

size_t
plx_queue_ring_bytes(uint16_t size)
{
	size_t slots = rte_align32pow2(size);

	return sizeof(struct plx_ring) +
	       RTE_CACHE_LINE_ROUNDUP(
		       slots * (sizeof(struct plx_ring_desc) + sizeof(struct plx_ring_used)));
}

static int
queue_check(const struct plx_dev *dev, uint16_t id, const void *obj, size_t size)
{
	if (dev->state == PLX_CLOSED)
		return -ENODEV;
	if (id >= dev->queue_num) {
		PLX_LOG(ERR, dev->name, "queue %u of %u", id, dev->queue_num);
		return -EINVAL;
	}
	return obj == NULL || size != sizeof(struct ntb_queue_conf) ? -EINVAL : 0;
}

int
plx_queue_conf_get(struct rte_rawdev *rawdev, uint16_t id, rte_rawdev_obj_t obj, size_t size)
{
	struct plx_dev *dev = plx_dev_of(rawdev);
	struct ntb_queue_conf *conf = obj;
	const struct plx_queue *q;
	int ret = queue_check(dev, id, obj, size);

	if (ret < 0)
		return ret;
	q = dev->q.queue[id];
	*conf = (struct ntb_queue_conf){.nb_desc = dev->queue_size,
					.tx_free_thresh = DFLT_TX_FREE_THRESH};
	if (q != NULL)
		*conf = (struct ntb_queue_conf){q->nb_desc, q->tx_free_thresh, q->mp};
	return 0;
}

struct zone_check {
	const struct plx_dev *dev;
	bool outside;
};

static void
check_chunk(struct rte_mempool *mp, void *opaque, struct rte_mempool_memhdr *chunk,
	    unsigned int index)
{
	struct zone_check *c = opaque;
	const uint8_t *zone = c->dev->q.zone, *at = chunk->addr;

	(void)mp;
	(void)index;
	if (at < zone || chunk->len > c->dev->q.zone_len ||
	    (size_t)(at - zone) > c->dev->q.zone_len - chunk->len)
		c->outside = true;
}

static int
check_conf(const struct plx_dev *dev, uint16_t id, const struct ntb_queue_conf *conf)
{
	struct zone_check check = {.dev = dev};

	if (!dev->q.on) {
		PLX_LOG(ERR, dev->name, "queue %u: configure the device with memory zones first",
			id);
		return -EINVAL;
	}
	if (conf->nb_desc < NTB_MIN_DESC_SIZE || conf->nb_desc > dev->q.size ||
	    conf->tx_free_thresh >= conf->nb_desc) {
		PLX_LOG(ERR, dev->name, "queue %u: %u..%u descriptors, free threshold below", id,
			NTB_MIN_DESC_SIZE, dev->q.size);
		return -EINVAL;
	}
	if (conf->rx_mp == NULL) {
		PLX_LOG(ERR, dev->name, "queue %u: no mempool to receive into", id);
		return -EINVAL;
	}
	if (rte_pktmbuf_data_room_size(conf->rx_mp) < RTE_PKTMBUF_HEADROOM + ROOM_MIN) {
		PLX_LOG(ERR, dev->name, "queue %u: mbufs with room for %u bytes", id,
			rte_pktmbuf_data_room_size(conf->rx_mp));
		return -EINVAL;
	}
	rte_mempool_mem_iter(conf->rx_mp, check_chunk, &check);
	if (check.outside) {
		PLX_LOG(ERR, dev->name,
			"queue %u: mempool %s is not in the memory zone that the device was "
			"configured with, so the peer cannot reach it",
			id, conf->rx_mp->name);
		return -EINVAL;
	}
	return 0;
}

static void
name_stats(struct plx_queue *q)
{
	for (unsigned int i = 0; i < PLX_QUEUE_STATS; i++)
		snprintf(q->stat_name[i], sizeof(q->stat_name[i]), "%s_q%u", plx_queue_stats[i],
			 q->id);
}

int
plx_queue_setup(struct rte_rawdev *rawdev, uint16_t id, rte_rawdev_obj_t obj, size_t size)
{
	struct plx_dev *dev = plx_dev_of(rawdev);
	const struct ntb_queue_conf *conf = obj;
	struct plx_queue *q;
	uint32_t slots;
	int ret;

	ret = queue_check(dev, id, obj, size);
	if (ret == 0)
		ret = check_conf(dev, id, conf);
	if (ret == 0)
		ret = plx_queue_release(rawdev, id);
	if (ret < 0)
		return ret;

	slots = rte_align32pow2(dev->q.size);
	q = rte_zmalloc_socket("plx_queue", sizeof(*q) + slots * sizeof(q->slot[0]),
			       RTE_CACHE_LINE_SIZE, rawdev->socket_id);
	if (q == NULL)
		return -ENOMEM;
	q->id = id;
	q->nb_desc = conf->nb_desc;
	q->tx_free_thresh = conf->tx_free_thresh ? conf->tx_free_thresh : DFLT_TX_FREE_THRESH;
	q->room = rte_pktmbuf_data_room_size(conf->rx_mp) - RTE_PKTMBUF_HEADROOM;
	q->mask = slots - 1;
	q->mp = conf->rx_mp;
	q->local = (const struct plx_ring *)(dev->q.zone + id * plx_queue_ring_bytes(dev->q.size));
	q->local_used = (const struct plx_ring_used *)&q->local->desc[slots];
	name_stats(q);
	pthread_mutex_lock(&dev->lock);
	dev->q.queue[id] = q;
	pthread_mutex_unlock(&dev->lock);
	return 0;
}

int
plx_queue_release(struct rte_rawdev *rawdev, uint16_t id)
{
	struct plx_dev *dev = plx_dev_of(rawdev);
	struct plx_queue *q;

	if (dev->state == PLX_CLOSED)
		return -ENODEV;
	if (id >= dev->queue_num || id >= PLX_QUEUES_MAX)
		return -EINVAL;
	if (dev->state == PLX_STARTED) {
		PLX_LOG(ERR, dev->name, "queue %u: stop the device first", id);
		return -EBUSY;
	}
	pthread_mutex_lock(&dev->lock);
	q = dev->q.queue[id];
	dev->q.queue[id] = NULL;
	pthread_mutex_unlock(&dev->lock);
	if (q != NULL)
		plx_rx_drop_buffers(q);
	rte_free(q);
	return 0;
}

void
plx_queues_release(struct plx_dev *dev)
{
	for (unsigned int i = 0; i < PLX_QUEUES_MAX; i++) {
		if (dev->q.queue[i] == NULL)
			continue;
		plx_rx_drop_buffers(dev->q.queue[i]);
		rte_free(dev->q.queue[i]);
		dev->q.queue[i] = NULL;
	}
}

static uint32_t
new_session(void)
{
	return (uint32_t)rte_rand() | 1;
}

void
plx_queues_begin(struct plx_dev *dev, const struct ntb_dev_config *conf, uint64_t lead)
{
	const struct rte_memzone *mz = conf->mz_list[0];

	plx_queues_release(dev);
	dev->q = (struct plx_queues){
		.on = true,
		.num = conf->num_queues,
		.size = conf->queue_size,
		.session = new_session(),
		.lead = lead,
		.zone = mz->addr,
		.zone_len = mz->len,
		.tick = rte_get_tsc_hz() / 1000,
	};
	/* before any hello: what the peer posts comes after */
	memset(mz->addr, 0, conf->num_queues * plx_queue_ring_bytes(conf->queue_size));
}

/* No burst may go on with the places that an ended session told: the peer may lay out its memory
 * anew as soon as it can be reached again. */
static void
wait_for_bursts(struct plx_dev *dev)
{
	__atomic_store_n(&dev->q.tag, 0, __ATOMIC_RELAXED);
	/* pairs with the fence in burst_begin(): either it reads 0, or its busy is seen here */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	for (unsigned int i = 0; i < PLX_QUEUES_MAX; i++) {
		struct plx_queue *q = dev->q.queue[i];

		while (q != NULL && (__atomic_load_n(&q->tx.busy, __ATOMIC_ACQUIRE) ||
				     __atomic_load_n(&q->rx.busy, __ATOMIC_ACQUIRE)))
			sched_yield();
	}
}

void
plx_queues_end_session(struct plx_dev *dev)
{
	wait_for_bursts(dev);
	dev->q.session = new_session();
	dev->q.hello = false;
	dev->q.match = false;
	plx_virt_write(&dev->chip, PLX_SPAD(0), 0); /* of the peer before the loss */
}

void
plx_queues_leave(struct plx_dev *dev)
{
	plx_queues_end_session(dev);
	plx_port_ops.peer_spad_write(&dev->port, 0, 0);
	dev->q.open = false;
}

static uint32_t
hello_of(const uint32_t w[HELLO_WORDS])
{
	uint64_t sum = 0;

	for (unsigned int i = 1; i < HELLO_WORDS; i++)
		sum = (sum + w[i]) * 0x9E3779B97F4A7C15ull;
	return (uint32_t)HELLO_MAGIC << 24 | (uint32_t)HELLO_VERSION << 16 | (uint32_t)(sum >> 48);
}

/* A peer that lost it, or that cleared it on a link loss of which this side knew before, is told
 * again: it is read back every time. */
static void
say_hello(struct plx_dev *dev)
{
	uint32_t w[HELLO_WORDS] = {
		0,
		dev->q.session,
		(uint32_t)dev->q.size << 16 | dev->q.num,
		(uint32_t)(dev->q.lead / RTE_CACHE_LINE_SIZE),
	};

	w[0] = hello_of(w);
	if (plx_port_ops.peer_spad_read(&dev->port, 0) == w[0] &&
	    plx_port_ops.peer_spad_read(&dev->port, 1) == w[1])
		return;
	plx_port_ops.peer_spad_write(&dev->port, 0, 0);
	for (unsigned int i = HELLO_WORDS; i-- > 0;)
		plx_port_ops.peer_spad_write(&dev->port, i, w[i]);
}

void
plx_queues_meet(struct plx_dev *dev)
{
	uint64_t rings = dev->q.num * plx_queue_ring_bytes(dev->q.size), lead;
	uint32_t w[HELLO_WORDS], tag;
	bool hello;

	say_hello(dev);
	for (unsigned int i = 0; i < HELLO_WORDS; i++)
		w[i] = plx_port_ops.spad_read(&dev->port, i);
	hello = w[0] == hello_of(w);
	lead = (uint64_t)w[3] * RTE_CACHE_LINE_SIZE;
	dev->q.match = hello && w[2] == ((uint32_t)dev->q.size << 16 | dev->q.num) &&
		       lead <= dev->port.window_size && rings <= dev->port.window_size - lead;
	if (hello && !dev->q.match && !dev->q.hello)
		PLX_LOG(ERR, dev->name,
			"peer has %u queues of %u, here %u of %u: both must be the same",
			w[2] & 0xffff, w[2] >> 16, dev->q.num, dev->q.size);
	dev->q.hello = hello;

	tag = dev->q.match ? (dev->q.session ^ w[1]) | 1 : 0;
	if (tag == __atomic_load_n(&dev->q.tag, __ATOMIC_RELAXED))
		return;
	wait_for_bursts(dev);
	dev->q.peer_lead = lead;
	if (tag != 0 && dev->state == PLX_STARTED)
		plx_rx_sessions(dev, tag);
	/* pairs with the load in burst_begin(): who sees the tag sees where the rings are */
	__atomic_store_n(&dev->q.tag, tag, __ATOMIC_RELEASE);
}

/* A link that was lost comes back only when both sides program it again, so a program that is not
 * just sending or receiving must do so too. Runs in the EAL's interrupt thread. */
static void
watch(void *opaque)
{
	struct plx_dev *dev = opaque;

	/* pairs with plx_queues_watch(): what was set up before is seen by this thread */
	if (!dev->q.watched)
		return;
	(void)plx_dev_link_update(dev);
	if (rte_eal_alarm_set(WATCH_US, watch, dev) < 0)
		PLX_LOG(ERR, dev->name, "no more alarms: a lost link may stay down");
}

int
plx_queues_watch(struct plx_dev *dev)
{
	int ret;

	dev->q.watched = true;
	ret = rte_eal_alarm_set(WATCH_US, watch, dev);
	if (ret < 0)
		PLX_LOG(ERR, dev->name, "cannot set an alarm to watch the link");
	return ret;
}

void
plx_queues_unwatch(struct plx_dev *dev)
{
	dev->q.watched = false;
	(void)rte_eal_alarm_cancel(watch, dev); /* waits for one that runs */
}

int
plx_queues_check(struct plx_dev *dev)
{
	for (unsigned int i = 0; i < dev->q.num; i++) {
		if (dev->q.queue[i] != NULL)
			continue;
		PLX_LOG(ERR, dev->name, "start: queue %u is not set up", i);
		return -EINVAL;
	}
	if (dev->q.hello && !dev->q.match) {
		PLX_LOG(ERR, dev->name, "start: the peer has other queues");
		return -EINVAL;
	}
	return 0;
}
