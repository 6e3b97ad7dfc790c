/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <time.h>

#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "eth_link.h"

#define MS 1000000ull
enum {
	BURST = 32,
	BURSTS = 8,	 /* of one turn */
	OPEN_NS = 20000, /* how long a packet that is not full stays open */
	HELLO_MS = 20,
	REPLY_MS = 2,	/* between two answers to hellos */
	ALIVE_MS = 50,	/* an end says something as often as that */
	AWAY_MS = 100,	/* two turns of the alarm: this process got no CPU */
	CUT_MS = 500,	/* a cable that is out for less loses packets, which is made good */
	OTHER_MS = 500, /* a peer that was never up gives way to another one */
};

uint64_t
eth_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

void
eth_lock(struct eth_device *d)
{
	while (!rte_spinlock_trylock(&d->lock))
		sched_yield();
}

/* ---- packets out ---- */

static struct rte_mbuf *
build_packet(struct eth_port *p, enum eth_kind kind, uint32_t seq, const uint8_t *data,
	     uint32_t len)
{
	const struct eth_device *d = p->device;
	struct rte_mbuf *m = rte_pktmbuf_alloc(d->pool);
	struct eth_ack ack = eth_stream_ack(&p->stream);
	struct eth_head h = {
		.from = rte_cpu_to_le_64(p->session),
		.to = rte_cpu_to_le_64(p->peer),
		.sack = rte_cpu_to_le_64(ack.sack),
		.next = rte_cpu_to_le_32(ack.next),
		.seq = rte_cpu_to_le_32(seq),
		.len = rte_cpu_to_le_16((uint16_t)len),
		.mtu = rte_cpu_to_le_16((uint16_t)d->mtu),
		.kind = (uint8_t)kind,
		.host = (uint8_t)d->host,
		.peer = (uint8_t)p->far,
		.hosts = (uint8_t)d->hosts,
	};
	uint8_t *packet;

	if (m == NULL)
		return NULL;
	packet = (uint8_t *)rte_pktmbuf_append(m, (uint16_t)(ETH_HEADS + len));
	if (data != NULL)
		memcpy(packet + ETH_HEADS, data, len);
	else
		memset(packet + ETH_HEADS, 0, len);
	/* found by the small hello, which says it to all */
	eth_packet_finish(packet, kind == ETH_HELLO && len == 0 ? &d->way : &p->way, &h, d->key);
	return m;
}

/* What does not leave is lost, and sent again as such. The driver of packet sockets says of packets
 * that it has freed that they have not left, where the interface is down. So each has a reference
 * more, which tells whose it is. */
static void
send_packets(struct eth_port *p, struct rte_mbuf **m, uint16_t n)
{
	uint16_t done, i;

	for (i = 0; i < n; i++)
		rte_mbuf_refcnt_update(m[i], 1);
	done = p->device->udp != 0 ? eth_udp_send(p->device->socket, m, n)
				   : rte_eth_tx_burst(p->device->id, 0, m, n);
	for (i = done; i < n; i++)
		if (rte_mbuf_refcnt_read(m[i]) > 1)
			rte_mbuf_refcnt_update(m[i], -1);
	rte_pktmbuf_free_bulk(m, n);
}

/* An end that is up says something to its peer, which a hello may not be. */
static void
note_said(struct eth_port *p, uint64_t now)
{
	eth_stream_ack_sent(&p->stream);
	p->said_ns = now;
}

static void
send_one(struct eth_port *p, enum eth_kind kind, uint32_t seq, uint32_t zeros, uint64_t now)
{
	struct rte_mbuf *m = build_packet(p, kind, seq, NULL, zeros);

	if (m == NULL)
		return;
	if (kind == ETH_DATA)
		note_said(p, now);
	send_packets(p, &m, 1);
}

/* One without payload tells an end whose packets get lost for their size that there is a peer. One
 * that is larger than the other end's MTU would hold up all others in a packet socket. */
