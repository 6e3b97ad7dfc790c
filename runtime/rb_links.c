/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include <rte_rawdev.h>

#include "rb_barrier.h"
#include "rb_boot.h"
#include "rb_chan.h"
#include "rb_classic.h"
#include "rb_hello.h"
#include "rb_host.h"
#include "rb_mem.h"

/* A wrong hello may be left over from an earlier job, on a chip that kept its scratchpads. */
enum {
	GRACE_MS = 2000
};

/* Where an emulated host's region appears on its bus: aligned to any window size. */
#define EMULATED_BUS (1ull << 40)

static uint64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static int
start_port(struct ntb_port *port)
{
	struct ntb_port_config conf = {
		.va = rb.region,
		.iova = rb.region_fd >= 0 ? EMULATED_BUS : rte_mem_virt2iova(rb.region),
		.len = rb.lay.size,
		.fd = rb.region_fd,
	};
	struct rte_rawdev_info dev = {.dev_private = &conf};
	int ret;

	if (port->window_size < rb.lay.size)
		return rb_fail(-ENOMEM,
			       "the window of %llu bytes is smaller than the region of %llu: lower "
			       "SHMEM_SYMMETRIC_SIZE",
			       (unsigned long long)port->window_size,
			       (unsigned long long)rb.lay.size);
	ret = rte_rawdev_configure(port->dev_id, &dev, sizeof(conf));
	if (ret < 0)
		return rb_fail(ret, "NT port %u refuses the inbound region: %s", port->dev_id,
			       strerror(-ret));
	ret = rte_rawdev_start(port->dev_id);
	if (ret < 0)
		return rb_fail(ret, "NT port %u does not start: %s", port->dev_id, strerror(-ret));
	return 0;
}

/* The first page of the peer's region, read through the window: proves that the translations of
 * both sides lead to the memory that the hello spoke of. */
static int
check_header(const struct rb_link *link, const char *name)
{
	struct rb_region_hdr hdr;

	memcpy(&hdr, link->peer, sizeof(hdr));
	if (hdr.magic != RB_MAGIC || hdr.version != RB_VERSION || hdr.job != rb.env.job ||
	    hdr.host != (uint32_t)link->neighbour || hdr.layout != rb_layout_hash())
		return rb_fail(-EPROTO, "%s link: the window does not show host %d's region", name,
			       link->neighbour);
	if (hdr.data_size != rb.data_size)
		return rb_fail(
			-EPROTO,
			"%s link: host %d runs another program (its static data has %llu bytes, "
			"here it has %zu)",
			name, link->neighbour, (unsigned long long)hdr.data_size, rb.data_size);
	return 0;
}

/* One look at one link. 0: up on both sides, -EAGAIN: not yet, else what is wrong. */
static int
hello_step(enum rb_side side, enum rb_hello_state *mine)
{
	struct rb_link *link = &rb.link[side];
	struct ntb_port *port = link->port;
	const struct rb_hello me = {
		.host = (unsigned int)rb.host,
		.hosts = (unsigned int)rb.hosts,
		.side = side,
		.neighbour = (unsigned int)link->neighbour,
		.layout = rb_layout_hash(),
		.job = rb.env.job,
	};
	enum rb_hello_state theirs;
	uint32_t words[RB_SPAD_COUNT];
	unsigned int i;
	int ret;

	if (ntb_link_poll(port) != NTB_LINK_UP)
		return rb_fail(-EAGAIN, "%s link is down: no cable, or host %d is not there",
			       side == RB_LEFT ? "left" : "right", link->neighbour);
	rb_hello_words(&me, *mine, words);
	for (i = RB_SPAD_COUNT; i-- > 0;) /* the magic last */
		port->ops->spad_write(port, i, words[i]);
	for (i = 0; i < RB_SPAD_COUNT; i++)
		words[i] = port->ops->peer_spad_read(port, i);
	ret = rb_hello_judge(&me, words, &theirs);
	if (ret < 0)
		return ret;
	if (*mine == RB_HELLO_HERE) {
		ret = check_header(link, side == RB_LEFT ? "left" : "right");
		if (ret == 0) {
			*mine = RB_HELLO_SEEN;
			ret = hello_step(side, mine);
		}
		return ret;
	}
	return theirs == RB_HELLO_SEEN ? 0
				       : rb_fail(-EAGAIN, "host %d does not see this host's hello",
						 link->neighbour);
}

