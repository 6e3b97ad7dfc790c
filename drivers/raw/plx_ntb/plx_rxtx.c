/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Queues of mbufs: the data path. Only stores go through the window. What a peer may have written
 * is read once, checked, and used from then on. */

#include <errno.h>
#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_byteorder.h>
#include <rte_cycles.h>
#include <rte_memcpy.h>

#include "plx_dev.h"

enum {
	POST_BULK = 64,
};

/* The tag to work under, 0 for no traffic; end with burst_end(). */
static uint32_t
burst_begin(struct plx_dev *dev, uint32_t *busy)
{
	uint32_t tag;

	__atomic_store_n(busy, 1, __ATOMIC_RELAXED);
	/* pairs with the fence in wait_for_bursts() */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	tag = __atomic_load_n(&dev->q.tag, __ATOMIC_ACQUIRE);
	return dev->state == PLX_STARTED ? tag : 0;
}

static void
burst_end(uint32_t *busy)
{
	/* pairs with the load in wait_for_bursts(): stores of the burst come before */
	__atomic_store_n(busy, 0, __ATOMIC_RELEASE);
}

/* Nothing to do for a while: is there a link at all, and is it the peer that was there before? Not
 * within a burst, as it may have to wait for the end of all bursts. */
static void
look_around(struct plx_dev *dev, uint64_t *since)
{
	uint64_t now = rte_rdtsc();

	if (now - *since < dev->q.tick || dev->state != PLX_STARTED)
		return;
	*since = now;
	(void)plx_dev_link_update(dev);
}

/* A counter that the peer writes; @p none where it is of another session. */
static uint32_t
counter_read(const uint64_t *word, uint32_t tag, uint32_t none)
{
	/* pairs with the peer's fence before counter_write(): entries are read after it */
	uint64_t w = rte_le_to_cpu_64(__atomic_load_n(word, __ATOMIC_ACQUIRE));

	return w >> 32 == tag ? (uint32_t)w : none;
}

static void
counter_write(uint64_t *word, uint32_t tag, uint32_t count)
{
	rte_wmb(); /* entries and data leave write-combining buffers before their count */
	/* Release: what was read of a buffer was read before the count gives it back. The fence
	 * above orders stores only, on CPUs that let a load pass a later store. */
	__atomic_store_n(word, rte_cpu_to_le_64((uint64_t)tag << 32 | count), __ATOMIC_RELEASE);
	rte_wmb(); /* and the count does not stay in one */
}

static struct plx_ring *
peer_ring(const struct plx_dev *dev, const struct plx_queue *q)
{
	return (struct plx_ring *)((uint8_t *)dev->port.window + dev->q.peer_lead +
				   q->id * plx_queue_ring_bytes(dev->q.size));
}

static struct plx_queue *
queue_of(struct plx_dev *dev, rte_rawdev_obj_t context, int *ret)
{
	size_t id = (size_t)context;

	*ret = 0;
	if (unlikely(dev->state == PLX_CLOSED))
		*ret = -ENODEV;
	else if (unlikely(!dev->q.on))
		*ret = -ENOTSUP;
	else if (unlikely(id >= dev->q.num || dev->q.queue[id] == NULL))
		*ret = -EINVAL;
	return *ret < 0 ? NULL : dev->q.queue[id];
}

static void
report(const struct plx_dev *dev, const struct plx_queue *q, const char *what)
{
	PLX_LOG(ERR, dev->name, "queue %u: the peer wrote %s; no traffic until its next start",
		q->id, what);
}

/* ---- sending ---- */

/* Part of a packet that is still to be copied. */
struct cursor {
	const struct rte_mbuf *seg;
	uint32_t off;
};

/* Fill one buffer of the peer; gives the bytes. */
static uint32_t
fill(uint8_t *dst, uint32_t len, struct cursor *c)
{
	uint32_t done = 0;

	while (c->seg != NULL && done < len) {
		uint32_t n = RTE_MIN(len - done, c->seg->data_len - c->off);

		rte_memcpy(dst + done, rte_pktmbuf_mtod_offset(c->seg, const uint8_t *, c->off), n);
		done += n;
		c->off += n;
		if (c->off == c->seg->data_len) {
			c->seg = c->seg->next;
			c->off = 0;
		}
	}
	while (c->seg != NULL && c->seg->data_len == 0) /* empty segments need no buffer */
		c->seg = c->seg->next;
	return done;
}

/* Store a packet into the next buffers. Until they are counted nobody looks at them, so it may stop
 * half way. Number of buffers, 0 for no room, -EMSGSIZE for never, -EIO for a lie. */