static void
say_hello(struct eth_port *p, uint64_t now)
{
	p->hello_ns = now;
	send_one(p, ETH_HELLO, 0, 0, now);
	if (p->peer_mtu == p->device->mtu)
		send_one(p, ETH_HELLO, 0, p->device->payload, now);
}

static void
send_due(struct eth_port *p, uint64_t now)
{
	struct rte_mbuf *m[BURST];
	const uint8_t *data;
	unsigned int bursts;
	uint32_t seq, len;
	uint16_t n = BURST;

	for (bursts = 0; bursts < BURSTS && n == BURST; bursts++) {
		for (n = 0; n < BURST && eth_stream_next(&p->stream, &seq, &data, &len); n++) {
			m[n] = build_packet(p, ETH_DATA, seq, data, len);
			if (m[n] == NULL)
				break;
			eth_stream_sent(&p->stream, seq, now);
		}
		if (n > 0)
			note_said(p, now);
		send_packets(p, m, n);
	}
	if (eth_stream_ack_due(&p->stream, now) || now - p->said_ns > ALIVE_MS * MS)
		send_one(p, ETH_DATA, p->stream.next, 0, now);
}

/* ---- the link ---- */

bool
eth_link_cut(const struct eth_device *d)
{
	struct rte_eth_link link;
	struct ifreq req;

	/* the driver of packet sockets does not look */
	if (d->iface[0] != '\0')
		return eth_iface_ask(d->iface, SIOCGIFFLAGS, &req) < 0 ||
		       (req.ifr_flags & IFF_RUNNING) == 0;
	return rte_eth_link_get_nowait(d->id, &link) == 0 && link.link_status == 0;
}

int
eth_link_begin(struct eth_port *p)
{
	eth_stream_close(&p->stream);
	p->peer = 0;
	p->dead = false;
	p->asked.len = 0;
	p->heard_ns = p->said_ns = eth_now();
	p->gap_ns = 0;
	do
		if (getrandom(&p->session, sizeof(p->session), 0) != sizeof(p->session))
			return -EIO;
	while (p->session == 0);
	return eth_stream_open(&p->stream, p->device->payload);
}

static void
go_up(struct eth_port *p)
{
	if (eth_is_up(p))
		return;
	NTB_LOG(INFO, p->raw.name, "link up");
	atomic_store_explicit(&p->up, true, memory_order_release);
}

static void
go_down(struct eth_port *p, const char *why)
{
	if (!eth_is_up(p))
		return;
	NTB_LOG(INFO, p->raw.name, "link down: %s", why);
	atomic_fetch_add_explicit(&p->breaks, 1, memory_order_relaxed);
	atomic_store_explicit(&p->up, false, memory_order_release);
	if (atomic_load_explicit(&p->wanted.state, memory_order_relaxed) == 1)
		atomic_store_explicit(&p->wanted.state, -EIO, memory_order_release);
	p->dead = p->once || eth_link_begin(p) < 0;
}

/* ---- packets in ---- */

static int
take_record(struct eth_port *p, uint32_t kind, uint64_t off, const uint8_t *data, uint32_t len)
{
	struct eth_wanted *w = &p->wanted;
	uint8_t *at = p->region;
	uint64_t size = p->region_len;

	if (kind == ETH_REPLY) {
		if (atomic_load_explicit(&w->state, memory_order_relaxed) != 1 || len == 0 ||
		    len > w->len)
			return -EPROTO;
		memcpy(w->to, data, len);
		w->to += len;
		w->len -= len;
		if (w->len == 0)
			atomic_store_explicit(&w->state, 0, memory_order_release);
		return 0;
	}
	if (off >= ETH_PADS_OFF) {
		off -= ETH_PADS_OFF;
		at = (uint8_t *)p->pad;
		size = sizeof(p->pad);
	}
	if (off > size || len > size - off)
		return -EPROTO;
	at += off;
	if (kind == ETH_WRITE) {
		eth_packet_store(at, data, len);
		return 0;
	}
	/* the peer has one under way at a time */
	if (kind != ETH_READ || len == 0 || len > ETH_READ_MOST || p->asked.len != 0)
		return -EPROTO;
	p->asked.at = at;
	p->asked.len = len;
	return 0;
}

