/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Queues of mbufs: set-up. */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_malloc.h>
#include <rte_mempool.h>
#include <rte_memzone.h>

#include "ntb_queues.h"

enum {
	DFLT_TX_FREE_THRESH = 32,
	ROOM_MIN = 64, /* a packet of fewer bytes to a buffer costs more ring than data */
};

static int
queue_check(const struct ntb_queues *qs, uint16_t id, const void *obj, size_t size)
{
	if (qs->refuse == -ENODEV)
		return -ENODEV;
	if (id >= qs->asked_num) {
		NTB_LOG(ERR, qs->name, "queue %u of %u", id, qs->asked_num);
		return -EINVAL;
	}
	return obj == NULL || size != sizeof(struct ntb_queue_conf) ? -EINVAL : 0;
}

int
ntb_queue_conf_get(struct ntb_queues *qs, uint16_t id, void *obj, size_t size)
{
	struct ntb_queue_conf *conf = obj;
	const struct ntb_queue *q;
	int ret = queue_check(qs, id, obj, size);

	if (ret < 0)
		return ret;
	q = qs->queue[id];
	*conf = (struct ntb_queue_conf){.nb_desc = qs->asked_size,
					.tx_free_thresh = DFLT_TX_FREE_THRESH};
	if (q != NULL)
		*conf = (struct ntb_queue_conf){q->nb_desc, q->tx_free_thresh, q->mp};
	return 0;
}

struct zone_check {
	const struct ntb_queues *qs;
	bool outside;
};

static void
check_chunk(struct rte_mempool *mp, void *opaque, struct rte_mempool_memhdr *chunk,
	    unsigned int index)
{
	struct zone_check *c = opaque;
	const uint8_t *zone = c->qs->zone, *at = chunk->addr;

	(void)mp;
	(void)index;
	if (at < zone || chunk->len > c->qs->zone_len ||
	    (size_t)(at - zone) > c->qs->zone_len - chunk->len)
		c->outside = true;
}

static int
check_conf(const struct ntb_queues *qs, uint16_t id, const struct ntb_queue_conf *conf)
{
	struct zone_check check = {.qs = qs};

	if (qs->refuse != 0) {
		NTB_LOG(ERR, qs->name, "queue %u: configure the device with memory zones first",
			id);
		return -EINVAL;
	}
	if (conf->nb_desc < NTB_MIN_DESC_SIZE || conf->nb_desc > qs->size ||
	    conf->tx_free_thresh >= conf->nb_desc) {
		NTB_LOG(ERR, qs->name, "queue %u: %u..%u descriptors, free threshold below", id,
			NTB_MIN_DESC_SIZE, qs->size);
		return -EINVAL;
	}
	if (conf->rx_mp == NULL) {
		NTB_LOG(ERR, qs->name, "queue %u: no mempool to receive into", id);
		return -EINVAL;
	}
	if (rte_pktmbuf_data_room_size(conf->rx_mp) < RTE_PKTMBUF_HEADROOM + ROOM_MIN) {
		NTB_LOG(ERR, qs->name, "queue %u: mbufs with room for %u bytes", id,
			rte_pktmbuf_data_room_size(conf->rx_mp));
		return -EINVAL;
	}
	rte_mempool_mem_iter(conf->rx_mp, check_chunk, &check);
	if (check.outside) {
		NTB_LOG(ERR, qs->name,
			"queue %u: mempool %s is not in the memory zone that the device was "
			"configured with, so the peer cannot reach it",
			id, conf->rx_mp->name);
		return -EINVAL;
	}
	return 0;
}

static const char *const stats[NTB_QUEUE_STATS] = {
	"Tx-packets", "Tx-bytes", "Tx-errors", "Rx-packets", "Rx-bytes", "Rx-missed",
};

static void
name_stats(struct ntb_queue *q)
{
	for (unsigned int i = 0; i < NTB_QUEUE_STATS; i++)
		snprintf(q->stat_name[i], sizeof(q->stat_name[i]), "%s_q%u", stats[i], q->id);
}