static int
hello(void)
{
	enum rb_hello_state mine[RB_SIDES] = {RB_HELLO_HERE, RB_HELLO_HERE};
	bool up[RB_SIDES] = {false, false};
	uint64_t start = now_ms(), wrong = 0;
	struct rb_wait w = {0};
	unsigned int side;

	for (;;) {
		int ret = 0;

		/* each turn looks at both sides: a host that only waited for its left one would
		 * never answer its right one */
		for (side = 0; side < RB_SIDES; side++) {
			int err;

			if (rb.link[side].port == NULL || up[side])
				continue;
			err = hello_step(side, &mine[side]);
			up[side] = err == 0;
			if (ret == 0 || ret == -EAGAIN)
				ret = err != 0 ? err : ret;
			if (ret != 0 && ret != -EAGAIN)
				break;
		}
		if (ret == 0)
			return 0;
		if (ret != -EAGAIN) {
			wrong = wrong == 0 ? now_ms() : wrong;
			if (now_ms() - wrong > GRACE_MS)
				return ret;
		} else if (now_ms() - start > rb.env.hello_timeout * 1000ull) {
			char why[256];

			snprintf(why, sizeof(why), "%s", rb_error());
			return rb_fail(-ETIMEDOUT, "%s (waited %u s, RINGBELL_HELLO_TIMEOUT)", why,
				       rb.env.hello_timeout);
		}
		rb_wait_turn(&w);
	}
}

static void
attach(enum rb_side side)
{
	struct rb_link *link = &rb.link[side];

	link->peer = link->port->window;
	link->memory = (link->port->caps & NTB_CAP_WINDOW_IS_MEMORY) != 0;
	link->wc = (link->port->caps & NTB_CAP_WINDOW_WC) != 0;
	link->neighbour =
		side == RB_LEFT ? (rb.host + rb.hosts - 1) % rb.hosts : (rb.host + 1) % rb.hosts;
	rb_chan_attach(side);
}

/* Where only one link exists everything goes there. */
static void
set_routes(uint32_t sides)
{
	int h;

	for (h = 0; h < rb.hosts; h++) {
		struct rb_route *r = &rb.route[h];

		*r = rb_rule_route((unsigned int)rb.host, (unsigned int)h, (unsigned int)rb.hosts);
		if ((sides & 1u << r->side) != 0)
			continue;
		r->side ^= 1;
		r->hops = h == rb.host ? 0 : (unsigned int)rb.hosts - r->hops;
	}
}

int
rb_links_up(void)
{
	struct rb_region_hdr *hdr = (struct rb_region_hdr *)rb.region;
	uint32_t sides = 0;
	unsigned int side;
	int ret;

	*hdr = (struct rb_region_hdr){
		.magic = RB_MAGIC,
		.version = RB_VERSION,
		.job = rb.env.job,
		.host = (uint32_t)rb.host,
		.hosts = (uint32_t)rb.hosts,
		.layout = rb_layout_hash(),
		.data_size = rb.data_size,
	};
	for (side = 0; side < RB_SIDES; side++) {
		if (rb.link[side].port == NULL)
			continue;
		ret = start_port(rb.link[side].port);
		if (ret < 0)
			return ret;
		attach(side);
		sides |= 1u << side;
	}
	set_routes(sides);
	if (rb.seg != NULL)
		rb.seg->sides = sides;
	ret = rb_barrier_check();
	if (ret == 0)
		ret = rb_classic_check();
	return ret < 0 ? ret : hello();
}

void
rb_links_follow(void)
{
	unsigned int side;

	for (side = 0; side < RB_SIDES; side++) {
		rb.link[side].mine = (struct rb_ctl *)(rb.region + rb.lay.ctl[side]);
		rb.link[side].memory = rb_emulated();
	}
	set_routes(rb.seg->sides);
}

void
rb_links_down(void)
{
	unsigned int side;

	for (side = 0; side < RB_SIDES; side++) {
		if (rb.link[side].port == NULL)
			continue;
		if (rb.link[side].peer != NULL) /* started */
			rte_rawdev_stop(rb.link[side].port->dev_id);
		rte_rawdev_close(rb.link[side].port->dev_id);
		rb.link[side].port = NULL;
	}
}