static int
put_packet(struct plx_dev *dev, struct plx_queue *q, const struct rte_mbuf *m, uint32_t avail)
{
	struct plx_ring *ring = peer_ring(dev, q);
	struct plx_ring_used *used = (struct plx_ring_used *)&ring->desc[q->mask + 1];
	struct cursor c = {.seg = m};
	uint64_t size = dev->port.window_size;
	uint32_t n = 0;

	do {
		uint32_t slot = (q->tx.next + n) & q->mask, len, done;
		uint64_t off;

		if (n == avail)
			return n == q->mask + 1 ? -EMSGSIZE : 0;
		off = rte_le_to_cpu_64(*(const volatile uint64_t *)&q->local->desc[slot].off);
		len = rte_le_to_cpu_32(*(const volatile uint32_t *)&q->local->desc[slot].len);
		if (unlikely(len == 0 || len > UINT16_MAX || off > size || len > size - off))
			return -EIO;
		done = fill((uint8_t *)dev->port.window + off, len, &c);
		*(volatile uint32_t *)&used[slot] =
			rte_cpu_to_le_32(done | (c.seg == NULL ? PLX_RING_EOP << 16 : 0));
		n++;
	} while (c.seg != NULL);
	return n;
}

static void
tx_session(struct plx_tx *tx, uint32_t tag)
{
	tx->tag = tag;
	tx->next = 0;
	tx->broken = false;
}

static unsigned int
send_burst(struct plx_dev *dev, struct plx_queue *q, struct rte_rawdev_buf **bufs,
	   unsigned int count)
{
	struct plx_tx *tx = &q->tx;
	uint32_t posted = counter_read(&q->local->posted, tx->tag, tx->next), first = tx->next;
	unsigned int i;
	int n = 0;

	if (unlikely(posted - tx->next > q->mask + 1))
		n = -EIO;
	for (i = 0; i < count && n >= 0; i++) {
		struct rte_mbuf *m = bufs[i]->buf_addr;
		uint32_t bytes;

		if (m == NULL || posted == tx->next)
			break;
		bytes = m->pkt_len;
		n = put_packet(dev, q, m, posted - tx->next);
		if (n == 0 || n == -EIO)
			break;
		rte_pktmbuf_free(m);
		if (n == -EMSGSIZE) { /* larger than all buffers together */
			tx->errors++;
			n = 0;
			continue;
		}
		tx->next += n;
		tx->packets++;
		tx->bytes += bytes;
	}
	if (n == -EIO) {
		tx->broken = true;
		tx->errors++;
		report(dev, q, "a buffer that is not in its window, or too many");
	}
	if (tx->next != first)
		counter_write(&peer_ring(dev, q)->filled, tx->tag, tx->next);
	return i;
}

int
plx_enqueue(struct rte_rawdev *rawdev, struct rte_rawdev_buf **bufs, unsigned int count,
	    rte_rawdev_obj_t context)
{
	struct plx_dev *dev = plx_dev_of(rawdev);
	struct plx_queue *q;
	unsigned int sent = 0;
	uint32_t tag;
	int ret;

	q = queue_of(dev, context, &ret);
	if (q == NULL)
		return ret;
	tag = burst_begin(dev, &q->tx.busy);
	if (likely(tag != 0)) {
		if (unlikely(tag != q->tx.tag))
			tx_session(&q->tx, tag);
		if (likely(!q->tx.broken))
			sent = send_burst(dev, q, bufs, count);
		ret = q->tx.broken && sent == 0 ? -EIO : (int)sent;
	}
	burst_end(&q->tx.busy);
	if (sent == 0)
		look_around(dev, &q->tx.idle_since);
	return ret;
}

/* ---- receiving ---- */

void
plx_rx_drop_buffers(struct plx_queue *q)
{
	struct plx_rx *rx = &q->rx;

	for (; rx->next != rx->posted; rx->next++)
		rte_pktmbuf_free_seg(q->slot[rx->next & q->mask]);
	rx->next = 0;
	rx->posted = 0;
}

/* Take empty buffers up to the depth of the queue or the end of the mempool. */
static void
take_buffers(struct plx_queue *q)
{
	struct plx_rx *rx = &q->rx;
	struct rte_mbuf *m[POST_BULK];

	while (rx->posted - rx->next < q->nb_desc) {
		uint32_t n = RTE_MIN(q->nb_desc - (rx->posted - rx->next), (uint32_t)POST_BULK);

		if (rte_pktmbuf_alloc_bulk(q->mp, m, n) != 0) {
			n = 1;
			m[0] = rte_pktmbuf_alloc(q->mp);
			if (m[0] == NULL) {
				rx->missed++;
				break;
			}
		}
		for (uint32_t i = 0; i < n; i++)
			q->slot[rx->posted++ & q->mask] = m[i];
	}
}

/* Tell the peer where the buffers from number @p first on are. */
static void
describe(struct plx_dev *dev, struct plx_queue *q, uint32_t first)
{
	struct plx_ring *ring = peer_ring(dev, q);
	struct plx_rx *rx = &q->rx;

	if (rx->posted == first)
		return;
	for (; first != rx->posted; first++) {
		const struct rte_mbuf *m = q->slot[first & q->mask];
		struct plx_ring_desc *d = &ring->desc[first & q->mask];
		uint64_t at =
			(uint64_t)((uint8_t *)m->buf_addr + RTE_PKTMBUF_HEADROOM - dev->q.zone);

		d->off = rte_cpu_to_le_64(dev->q.lead + at);
		d->len = rte_cpu_to_le_32(q->room);
	}
	counter_write(&ring->posted, rx->tag, rx->posted);
}