int
ntb_queue_setup(struct ntb_queues *qs, uint16_t id, const void *obj, size_t size)
{
	const struct ntb_queue_conf *conf = obj;
	struct ntb_queue *q;
	uint32_t slots;
	int ret;

	ret = queue_check(qs, id, obj, size);
	if (ret == 0)
		ret = check_conf(qs, id, conf);
	if (ret == 0)
		ret = ntb_queue_release(qs, id);
	if (ret < 0)
		return ret;

	slots = rte_align32pow2(qs->size);
	q = rte_zmalloc_socket("ntb_queue", sizeof(*q) + slots * sizeof(q->slot[0]),
			       RTE_CACHE_LINE_SIZE, rte_rawdev_socket_id(qs->port->dev_id));
	if (q == NULL)
		return -ENOMEM;
	q->id = id;
	q->nb_desc = conf->nb_desc;
	q->tx_free_thresh = conf->tx_free_thresh ? conf->tx_free_thresh : DFLT_TX_FREE_THRESH;
	q->room = rte_pktmbuf_data_room_size(conf->rx_mp) - RTE_PKTMBUF_HEADROOM;
	q->mask = slots - 1;
	q->mp = conf->rx_mp;
	q->local = (const struct ntb_ring *)(qs->zone + id * ntb_ring_bytes(qs->size));
	q->local_used = (const struct ntb_ring_used *)&q->local->desc[slots];
	name_stats(q);
	pthread_mutex_lock(qs->lock);
	qs->queue[id] = q;
	pthread_mutex_unlock(qs->lock);
	return 0;
}

int
ntb_queue_release(struct ntb_queues *qs, uint16_t id)
{
	struct ntb_queue *q;

	if (qs->refuse == -ENODEV)
		return -ENODEV;
	if (id >= qs->asked_num || id >= NTB_QUEUES_MAX)
		return -EINVAL;
	if (qs->started) {
		NTB_LOG(ERR, qs->name, "queue %u: stop the device first", id);
		return -EBUSY;
	}
	pthread_mutex_lock(qs->lock);
	q = qs->queue[id];
	qs->queue[id] = NULL;
	pthread_mutex_unlock(qs->lock);
	if (q != NULL)
		ntb_rx_drop(q);
	rte_free(q);
	return 0;
}

static void
release_all(struct ntb_queues *qs)
{
	for (unsigned int i = 0; i < NTB_QUEUES_MAX; i++) {
		if (qs->queue[i] == NULL)
			continue;
		ntb_rx_drop(qs->queue[i]);
		rte_free(qs->queue[i]);
		qs->queue[i] = NULL;
	}
}

void
ntb_queues_drop(struct ntb_queues *qs)
{
	for (unsigned int i = 0; i < NTB_QUEUES_MAX; i++)
		if (qs->queue[i] != NULL)
			ntb_rx_drop(qs->queue[i]);
}

void
ntb_queues_init(struct ntb_queues *qs, struct ntb_port *port, pthread_mutex_t *lock,
		const char *name, enum ntb_link (*look)(struct ntb_port *port))
{
	*qs = (struct ntb_queues){
		.port = port,
		.lock = lock,
		.name = name,
		.look = look,
		.refuse = -ENOTSUP,
	};
}

void
ntb_queues_close(struct ntb_queues *qs)
{
	release_all(qs);
	qs->refuse = -ENODEV;
}

int
ntb_queues_ask(struct ntb_queues *qs, const char *name, uint64_t value)
{
	bool size = strcmp(name, NTB_QUEUE_SZ_NAME) == 0;
	uint64_t min = size ? NTB_MIN_DESC_SIZE : 1;
	uint64_t max = size ? NTB_MAX_DESC_SIZE : NTB_QUEUES_MAX;

	if (value < min || value > max) {
		NTB_LOG(ERR, qs->name, "%s %" PRIu64 " is not in %" PRIu64 "..%" PRIu64, name,
			value, min, max);
		return -EINVAL;
	}
	*(size ? &qs->asked_size : &qs->asked_num) = value;
	return 0;
}

