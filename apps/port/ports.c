/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_memzone.h>
#include <rte_rawdev.h>

#include "access.h"
#include "cli.h"
#include "ports.h"

enum {
	LINK_MS = 5000,
	BUS_UNITS = 64, /* where an emulated host's memory starts, in window alignments */
};

static int
fail_with(int error, const char *what)
{
	cli_say("%s: %s", what, strerror(-error));
	return error;
}

unsigned int
ports_find(struct ntb_port_info *infos, unsigned int max)
{
	unsigned int n = 0;
	uint16_t id;

	for (id = 0; id < rte_rawdev_count() && n < max; id++)
		n += access_port(id, &infos[n]) == 0;
	return n;
}

/* Of memory that the port brings along, which is the same each time, or of a file. */
static int
open_memory(const struct ntb_port *port, size_t len, uint64_t *ret_off)
{
	bool own = port->memory != NULL && (port->caps & NTB_CAP_WINDOW_MESSAGES) == 0;
	int fd = own ? dup(port->memory->fd) : memfd_create("ringbell-port-memory", MFD_CLOEXEC);

	*ret_off = own ? port->memory->off : 0;
	return fd >= 0 && !own && ftruncate(fd, (off_t)len) < 0 ? -1 : fd;
}

/* Inbound memory: for a real port memory that the adapter can reach, for another one memory that a
 * peer process can map. */
int
port_region(const struct ntb_port_info *info, size_t len, unsigned int number,
	    struct ntb_port_config *ret_conf)
{
	const struct rte_memzone *zone;
	char name[RTE_MEMZONE_NAMESIZE];
	uint64_t align;

	*ret_conf = (struct ntb_port_config){.len = len, .fd = -1};
	if (info->port->caps & (NTB_CAP_WINDOW_IS_MEMORY | NTB_CAP_WINDOW_MESSAGES)) {
		ret_conf->fd = open_memory(info->port, len, &ret_conf->fd_off);
		if (ret_conf->fd < 0)
			return fail_with(-errno, "no inbound memory");
		ret_conf->va = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
				    ret_conf->fd, (off_t)ret_conf->fd_off);
		if (ret_conf->va == MAP_FAILED)
			return fail_with(-errno, "no inbound memory");
		ret_conf->iova = BUS_UNITS * (number + 1) * info->window_align;
	} else {
		/* must be aligned on the bus, which the EAL does not do: take more memory and
		 * find a place in it; the peer may see whole multiples */
		align = info->port->ops->region_align(info->port, len);
		snprintf(name, sizeof(name), "perf_%u_%u", info->port->dev_id, number);
		zone = rte_memzone_reserve_aligned(name, RTE_ALIGN_CEIL(len, align) + align,
						   rte_rawdev_socket_id(info->port->dev_id),
						   RTE_MEMZONE_IOVA_CONTIG, 0);
		if (!zone)
			return fail_with(-ENOMEM,
					 "no contiguous inbound memory: --legacy-mem or more "
					 "huge pages help");
		ret_conf->iova = RTE_ALIGN_CEIL(zone->iova, align);
		ret_conf->va = RTE_PTR_ADD(zone->addr, ret_conf->iova - zone->iova);
	}
	return 0;
}

static int
port_start(const struct ntb_port_info *info, size_t len, uint8_t **ret_region)
{
	struct ntb_port_config conf;
	int ret = port_region(info, len, 0, &conf);

	if (ret == 0) {
		ret = ntb_port_configure(info->port, &conf);
		if (ret < 0)
			fail_with(ret, "cannot configure a port");
	}
	if (conf.fd >= 0)
		close(conf.fd);
	if (ret < 0)
		return ret;
	ret = ntb_port_start(info->port);
	if (ret < 0)
		return fail_with(ret, "cannot start a port");
	*ret_region = conf.va;
	return 0;
}

/* Two emulated ones; the EAL closes them at its end. */
static int
make_ports(size_t len)
{
	int cable = memfd_create("ringbell-port-cable", MFD_CLOEXEC), end, ret;
	unsigned long bar = 1;
	char name[32], args[96];

	while (bar << 20 < len)
		bar *= 2;
	if (cable < 0)
		return fail_with(-errno, "no file for a cable");
	for (end = 0; end < ENDS; end++) {
		snprintf(name, sizeof(name), "raw_ntb_plx_emu_%d", end);
		snprintf(args, sizeof(args), "cable=/proc/self/fd/%d,end=%d,bar2=%luM", cable, end,
			 bar);
		ret = rte_vdev_init(name, args);
		if (ret < 0)
			return fail_with(ret, "no emulated port");
	}
	return 0;
}

static bool
wait_link(const struct ports *p)
{
	unsigned int ms;

	for (ms = 0; ms < LINK_MS; ms++) {
		/* both are looked at: a link needs that */
		bool near = ntb_link_poll(p->port[NEAR]) == NTB_LINK_UP;
		bool away = ntb_link_poll(p->port[AWAY]) == NTB_LINK_UP;

		if (near && away)
			return true;
		rte_delay_us_sleep(1000);
	}
	return false;
}

/* Each end writes its number, which the other one has to find. */
static bool
are_joined(const struct ports *p)
{
	const uint64_t mark = 0x4c414e4500000000;
	uint64_t number, from[ENDS];
	unsigned int end;

	for (end = 0; end < ENDS; end++)
		memset(p->region[end], 0, sizeof(number));
	for (end = 0; end < ENDS; end++) {
		number = mark | end;
		access_copy(p->port[end]->window, &number, sizeof(number));
		ntb_flush(p->port[end]);
	}
	for (end = 0; end < ENDS; end++)
		memcpy(&from[end], p->region[end], sizeof(number));
	return from[NEAR] == (mark | AWAY) && from[AWAY] == (mark | NEAR);
}

static int
join_ports(struct ports *p)
{
	unsigned int end;

	if (!wait_link(p))
		return fail_with(-ETIMEDOUT, "no link between the two ports comes up");
	for (end = 0; end < ENDS; end++)
		if (p->port[end]->window_size < p->len)
			return fail_with(-ENOSPC, "a window is smaller than the sizes to measure");
	if (!are_joined(p))
		return fail_with(-ENOLINK, "the two ports are not at the two ends of one cable");
	return 0;
}

int
ports_open(struct ports *p, size_t len, bool named)
{
	struct ntb_port_info infos[ENDS + 1];
	unsigned int n = ports_find(infos, ENDS + 1);
	int ret = 0;

	*p = (struct ports){.len = len};
	if (n == 0 && named)
		return fail_with(-ENODEV, "no NT port among the devices that -a and --vdev name: "
					  "see what the EAL says above");
	if (n == 0) {
		ret = make_ports(len);
		n = ret < 0 ? 0 : ports_find(infos, ENDS + 1);
	}
	if (ret == 0 && n != ENDS)
		ret = fail_with(-ENODEV, n < ENDS ? "one NT port found, two are needed"
						  : "more than two NT ports: name two with -a");
	while (ret == 0 && p->n < ENDS) {
		p->info[p->n] = infos[p->n];
		p->port[p->n] = infos[p->n].port;
		ret = port_start(&infos[p->n], len, &p->region[p->n]);
		p->n += ret == 0;
	}
	if (ret == 0)
		ret = join_ports(p);
	if (ret < 0)
		ports_close(p);
	return ret;
}

void
ports_close(struct ports *p)
{
	while (p->n > 0)
		ntb_port_stop(p->port[--p->n]);
}
