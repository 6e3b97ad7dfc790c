/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "eth_link.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#include <rte_alarm.h>

enum {
	BATCH = 16,	     /* packets that leave together */
	TURN_US = 50 * 1000, /* of the alarm */
};

/* ---- turns ---- */

/* By the number of the first port. Release and acquire: a device is whole before its bit is set. */
static struct eth_device *started[RTE_RAWDEV_MAX_DEVS];
static _Atomic uint64_t running;
_Static_assert(RTE_RAWDEV_MAX_DEVS <= 64, "a bit for each");

static void
try_turn(struct eth_device *d)
{
	if (!rte_spinlock_trylock(&d->lock))
		return;
	eth_link_turn(d);
	rte_spinlock_unlock(&d->lock);
}

/* The EAL's interrupt thread sleeps in between, so it gets a CPU soon where those that poll wait.
 */
static void
turn_by_alarm(void *arg)
{
	try_turn(arg);
	rte_eal_alarm_set(TURN_US, turn_by_alarm, arg);
}

/* A forked process has no say on the wire. Not by getpid() at each write: a system call takes as
 * long as the write. Relaxed: set by the only thread of a child, before it runs. */
static _Atomic bool forked;

static void
mark_child(void)
{
	atomic_store_explicit(&forked, true, memory_order_relaxed);
}

int
eth_turns_begin(struct eth_device *d)
{
	static bool watched;
	int ret = 0;

	if (!watched)
		ret = -pthread_atfork(NULL, NULL, mark_child);
	watched = ret == 0;
	if (ret == 0)
		ret = rte_eal_alarm_set(TURN_US, turn_by_alarm, d);
	started[d->port[0]->raw.port.dev_id] = d;
	if (ret == 0)
		atomic_fetch_or(&running, 1ull << d->port[0]->raw.port.dev_id);
	return ret;
}

void
eth_turns_end(struct eth_device *d, bool own)
{
	if (own)
		rte_eal_alarm_cancel(turn_by_alarm, d);
	atomic_fetch_and(&running, ~(1ull << d->port[0]->raw.port.dev_id));
}

void
eth_turn_all(void)
{
	uint64_t bits = atomic_load_explicit(&running, memory_order_acquire);

	for (; bits != 0; bits &= bits - 1)
		try_turn(started[__builtin_ctzll(bits)]);
}

static void
wait_turn(void)
{
	sched_yield();
	eth_turn_all();
}

/* ---- the link ---- */

static enum ntb_link
port_link_poll(struct ntb_port *port)
{
	eth_turn_all();
	return eth_is_up(eth_port_of(port)) ? NTB_LINK_UP : NTB_LINK_DOWN;
}

static uint64_t
port_link_breaks(struct ntb_port *port)
{
	eth_turn_all();
	return atomic_load_explicit(&eth_port_of(port)->breaks, memory_order_relaxed);
}

static void
port_link_once(struct ntb_port *port)
{
	struct eth_port *p = eth_port_of(port);

	eth_lock(p->device);
	p->once = true;
	p->gap_ns = 0; /* until then it counted how late the peer came */
	rte_spinlock_unlock(&p->device->lock);
}

static void
port_why_down(struct ntb_port *port, char *text, size_t size)
{
	const struct eth_port *p = eth_port_of(port);
	const struct eth_device *d = p->device;
	char whose[32] = "";

	text[0] = '\0';
	if (p->owner == 0 || eth_is_up(p))
		return;
	if (d->hosts != 0)
		snprintf(whose, sizeof(whose), "host %u of %u of ", p->far, d->hosts);
	if (eth_link_cut(d))
		snprintf(text, size, "interface %s is down: ip link set %s up, at both ends",
			 d->ethdev, d->iface[0] == '\0' ? "IFACE" : d->iface);
	else if (p->peer_mtu != 0 && p->peer_mtu != d->mtu)
		snprintf(text, size,
			 "the MTU of %s is %u, the other end has %u: make them the same", d->ethdev,
			 d->mtu, p->peer_mtu);
	else if (p->peer_mtu != 0 && p->peer == 0)
		snprintf(text, size,
			 "only small packets come in by %s: what is between the ends has an MTU "
			 "below %u",
			 d->ethdev, d->mtu);
	else if (p->peer != 0)
		snprintf(text, size, "the other end is heard by %s, and does not answer yet",
			 d->ethdev);
	else
		snprintf(text, size,
			 "no packet of %sthis job came in by %s, and %" PRIu64
			 " of others: wrong interface, another key=, or a %s",
			 whose, d->ethdev, d->strangers,
			 d->udp != 0 ? "firewall"
				     : "switch that drops EtherType " RTE_STR(ETH_TYPE));
}

/* ---- the window ---- */