int
ntb_queues_conf_check(const struct ntb_queues *qs, const struct ntb_dev_config *conf)
{
	size_t rings = ntb_ring_bytes(conf->queue_size) * conf->num_queues;
	uint64_t window = qs->port->window_size;

	if (qs->port->spad_count < NTB_SESSION_SPADS) {
		NTB_LOG(ERR, qs->name, "queues need %u scratchpads, the port has %u",
			NTB_SESSION_SPADS, qs->port->spad_count);
		return -ENOTSUP;
	}
	if (conf->num_queues == 0 || conf->num_queues > NTB_QUEUES_MAX ||
	    conf->queue_size < NTB_MIN_DESC_SIZE || conf->queue_size > NTB_MAX_DESC_SIZE) {
		NTB_LOG(ERR, qs->name, "%u queues of %u; 1..%u of %u..%u are possible",
			conf->num_queues, conf->queue_size, NTB_QUEUES_MAX, NTB_MIN_DESC_SIZE,
			NTB_MAX_DESC_SIZE);
		return -EINVAL;
	}
	if (conf->mz_num != NTB_QUEUES_WINDOWS || conf->mz_list == NULL ||
	    conf->mz_list[0] == NULL) {
		NTB_LOG(ERR, qs->name, "%u memzones given, one per memory window (%u) is needed",
			conf->mz_num, NTB_QUEUES_WINDOWS);
		return -EINVAL;
	}
	if (conf->mz_list[0]->len < rings || conf->mz_list[0]->len > window ||
	    (uintptr_t)conf->mz_list[0]->addr % RTE_CACHE_LINE_SIZE != 0) {
		NTB_LOG(ERR, qs->name,
			"memzone of %zu bytes: the window takes 0x%" PRIx64
			", of which the rings need %zu at its start",
			conf->mz_list[0]->len, window, rings);
		return -EINVAL;
	}
	return 0;
}

void
ntb_queues_begin(struct ntb_queues *qs, const struct ntb_dev_config *conf, uint64_t lead)
{
	const struct rte_memzone *mz = conf->mz_list[0];

	release_all(qs);
	*qs = (struct ntb_queues){
		.port = qs->port,
		.lock = qs->lock,
		.name = qs->name,
		.look = qs->look,
		.asked_num = conf->num_queues,
		.asked_size = conf->queue_size,
		.num = conf->num_queues,
		.size = conf->queue_size,
		.session = ntb_session_number(),
		.lead = lead,
		.window = qs->port->window,
		.window_size = qs->port->window_size,
		.zone = mz->addr,
		.zone_len = mz->len,
	};
	/* before any hello: what the peer posts comes after */
	memset(mz->addr, 0, conf->num_queues * ntb_ring_bytes(conf->queue_size));
}

int
ntb_queues_start_check(const struct ntb_queues *qs)
{
	for (unsigned int i = 0; i < qs->num; i++) {
		if (qs->queue[i] != NULL)
			continue;
		NTB_LOG(ERR, qs->name, "start: queue %u is not set up", i);
		return -EINVAL;
	}
	if (qs->hello && !qs->match) {
		NTB_LOG(ERR, qs->name, "start: the peer has other queues");
		return -EINVAL;
	}
	return 0;
}

static bool
all_set_up(const struct ntb_queues *qs)
{
	unsigned int i = 0;

	while (i < qs->num && qs->queue[i] != NULL)
		i++;
	return qs->refuse == 0 && i == qs->num;
}

unsigned int
ntb_queues_counters(const struct ntb_queues *qs, struct ntb_counter c[NTB_QUEUES_COUNTERS])
{
	unsigned int n = NTB_QUEUE_STATS, i, j;

	if (!all_set_up(qs))
		return 0;
	for (j = 0; j < NTB_QUEUE_STATS; j++)
		c[j] = (struct ntb_counter){stats[j], 0};
	for (i = 0; i < qs->num; i++) {
		const struct ntb_queue *q = qs->queue[i];
		const uint64_t v[NTB_QUEUE_STATS] = {q->tx.packets, q->tx.bytes, q->tx.errors,
						     q->rx.packets, q->rx.bytes, q->rx.missed};

		for (j = 0; j < NTB_QUEUE_STATS; j++) {
			c[j].value += v[j];
			c[n++] = (struct ntb_counter){q->stat_name[j], v[j]};
		}
	}
	return n;
}
