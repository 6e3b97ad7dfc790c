/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Queues of mbufs: the data path. Only stores go through the window. Memory that the peer may write
 * is read once and checked; only the copy is used after that. */

#include <errno.h>
#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_byteorder.h>
#include <rte_memcpy.h>
#include <rte_pmd_ntb.h>

#include "ntb_rxtx.h"

enum {
	POST_BULK = 64,
};

size_t
ntb_ring_bytes(uint16_t size)
{
	size_t slots = rte_align32pow2(size);

	return sizeof(struct ntb_ring) +
	       RTE_CACHE_LINE_ROUNDUP(
		       slots * (sizeof(struct ntb_ring_desc) + sizeof(struct ntb_ring_used)));
}

/* The tag of the session, 0 without one. Every call is paired with burst_end(). */
static uint32_t
burst_begin(struct ntb_queues *qs, uint32_t *busy)
{
	uint32_t tag;

	__atomic_store_n(busy, 1, __ATOMIC_RELAXED);
	/* pairs with the fence in wait_for_bursts() */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	tag = __atomic_load_n(&qs->tag, __ATOMIC_ACQUIRE);
	return qs->started ? tag : 0;
}

static void
burst_end(uint32_t *busy)
{
	/* pairs with the load in wait_for_bursts(): stores of the burst come before */
	__atomic_store_n(busy, 0, __ATOMIC_RELEASE);
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
	/* Release: all loads from a buffer come before the count that gives the buffer back. The
	 * fence above orders only stores, on CPUs that let a load pass a later store. */
	__atomic_store_n(word, rte_cpu_to_le_64((uint64_t)tag << 32 | count), __ATOMIC_RELEASE);
	rte_wmb(); /* and the count does not stay in one */
}

static struct ntb_ring *
peer_ring(const struct ntb_queues *qs, const struct ntb_queue *q)
{
	return (struct ntb_ring *)(qs->window + qs->peer_lead + q->id * ntb_ring_bytes(qs->size));
}

static struct ntb_queue *
queue_of(struct ntb_queues *qs, size_t id, int *ret)
{
	*ret = qs->refuse;
	if (likely(*ret == 0) && unlikely(id >= qs->num || qs->queue[id] == NULL))
		*ret = -EINVAL;
	return *ret < 0 ? NULL : qs->queue[id];
}

static void
report_lie(const struct ntb_queues *qs, const struct ntb_queue *q, const char *what)
{
	NTB_LOG(ERR, qs->name, "queue %u: the peer wrote %s; no traffic until its next start",
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
fill_buffer(uint8_t *dst, uint32_t len, struct cursor *c)
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

/* Store a packet into the next buffers. The peer reads no buffer that is not counted yet, so this
 * may stop half way. Returns the number of buffers, 0 if there are too few now, -EMSGSIZE if there
 * will never be enough, -EIO if the peer wrote a bad descriptor. */
static int
put_packet(struct ntb_queues *qs, struct ntb_queue *q, const struct rte_mbuf *m, uint32_t avail)
{
	struct ntb_ring *ring = peer_ring(qs, q);
	struct ntb_ring_used *used = (struct ntb_ring_used *)&ring->desc[q->mask + 1];
	struct cursor c = {.seg = m};
	uint64_t size = qs->window_size;
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
		done = fill_buffer(qs->window + off, len, &c);
		*(volatile uint32_t *)&used[slot] =
			rte_cpu_to_le_32(done | (c.seg == NULL ? NTB_RING_EOP << 16 : 0));
		n++;
	} while (c.seg != NULL);
	return n;
}

static void
tx_session(struct ntb_tx *tx, uint32_t tag)
{
	tx->tag = tag;
	tx->next = 0;
	tx->broken = false;
}

static unsigned int
send_burst(struct ntb_queues *qs, struct ntb_queue *q, struct rte_rawdev_buf **bufs,
	   unsigned int count)
{
	struct ntb_tx *tx = &q->tx;
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
		n = put_packet(qs, q, m, posted - tx->next);
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
		report_lie(qs, q, "a buffer that is not in its window, or too many");
	}
	if (tx->next != first)
		counter_write(&peer_ring(qs, q)->filled, tx->tag, tx->next);
	return i;
}

int
ntb_enqueue(struct ntb_queues *qs, struct rte_rawdev_buf **bufs, unsigned int count, size_t id)
{
	struct ntb_queue *q;
	unsigned int sent = 0;
	uint32_t tag;
	int ret;

	q = queue_of(qs, id, &ret);
	if (q == NULL)
		return ret;
	tag = burst_begin(qs, &q->tx.busy);
	if (likely(tag != 0)) {
		if (unlikely(tag != q->tx.tag))
			tx_session(&q->tx, tag);
		if (likely(!q->tx.broken))
			sent = send_burst(qs, q, bufs, count);
		ret = q->tx.broken && sent == 0 ? -EIO : (int)sent;
	}
	burst_end(&q->tx.busy);
	return ret;
}

