/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "eth_port.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include <rte_alarm.h>

enum {
	BATCH = 16,	      /* packets that leave together */
	TURN_US = 100 * 1000, /* of the alarm */
};

static struct eth_port *
eth_port_of(struct ntb_port *port)
{
	return container_of(port, struct eth_port, raw.port);
}

static bool
is_up(const struct eth_port *p)
{
	return atomic_load_explicit(&p->up, memory_order_acquire);
}

/* ---- turns ---- */

/* By number. Release and acquire: a port is whole before it is here. */
static _Atomic(struct eth_port *) started[RTE_RAWDEV_MAX_DEVS];

static void
try_turn(struct eth_port *p)
{
	if (!rte_spinlock_trylock(&p->lock))
		return;
	eth_link_turn(p);
	rte_spinlock_unlock(&p->lock);
}

/* The EAL's interrupt thread sleeps in between, so it gets a CPU soon where those that poll wait.
 */
static void
turn_by_alarm(void *arg)
{
	try_turn(arg);
	rte_eal_alarm_set(TURN_US, turn_by_alarm, arg);
}

int
eth_turns_begin(struct eth_port *p)
{
	int ret = rte_eal_alarm_set(TURN_US, turn_by_alarm, p);

	if (ret == 0)
		atomic_store_explicit(&started[p->raw.port.dev_id], p, memory_order_release);
	return ret;
}

void
eth_turns_end(struct eth_port *p)
{
	if (p->owner == getpid())
		rte_eal_alarm_cancel(turn_by_alarm, p);
	atomic_store_explicit(&started[p->raw.port.dev_id], NULL, memory_order_release);
}

void
eth_turn_all(void)
{
	for (unsigned int i = 0; i < RTE_RAWDEV_MAX_DEVS; i++) {
		struct eth_port *p = atomic_load_explicit(&started[i], memory_order_acquire);

		if (p != NULL)
			try_turn(p);
	}
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
	return is_up(eth_port_of(port)) ? NTB_LINK_UP : NTB_LINK_DOWN;
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

	eth_lock(p);
	p->once = true;
	rte_spinlock_unlock(&p->lock);
}

static void
port_why_down(struct ntb_port *port, char *text, size_t size)
{
	struct eth_port *p = eth_port_of(port);

	text[0] = '\0';
	if (p->owner == 0 || is_up(p))
		return;
	if (eth_link_cut(p))
		snprintf(text, size, "interface %s is down: ip link set %s up, at both ends",
			 p->device, p->iface[0] == '\0' ? "IFACE" : p->iface);
	else if (p->small_ns != 0 && p->peer_mtu != p->mtu)
		snprintf(text, size,
			 "the MTU of %s is %u, the other end has %u: make them the same", p->device,
			 p->mtu, p->peer_mtu);
	else if (p->small_ns != 0 && p->peer == 0)
		snprintf(text, size,
			 "only small packets come in by %s: what is between the ends has an MTU "
			 "below %u",
			 p->device, p->mtu);
	else if (p->peer != 0)
		snprintf(text, size, "the other end is heard by %s, and does not answer yet",
			 p->device);
	else
		snprintf(text, size,
			 "no packet of this job came in by %s, and %" PRIu64
			 " of others: wrong interface, another key=, or a switch that drops "
			 "EtherType 0x%x",
			 p->device, p->strangers, ETH_TYPE);
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
	return is_up(p) && p->owner == getpid();
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
	while (len > 0 && is_up(p)) {
		eth_lock(p);
		n = is_up(p) ? eth_link_put(p, ETH_WRITE, off, from,
					    (uint32_t)RTE_MIN(len, (size_t)UINT16_MAX))
			     : 0;
		if (n == 0 || p->stream.sealed - p->stream.next >= BATCH)
			eth_link_turn(p);
		rte_spinlock_unlock(&p->lock);
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
	eth_lock(p);
	if (is_up(p))
		eth_link_push(p);
	rte_spinlock_unlock(&p->lock);
}

static bool
ask_read(struct eth_port *p, uint64_t off, uint32_t len)
{
	bool asked;

	eth_lock(p);
	asked = is_up(p) && eth_link_put(p, ETH_READ, off, NULL, len) != 0;
	if (asked) {
		atomic_store_explicit(&p->wanted.state, 1, memory_order_relaxed);
		eth_link_push(p);
	}
	rte_spinlock_unlock(&p->lock);
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

const struct ntb_port_ops eth_port_ops = {
	.region_align = ntb_rawdev_align,
	.link_poll = port_link_poll,
	.link_breaks = port_link_breaks,
	.flush = port_flush,
	.link_once = port_link_once,
	.why_down = port_why_down,
	.write = port_write,
	.push = port_push,
	.read = port_read,
	.poll = port_poll,
};
