/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/links.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_common.h>

#include "base/error.h"
#include "base/exit.h"
#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/window.h"
#include "base/wire.h"
#include "host/hostseg.h"
#include "link/cable.h"
#include "link/chan.h"
#include "link/handshake.h"
#include "link/window.h"
#include "link/wiring.h"
#include "mem/layout_fit.h"
#include "mem/layout.h"
#include "mem/region.h"
#include "mem/settings.h"

/* Bus address of an emulated host's region: aligned to any window size. */
#define EMULATED_BUS (1ull << 40)

/* Modes need doorbells, and hosts with more ports than a ring has scratchpads, which a port may
 * lack. */
static int
check_modes(const struct ntb_port *ntb, unsigned int port)
{
	const struct {
		bool asked;
		const char *setting;
		unsigned int bells, pads;
	} mode[] = {
		{rb.ports > RB_RING_PORTS, "a host with more than two NT ports", 0, RB_SPAD_COUNT},
		{rb.notify == RB_NOTIFY_DOORBELL, "RINGBELL_NOTIFY=doorbell", RB_DB_COUNT, 0},
	};
	size_t i;

	for (i = 0; i < RTE_DIM(mode); i++)
		if (mode[i].asked &&
		    (ntb->db_count < mode[i].bells || ntb->spad_count < mode[i].pads))
			return rb_fail(-ENODEV,
				       "%s needs %u doorbells and %u scratchpads, but %s has "
				       "%u and %u",
				       mode[i].setting, mode[i].bells, mode[i].pads,
				       rb_port_name(port), ntb->db_count, ntb->spad_count);
	return 0;
}

int
rb_links_want(uint64_t *ret_align)
{
	const struct ntb_port *narrow = NULL;
	unsigned int port;
	int ret = 0;

	for (port = 0; port < rb.ports; port++) {
		const struct ntb_port *ntb = rb.link[port].port;

		if (ntb != NULL && (narrow == NULL || ntb->window_size < narrow->window_size))
			narrow = ntb;
	}
	/* PEs of an emulated ring share their region before there are ports */
	if (rb_emulated() && narrow != NULL && narrow->window_size < rb_mem.lay.shown)
		ret = rb_layout_fit_refuse(narrow->window_size, narrow->setting);
	else if (!rb_emulated() && narrow != NULL)
		ret = rb_layout_fit(narrow->window_size, narrow->setting);
	*ret_align = RB_HEAP_ALIGN;
	for (port = 0; ret == 0 && port < rb.ports; port++) {
		struct ntb_port *ntb = rb.link[port].port;

		if (ntb == NULL)
			continue;
		*ret_align = RTE_MAX(*ret_align, ntb->ops->region_align(ntb, rb_mem.lay.size));
		ret = check_modes(ntb, port);
	}
	return ret;
}

/* The host's region is one, so ports with memory of their own have the same. What goes in messages
 * can come from anywhere: their ports' memory is for hosts that have no others. */
int
rb_links_memory(const struct ntb_port_memory **ret_memory)
{
	const struct ntb_port_memory *of_messages = NULL;
	bool on_bus = false;
	unsigned int port;

	*ret_memory = NULL;
	for (port = 0; port < rb.ports; port++) {
		const struct ntb_port *ntb = rb.link[port].port;

		if (ntb == NULL)
			continue;
		if (ntb->memory == NULL)
			on_bus = true;
		else if ((ntb->caps & NTB_CAP_WINDOW_MESSAGES) != 0)
			of_messages = ntb->memory;
		else if (*ret_memory != NULL && *ret_memory != ntb->memory)
			return rb_fail(-ENOTSUP,
				       "the ports of this host have memory in two places: take "
				       "all of them from one --vdev=raw_ntb_shared");
		else
			*ret_memory = ntb->memory;
	}
	if (*ret_memory == NULL && !on_bus)
		*ret_memory = of_messages;
	return 0;
}

static int
start_port(struct ntb_port *ntb)
{
	const struct ntb_port_memory *own = ntb->memory;
	struct ntb_port_config conf = {
		.va = rb_mem.region,
		.iova = rb_region_bus() != 0 ? rb_region_bus() : EMULATED_BUS,
		.len = rb_mem.lay.size,
		.fd = own != NULL ? own->fd : rb_mem.file.fd,
		.fd_off = own != NULL ? own->off : 0,
	};
	int ret = ntb_port_configure(ntb, &conf);
	sigset_t mask;

	if (ret < 0)
		return rb_fail(ret, "cannot set the inbound region of NT port %u: %s", ntb->dev_id,
			       strerror(-ret));
	rb_signals_block(&mask); /* the ethdev of a port may have threads */
	ret = ntb_port_start(ntb);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	if (ret < 0)
		return rb_fail(ret, "cannot start NT port %u: %s", ntb->dev_id, strerror(-ret));
	return 0;
}

/* A job that survives a lost cable uses all windows as an adapter's: what is under way in them may
 * be lost. */
static uint32_t
window_caps(const struct ntb_port *ntb)
{
	const uint32_t memory = NTB_CAP_WINDOW_IS_MEMORY | NTB_CAP_ATOMICS;

	return rb.survives ? ntb->caps & ~memory : ntb->caps;
}

static void
attach_link(unsigned int port)
{
	struct rb_link *link = &rb.link[port];

	link->peer = link->port->window;
	rb_link_caps(link, window_caps(link->port));
	if (link->messages)
		rb_window_messages();
	if (link->wc)
		rb_weak_window(link->peer, link->port->window_size);
	rb_chan_attach(port);
}