/* ---- receiving ---- */

void
ntb_rx_drop(struct ntb_queue *q)
{
	struct ntb_rx *rx = &q->rx;

	for (; rx->next != rx->posted; rx->next++)
		rte_pktmbuf_free_seg(q->slot[rx->next & q->mask]);
	rx->next = 0;
	rx->posted = 0;
}

/* Take empty buffers up to the depth of the queue or the end of the mempool. */
static void
take_buffers(struct ntb_queue *q)
{
	struct ntb_rx *rx = &q->rx;
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

/* Write descriptors for the buffers from number @p first on into the ring at the peer. */
static void
describe_buffers(struct ntb_queues *qs, struct ntb_queue *q, uint32_t first)
{
	struct ntb_ring *ring = peer_ring(qs, q);
	struct ntb_rx *rx = &q->rx;

	if (rx->posted == first)
		return;
	for (; first != rx->posted; first++) {
		const struct rte_mbuf *m = q->slot[first & q->mask];
		struct ntb_ring_desc *d = &ring->desc[first & q->mask];
		uint64_t at = (uint64_t)((uint8_t *)m->buf_addr + RTE_PKTMBUF_HEADROOM - qs->zone);

		d->off = rte_cpu_to_le_64(qs->lead + at);
		d->len = rte_cpu_to_le_32(q->room);
	}
	counter_write(&ring->posted, rx->tag, rx->posted);
}

static void
post_buffers(struct ntb_queues *qs, struct ntb_queue *q)
{
	uint32_t first = q->rx.posted;

	take_buffers(q);
	describe_buffers(qs, q, first);
}

/* The same buffers again, counted from 0. A burst of the peer that began in the session before may
 * still store into them: it ends before the peer fills any of them in this one. */
static void
rx_session(struct ntb_queues *qs, struct ntb_queue *q, uint32_t tag)
{
	struct rte_mbuf *held[NTB_MAX_DESC_SIZE];
	struct ntb_rx *rx = &q->rx;
	uint32_t n = rx->posted - rx->next;

	for (uint32_t i = 0; i < n; i++)
		held[i] = q->slot[(rx->next + i) & q->mask];
	memcpy(q->slot, held, n * sizeof(held[0]));
	rx->next = 0;
	rx->posted = n;
	rx->tag = tag;
	rx->broken = false;
	describe_buffers(qs, q, 0);
}

void
ntb_rx_sessions(struct ntb_queues *qs, uint32_t tag)
{
	for (unsigned int i = 0; i < qs->num; i++)
		rx_session(qs, qs->queue[i], tag);
}

void
ntb_rx_start(struct ntb_queues *qs)
{
	uint32_t tag = __atomic_load_n(&qs->tag, __ATOMIC_RELAXED);

	for (unsigned int i = 0; i < qs->num; i++)
		take_buffers(qs->queue[i]);
	if (tag != 0)
		ntb_rx_sessions(qs, tag);
}

/* Chain the buffers of one packet out of @p pend filled ones. Their number, or -EIO. */
static int
take_packet(struct ntb_queue *q, uint32_t pend, uint16_t port, struct rte_mbuf **ret)
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
		if (word >> 16 & NTB_RING_EOP) {
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
receive_burst(struct ntb_queues *qs, struct ntb_queue *q, struct rte_rawdev_buf **bufs,
	      unsigned int count)
{
	struct ntb_rx *rx = &q->rx;
	uint32_t filled = counter_read(&q->local->filled, rx->tag, rx->next);
	unsigned int i;

	if (unlikely(filled - rx->next > rx->posted - rx->next))
		goto lie;
	for (i = 0; i < count && filled != rx->next; i++) {
		struct rte_mbuf *m;
		int n = take_packet(q, filled - rx->next, qs->port->dev_id, &m);

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
	report_lie(qs, q, "a packet into buffers that it does not have");
	return i;
}

int
ntb_dequeue(struct ntb_queues *qs, struct rte_rawdev_buf **bufs, unsigned int count, size_t id)
{
	struct ntb_queue *q;
	unsigned int got = 0;
	uint32_t tag;
	int ret;

	q = queue_of(qs, id, &ret);
	if (q == NULL)
		return ret;
	tag = burst_begin(qs, &q->rx.busy);
	if (likely(tag != 0)) {
		if (likely(!q->rx.broken))
			got = receive_burst(qs, q, bufs, count);
		if (likely(!q->rx.broken))
			post_buffers(qs, q);
		ret = q->rx.broken && got == 0 ? -EIO : (int)got;
	}
	burst_end(&q->rx.busy);
	return ret;
}