static int
take_packet(void *arg, const uint8_t *data, uint32_t len)
{
	struct eth_record r;
	uint32_t kind, n, size;
	int ret = 0;

	for (; ret == 0 && len >= sizeof(r); data += size, len -= size) {
		memcpy(&r, data, sizeof(r));
		kind = rte_le_to_cpu_32(r.kind);
		n = rte_le_to_cpu_32(r.len);
		size = kind == ETH_READ ? 0 : RTE_MIN(n, len);
		size = (uint32_t)sizeof(r) + RTE_ALIGN_CEIL(size, ETH_ALIGN);
		if (size > len)
			return -EPROTO;
		ret = take_record(arg, kind, rte_le_to_cpu_64(r.off), data + sizeof(r), n);
	}
	return ret < 0 || len == 0 ? ret : -EPROTO;
}

static void
hear_peer(struct eth_port *p, uint64_t now)
{
	if (eth_is_up(p)) /* else it is how late the peer came */
		p->gap_ns = RTE_MAX(p->gap_ns, now - p->heard_ns);
	p->heard_ns = now;
}

static void
take_hello(struct eth_port *p, const struct eth_head *h, const struct eth_way *way, uint64_t now)
{
	const uint64_t from = rte_le_to_cpu_64(h->from);
	const bool open = !eth_is_up(p) && (p->peer == 0 || now - p->heard_ns > OTHER_MS * MS);

	p->peer_mtu = rte_le_to_cpu_16(h->mtu);
	if (open)
		p->way = (struct eth_way){.from = p->device->way.from, .to = way->from};
	if (p->peer_mtu != p->device->mtu || h->len == 0)
		return;
	if (open)
		p->peer = from;
	if (p->peer != from) {
		p->device->strangers++;
		return;
	}
	hear_peer(p, now);
	if (rte_le_to_cpu_64(h->to) == p->session)
		go_up(p);
	else if (now - p->hello_ns > REPLY_MS * MS)
		say_hello(p, now);
}

/* Returns -EPROTO for what no peer sends. */
static int
take_data(struct eth_port *p, const struct eth_head *h, const uint8_t *data, uint64_t now)
{
	const struct eth_ack ack = {rte_le_to_cpu_32(h->next), rte_le_to_cpu_64(h->sack)};
	const struct eth_taker to = {take_packet, p};
	uint32_t len = rte_le_to_cpu_16(h->len), seq = rte_le_to_cpu_32(h->seq);
	int ret;

	hear_peer(p, now);
	go_up(p);
	if (eth_stream_acked(&p->stream, &ack, now) < 0)
		return 0;
	if (h->kind == ETH_BYE && seq == p->stream.want)
		go_down(p, "the other end has stopped");
	if (h->kind == ETH_BYE || len == 0)
		return 0;
	ret = eth_stream_arrive(&p->stream, seq, data, len, now, &to);
	return ret == -EPROTO ? ret : 0;
}

/* NULL: it is for none. */
static struct eth_port *
find_port(const struct eth_device *d, const struct eth_head *h)
{
	for (unsigned int i = 0; i < d->ports; i++) {
		struct eth_port *p = d->port[i];

		if (h->host == p->far && h->peer == d->host && h->hosts == d->hosts &&
		    p->owner != 0 && !p->dead)
			return p;
	}
	return NULL;
}

static void
take_mbuf(struct eth_device *d, const struct rte_mbuf *m, uint64_t now)
{
	const uint8_t *packet = rte_pktmbuf_mtod(m, const uint8_t *), *data = NULL;
	struct eth_port *p;
	struct eth_way way;
	struct eth_head h;

	if (m->nb_segs == 1)
		data = eth_packet_read(packet, m->data_len, d->key, &way, &h);
	p = data == NULL ? NULL : find_port(d, &h);
	if (p == NULL) { /* this host's own hello to all is no stranger's */
		d->strangers += data == NULL || d->hosts == 0 || h.host != d->host;
		return;
	}
	if (rte_le_to_cpu_64(h.from) == p->session)
		return;
	if (h.kind == ETH_HELLO)
		take_hello(p, &h, &way, now);
	else if (p->peer == 0 || rte_le_to_cpu_64(h.from) != p->peer ||
		 rte_le_to_cpu_64(h.to) != p->session)
		d->strangers++;
	else if (take_data(p, &h, data, now) < 0)
		go_down(p, "a packet came that no Ringbell sends");
}