static uint64_t
reach_of(unsigned int port)
{
	return rb_layout_reach(rb.far[port]);
}

/* If a window is a file, the other PEs of this host store through their own mapping of it. A port
 * without a port has nothing to flush. */
static void
share_window(unsigned int port)
{
	struct ntb_port *ntb = rb.link[port].port;
	uint64_t off = 0;
	int fd = -1;

	if (ntb == NULL || rb.survives || ntb_window_file(ntb, 0, reach_of(port), &fd, &off) < 0)
		fd = -1;
	rb_hostseg->window_caps[port] = ntb == NULL ? NTB_CAP_WINDOW_IS_MEMORY : window_caps(ntb);
	rb_hostseg->window_off[port] = off;
	rb_hostseg->window[port] = rb_file_of(fd);
}

int
rb_links_start(void)
{
	struct rb_region_hdr *hdr = (struct rb_region_hdr *)rb_mem.region;
	uint32_t links = 0;
	unsigned int port;
	int ret = rb_handshake_init();

	if (ret < 0)
		return ret;
	*hdr = (struct rb_region_hdr){
		.magic = RB_MAGIC,
		.version = RB_VERSION,
		.job = rb.env.job,
		.host = (uint32_t)rb.host,
		.hosts = (uint32_t)rb.hosts,
		.settings_hash = rb_settings_hash(),
	};
	rb_settings_here(&hdr->settings);
	for (port = 0; port < rb.ports; port++) {
		/* also without a port: acknowledgements are the sum of both sides */
		rb.link[port].mine = (struct rb_ctl *)(rb_mem.region + rb_mem.lay.ctl[port]);
		if (rb.link[port].port == NULL)
			continue;
		ret = start_port(rb.link[port].port);
		if (ret < 0)
			return ret;
		attach_link(port);
		links |= 1u << port;
	}
	if (rb_hostseg != NULL)
		rb_hostseg->links = links;
	return 0;
}

static void
stop_port(unsigned int port)
{
	struct rb_link *link = &rb.link[port];

	/* nobody stores a word through it from here on, also not to end a job that cannot start */
	__atomic_store_n(&link->up, false, __ATOMIC_RELAXED);
	rb_win_port_drains(link->peer);
	if (link->peer != NULL) /* started */
		ntb_port_stop(link->port);
	link->messages = false;
	/* DPDK's own telemetry reads open ports, in threads that nobody can stop */
	if (!rb.env.telemetry)
		ntb_port_close(link->port);
	link->port = NULL;
}

/* The handshake has found no cable there. */
static void
leave_out_ports(void)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++) {
		if (rb.link[port].port == NULL || rb.link[port].up)
			continue;
		rb_note("host %d: %s has no cable and is left out", rb.host, rb_port_name(port));
		stop_port(port);
		if (rb_hostseg != NULL)
			rb_hostseg->links &= ~(1u << port);
	}
}

int
rb_links_up(void)
{
	unsigned int port;
	int ret = rb_handshake();

	if (ret == 0) {
		leave_out_ports();
		ret = rb_wiring_agree();
	}
	if (ret < 0)
		return ret;
	for (port = 0; port < rb.ports; port++) {
		rb.flushes |= rb.link[port].port != NULL && !rb.link[port].memory;
		if (rb_hostseg != NULL)
			share_window(port);
	}
	return 0;
}

/* The lead has done the handshake; only check that this mapping shows the same region. */
static int
follow_window(unsigned int port)
{
	const struct rb_region_hdr *mine = (const struct rb_region_hdr *)rb_mem.region, *hdr;
	struct rb_link *link = &rb.link[port];
	int fd = rb_hostseg_open(&rb_hostseg->window[port], "the host's window"), err;
	void *va;

	if (fd < 0)
		return fd;
	va = mmap(NULL, reach_of(port), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		  (off_t)rb_hostseg->window_off[port]);
	err = -errno;
	close(fd);
	if (va == MAP_FAILED)
		return rb_fail(err, "cannot map the host's window: %s", strerror(-err));
	link->peer = va;
	hdr = va;
	if (hdr->magic == RB_MAGIC && hdr->job == mine->job &&
	    hdr->settings_hash == mine->settings_hash &&
	    hdr->host == (uint32_t)rb_route_beyond(link))
		return 0;
	return rb_fail(-EPROTO, "the host's window does not show host %d's region",
		       rb_route_beyond(link));
}

int
rb_links_follow(void)
{
	unsigned int port;
	int ret = rb_wiring_routes();

	for (port = 0; ret == 0 && port < rb.ports; port++) {
		rb.link[port].mine = (struct rb_ctl *)(rb_mem.region + rb_mem.lay.ctl[port]);
		rb.link[port].memory =
			(rb_hostseg->window_caps[port] & NTB_CAP_WINDOW_IS_MEMORY) != 0;
		rb.flushes |= !rb.link[port].memory;
		rb.link[port].atomics = (rb_hostseg->window_caps[port] & NTB_CAP_ATOMICS) != 0;
		if ((rb_hostseg->links & 1u << port) != 0 && rb_hostseg->window[port].fd >= 0)
			ret = follow_window(port);
	}
	return ret;
}

void
rb_links_down(void)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++) {
		if (rb.link[port].port == NULL)
			continue;
		rb_cable_farewell(port);
		stop_port(port);
	}
}
