/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "eth_port.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <rte_ethdev.h>

enum {
	BATCH = 16, /* packets that leave together */
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
	eth_unlock(p);
}

int
eth_iface_ask(const char *iface, unsigned long what, struct ifreq *ret)
{
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), err;

	if (s < 0)
		return -errno;
	*ret = (struct ifreq){0};
	snprintf(ret->ifr_name, sizeof(ret->ifr_name), "%s", iface);
	err = ioctl(s, what, ret) < 0 ? -errno : 0;
	close(s);
	return err;
}

static bool
device_down(const struct eth_port *p)
{
	struct rte_eth_link link;
	struct ifreq req;

	/* the driver of packet sockets does not look */
	if (p->iface[0] != '\0')
		return eth_iface_ask(p->iface, SIOCGIFFLAGS, &req) < 0 ||
		       (req.ifr_flags & IFF_RUNNING) == 0;
	return rte_eth_link_get_nowait(p->dev, &link) == 0 && link.link_status == 0;
}

static void
port_why_down(struct ntb_port *port, char *text, size_t size)
{
	struct eth_port *p = eth_port_of(port);

	text[0] = '\0';
	if (p->raw.state != NTB_RAWDEV_STARTED || is_up(p))
		return;
	if (device_down(p))
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

static uint64_t
port_region_align(struct ntb_port *port, uint64_t len)
{
	(void)port;
	(void)len;
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

static void
port_poll(struct ntb_port *port)
{
	(void)port;
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

	while (len > 0 && may_talk(p)) {
		eth_lock(p);
		n = is_up(p) ? eth_link_put(p, ETH_WRITE, off, from,
					    (uint32_t)RTE_MIN(len, (size_t)UINT16_MAX))
			     : 0;
		if (n == 0 || p->stream.sealed - p->stream.next >= BATCH)
			eth_link_turn(p);
		eth_unlock(p);
		off += n;
		from += n;
		len -= n;
		if (n > 0)
			continue;
		eth_turn_all();
		sched_yield();
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
	eth_unlock(p);
}

static void
await_read(struct eth_port *p)
{
	while (atomic_load_explicit(&p->wanted.state, memory_order_acquire) == 1) {
		eth_turn_all();
		if (atomic_load_explicit(&p->wanted.state, memory_order_acquire) == 1)
			sched_yield();
	}
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
	eth_unlock(p);
	return asked;
}

/* One read is under way at a time. */
static int
read_piece(struct eth_port *p, uint64_t off, void *dst, uint32_t len)
{
	int ret = -EIO;

	while (atomic_flag_test_and_set_explicit(&p->reading, memory_order_acquire)) {
		eth_turn_all();
		sched_yield();
	}
	p->wanted.to = dst;
	p->wanted.len = len;
	while (may_talk(p)) {
		if (ask_read(p, off, len)) {
			await_read(p);
			ret = atomic_load_explicit(&p->wanted.state, memory_order_relaxed);
			break;
		}
		eth_turn_all();
		sched_yield();
	}
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
	.region_align = port_region_align,
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