static void
receive_all(struct eth_device *d, uint64_t now)
{
	struct rte_mbuf *m[BURST];
	unsigned int bursts, i;
	uint16_t n = BURST;

	for (bursts = 0; bursts < BURSTS && n == BURST; bursts++) {
		n = d->udp != 0 ? eth_udp_receive(d->socket, d->pool, m, BURST)
				: rte_eth_rx_burst(d->id, 0, m, BURST);
		for (i = 0; i < n; i++)
			take_mbuf(d, m[i], now);
		rte_pktmbuf_free_bulk(m, n);
		for (i = 0; n == BURST && i < d->ports; i++)
			if (eth_is_up(d->port[i]) && eth_stream_ack_due(&d->port[i]->stream, now))
				send_due(d->port[i], now);
	}
}

/* ---- turns ---- */

uint32_t
eth_link_put(struct eth_port *p, enum eth_record_kind kind, uint64_t off, const void *src,
	     uint32_t len)
{
	if (p->stream.fill == 0)
		p->open_ns = eth_now();
	return eth_packet_put(&p->stream, kind, off, src, len);
}

void
eth_link_push(struct eth_port *p)
{
	eth_stream_seal(&p->stream);
	send_due(p, eth_now());
}

static void
answer_read(struct eth_port *p)
{
	const uint32_t first = p->stream.sealed;
	uint32_t n;

	if (p->asked.len == 0)
		return;
	do {
		n = eth_link_put(p, ETH_REPLY, 0, p->asked.at, p->asked.len);
		p->asked.at += n;
		p->asked.len -= n;
	} while (n != 0 && p->asked.len != 0 && p->stream.sealed - first < BURST);
	if (p->asked.len == 0)
		eth_stream_seal(&p->stream);
}

static void
mind_silence(struct eth_port *p, uint64_t now)
{
	const uint64_t silence = now - p->heard_ns;

	if (silence > CUT_MS * MS && eth_link_cut(p->device))
		go_down(p, "the cable is out, or an interface is down");
	else if (silence > ntb_rawdev_patience(p->gap_ns / MS) * MS)
		go_down(p, "the other end is silent");
}

static void
turn_port(struct eth_port *p, uint64_t now)
{
	if (!eth_is_up(p)) {
		if (!p->dead && now - p->hello_ns > HELLO_MS * MS)
			say_hello(p, now);
		return;
	}
	answer_read(p);
	if (p->stream.fill != 0 &&
	    (atomic_load_explicit(&p->waits, memory_order_relaxed) || now - p->open_ns > OPEN_NS))
		eth_stream_seal(&p->stream);
	atomic_store_explicit(&p->waits, false, memory_order_relaxed);
	eth_stream_time(&p->stream, now);
	send_due(p, now);
	mind_silence(p, now);
}

void
eth_link_turn(struct eth_device *d)
{
	uint64_t now = eth_now(), away = now - d->turn_ns;
	unsigned int i;

	/* while this process got no CPU it heard nobody */
	for (i = 0; away > AWAY_MS * MS && i < d->ports; i++)
		d->port[i]->heard_ns = RTE_MIN(d->port[i]->heard_ns + away, now);
	d->turn_ns = now;
	receive_all(d, now);
	for (i = 0; i < d->ports; i++)
		if (d->port[i]->owner != 0)
			turn_port(d->port[i], now);
}

void
eth_link_bye(struct eth_port *p)
{
	/* one may get lost; where all do, the silence says it later */
	for (unsigned int i = 0; i < 3; i++)
		send_one(p, ETH_BYE, p->stream.next, 0, eth_now());
}