static void
port_poll(struct ntb_port *port, bool waits)
{
	if (waits)
		atomic_store_explicit(&eth_port_of(port)->waits, true, memory_order_relaxed);
	eth_turn_all();
}

static bool
may_talk(const struct eth_port *p)
{
	return eth_is_up(p) && !atomic_load_explicit(&forked, memory_order_relaxed);
}

/* As to a window whose link is down, nothing happens then. */
static void
port_write(struct ntb_port *port, uint64_t off, const void *src, size_t len)
{
	struct eth_port *p = eth_port_of(port);
	const uint8_t *from = src;
	uint32_t n;

	if (!may_talk(p))
		return;
	while (len > 0 && eth_is_up(p)) {
		eth_lock(p->device);
		n = eth_is_up(p) ? eth_link_put(p, ETH_WRITE, off, from,
						(uint32_t)RTE_MIN(len, (size_t)UINT16_MAX))
				 : 0;
		if (n == 0 || p->stream.sealed - p->stream.next >= BATCH)
			eth_link_turn(p->device);
		rte_spinlock_unlock(&p->device->lock);
		off += n;
		from += n;
		len -= n;
		if (n == 0)
			wait_turn();
	}
}

static void
port_push(struct ntb_port *port)
{
	struct eth_port *p = eth_port_of(port);

	if (!may_talk(p))
		return;
	eth_lock(p->device);
	if (eth_is_up(p))
		eth_link_push(p);
	rte_spinlock_unlock(&p->device->lock);
}

static bool
ask_read(struct eth_port *p, uint64_t off, uint32_t len)
{
	bool asked;

	eth_lock(p->device);
	asked = eth_is_up(p) && eth_link_put(p, ETH_READ, off, NULL, len) != 0;
	if (asked) {
		atomic_store_explicit(&p->wanted.state, 1, memory_order_relaxed);
		eth_link_push(p);
	}
	rte_spinlock_unlock(&p->device->lock);
	return asked;
}

/* One read is under way at a time. */
static int
read_piece(struct eth_port *p, uint64_t off, void *dst, uint32_t len)
{
	int ret;

	while (atomic_flag_test_and_set_explicit(&p->reading, memory_order_acquire))
		wait_turn();
	p->wanted.to = dst;
	p->wanted.len = len;
	atomic_store_explicit(&p->wanted.state, -EIO, memory_order_relaxed);
	while (may_talk(p) && !ask_read(p, off, len))
		wait_turn();
	while ((ret = atomic_load_explicit(&p->wanted.state, memory_order_acquire)) == 1)
		wait_turn();
	atomic_flag_clear_explicit(&p->reading, memory_order_release);
	return ret;
}

static int
port_read(struct ntb_port *port, uint64_t off, void *dst, size_t len)
{
	uint8_t *to = dst;
	uint32_t n;
	int ret = 0;

	for (; ret == 0 && len > 0; off += n, to += n, len -= n) {
		n = (uint32_t)RTE_MIN(len, (size_t)ETH_READ_MOST);
		ret = read_piece(eth_port_of(port), off, to, n);
	}
	return ret;
}

/* Packets are taken in order, so what is read shows that all before it has been stored. */
static int
port_flush(struct ntb_port *port, uint64_t off, uint64_t *ret)
{
	return port_read(port, off, ret, sizeof(*ret));
}

/* ---- scratchpads ---- */

static uint32_t
port_spad_read(struct ntb_port *port, unsigned int i)
{
	eth_turn_all();
	return atomic_load_explicit(&eth_port_of(port)->pad[i], memory_order_acquire);
}

static void
port_spad_write(struct ntb_port *port, unsigned int i, uint32_t v)
{
	atomic_store_explicit(&eth_port_of(port)->pad[i], v, memory_order_release);
}

static uint32_t
port_peer_spad_read(struct ntb_port *port, unsigned int i)
{
	uint32_t v = UINT32_MAX;

	(void)port_read(port, ETH_PADS_OFF + i * sizeof(v), &v, sizeof(v));
	return v;
}

static void
port_peer_spad_write(struct ntb_port *port, unsigned int i, uint32_t v)
{
	port_write(port, ETH_PADS_OFF + i * sizeof(v), &v, sizeof(v));
	port_push(port);
}

const struct ntb_port_ops eth_port_ops = {
	.region_align = ntb_rawdev_align,
	.link_poll = port_link_poll,
	.link_breaks = port_link_breaks,
	.spad_read = port_spad_read,
	.spad_write = port_spad_write,
	.peer_spad_read = port_peer_spad_read,
	.peer_spad_write = port_peer_spad_write,
	.flush = port_flush,
	.link_once = port_link_once,
	.why_down = port_why_down,
	.write = port_write,
	.push = port_push,
	.read = port_read,
	.poll = port_poll,
};