static void
post(struct plx_dev *dev, struct plx_queue *q)
{
	uint32_t first = q->rx.posted;

	take_buffers(q);
	describe(dev, q, first);
}

/* The same buffers again, counted from 0. A burst of the peer that began in the session before may
 * still store into them: it ends before the peer fills any of them in this one. */
static void
rx_session(struct plx_dev *dev, struct plx_queue *q, uint32_t tag)
{
	struct rte_mbuf *held[NTB_MAX_DESC_SIZE];
	struct plx_rx *rx = &q->rx;
	uint32_t n = rx->posted - rx->next;

	for (uint32_t i = 0; i < n; i++)
		held[i] = q->slot[(rx->next + i) & q->mask];
	memcpy(q->slot, held, n * sizeof(held[0]));
	rx->next = 0;
	rx->posted = n;
	rx->tag = tag;
	rx->broken = false;
	describe(dev, q, 0);
}

void
plx_rx_sessions(struct plx_dev *dev, uint32_t tag)
{
	for (unsigned int i = 0; i < dev->q.num; i++)
		rx_session(dev, dev->q.queue[i], tag);
}

void
plx_rx_start(struct plx_dev *dev)
{
	uint32_t tag = __atomic_load_n(&dev->q.tag, __ATOMIC_RELAXED);

	for (unsigned int i = 0; i < dev->q.num; i++)
		take_buffers(dev->q.queue[i]);
	if (tag != 0)
		plx_rx_sessions(dev, tag);
}

/* Chain the buffers of one packet out of @p pend filled ones. Their number, or -EIO. */
static int
take_packet(struct plx_queue *q, uint32_t pend, uint16_t port, struct rte_mbuf **ret)
{
	struct rte_mbuf *first = NULL, *last = NULL, *m;
	uint32_t n, word, bytes = 0;

	for (n = 0; n < pend; n++) {
		uint32_t slot = (q->rx.next + n) & q->mask, len;

		word = rte_le_to_cpu_32(*(const volatile uint32_t *)&q->local_used[slot]);
		len = word & 0xffff;
		if (unlikely(len > q->room))
			break;
		m = q->slot[slot];
		m->data_off = RTE_PKTMBUF_HEADROOM;
		m->data_len = len;
		m->port = port;
		m->next = NULL;
		bytes += len;
		if (first == NULL)
			first = m;
		else
			last->next = m;
		last = m;
		if (word >> 16 & PLX_RING_EOP) {
			first->nb_segs = n + 1;
			first->pkt_len = bytes;
			*ret = first;
			return n + 1;
		}
	}
	/* too long, or counted without its end: the buffers stay in their slots, each alone */
	while (n-- > 0)
		q->slot[(q->rx.next + n) & q->mask]->next = NULL;
	return -EIO;
}

static unsigned int
receive_burst(struct plx_dev *dev, struct plx_queue *q, struct rte_rawdev_buf **bufs,
	      unsigned int count)
{
	struct plx_rx *rx = &q->rx;
	uint32_t filled = counter_read(&q->local->filled, rx->tag, rx->next);
	unsigned int i;

	if (unlikely(filled - rx->next > rx->posted - rx->next))
		goto lie;
	for (i = 0; i < count && filled != rx->next; i++) {
		struct rte_mbuf *m;
		int n = take_packet(q, filled - rx->next, dev->port.dev_id, &m);

		if (unlikely(n < 0))
			goto lie_at;
		rx->next += n;
		rx->packets++;
		rx->bytes += m->pkt_len;
		bufs[i]->buf_addr = m;
	}
	return i;
lie:
	i = 0;
lie_at:
	rx->broken = true;
	report(dev, q, "a packet into buffers that it does not have");
	return i;
}

int
plx_dequeue(struct rte_rawdev *rawdev, struct rte_rawdev_buf **bufs, unsigned int count,
	    rte_rawdev_obj_t context)
{
	struct plx_dev *dev = plx_dev_of(rawdev);
	struct plx_queue *q;
	unsigned int got = 0;
	uint32_t tag;
	int ret;

	q = queue_of(dev, context, &ret);
	if (q == NULL)
		return ret;
	tag = burst_begin(dev, &q->rx.busy);
	if (likely(tag != 0)) {
		if (likely(!q->rx.broken))
			got = receive_burst(dev, q, bufs, count);
		if (likely(!q->rx.broken))
			post(dev, q);
		ret = q->rx.broken && got == 0 ? -EIO : (int)got;
	}
	burst_end(&q->rx.busy);
	if (got == 0)
		look_around(dev, &q->rx.idle_since);
	return ret;
}
