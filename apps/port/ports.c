/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_atomic.h>
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

static const char *const made_names[ENDS] = {"raw_ntb_plx_emu_near", "raw_ntb_plx_emu_away"};

static int
fail_with(int error, const char *what)
{
	cli_say("%s: %s", what, strerror(-error));
	return error;
}

static int
make_ports(struct ports *p, size_t len)
{
	unsigned long bar = 1;
	char args[96];
	int end, ret;

	while (bar << 20 < len)
		bar *= 2;
	p->cable = memfd_create("ringbell-port-cable", MFD_CLOEXEC);
	if (p->cable < 0)
		return fail_with(-errno, "no file for a cable");
	for (end = 0; end < ENDS; end++) {
		snprintf(args, sizeof(args), "cable=/proc/self/fd/%d,end=%d,bar2=%luM", p->cable,
			 end, bar);
		ret = rte_vdev_init(made_names[end], args);
		if (ret < 0)
			return fail_with(ret, "no emulated port");
		p->made = true;
	}
	return 0;
}

const char *
port_lacks(const struct ntb_port *port)
{
	return port->db_count == 0	  ? "doorbells"
	       : port->spad_count == 0	  ? "scratchpads"
	       : port->ops->flush == NULL ? "flush"
					  : NULL;
}

unsigned int
ports_find(struct ntb_port_info *infos, unsigned int max, const char *part)
{
	unsigned int n = 0;
	uint16_t id;

	for (id = 0; id < rte_rawdev_count() && n < max; id++)
		if (access_port(id, &infos[n]) == 0)
			n += strstr(infos[n].location, part) != NULL;
	return n;
}

/* Inbound memory: for an emulated port memory that a peer process can map, for a real one memory
 * that the adapter can reach. */
int
port_region(const struct ntb_port_info *info, size_t len, unsigned int number,
	    struct ntb_port_config *ret_conf)
{
	const struct rte_memzone *zone;
	char name[RTE_MEMZONE_NAMESIZE];
	uint64_t align;

	*ret_conf = (struct ntb_port_config){.len = len, .fd = -1};
	if (info->port->caps & NTB_CAP_WINDOW_IS_MEMORY) {
		ret_conf->fd = memfd_create("ringbell-port-memory", MFD_CLOEXEC);
		if (ret_conf->fd < 0 || ftruncate(ret_conf->fd, (off_t)len) < 0)
			return fail_with(-errno, "no inbound memory");
		ret_conf->va = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
				    ret_conf->fd, 0);
		if (ret_conf->va == MAP_FAILED)
			return fail_with(-errno, "no inbound memory");
		ret_conf->iova = BUS_UNITS * (number + 1) * info->window_align;
	} else {
		/* must be aligned on the bus, which the EAL does not do: take more memory and
		 * find a place in it */
		align = info->port->ops->region_align(info->port, len);
		snprintf(name, sizeof(name), "perf_%u_%u", info->port->dev_id, number);
		zone = rte_memzone_reserve_aligned(name, len + align, info->port->numa_node,
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

int
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

/* The first words of regions are as measurements have left them, but never ones. */
int
port_flush(struct ntb_port *port)
{
	if (port->ops->flush != NULL)
		return ntb_flush(port);
	rte_mb();
	return *(volatile const uint32_t *)port->window == UINT32_MAX ? -EIO : 0;
}

static int
start_port(struct ports *p, int end, const struct ntb_port_info *info)
{
	int ret = port_start(info, p->len, &p->region[end]);

	p->port[end] = info->port;
	p->started[end] = ret == 0;
	return ret;
}

static int
wait_link(struct ports *p)
{
	unsigned int ms, up;
	int end;

	for (ms = 0; ms < LINK_MS; ms++) {
		for (up = 0, end = 0; end < ENDS; end++)
			up += ntb_link_poll(p->port[end]) == NTB_LINK_UP;
		if (up == ENDS)
			return 0;
		rte_delay_us_sleep(1000);
	}
	return fail_with(-ETIMEDOUT, "the link between the two ports does not come up");
}

/* Two ports that are both up need not be cabled to each other. */
static int
check_cable(struct ports *p)
{
	const uint64_t mark = 0x52494e4742454c4c;

	memcpy(p->port[NEAR]->window, &mark, sizeof(mark));
	if (port_flush(p->port[NEAR]) == 0 && memcmp(p->region[AWAY], &mark, sizeof(mark)) == 0)
		return 0;
	return fail_with(-ENOLINK, "the two ports are not at the two ends of one cable");
}

int
ports_open(struct ports *p, size_t len, bool named)
{
	struct ntb_port_info infos[ENDS];
	unsigned int n;
	int ret = 0;

	*p = (struct ports){.len = len, .cable = -1};
	n = ports_find(infos, ENDS, "");
	if (n == 0 && named) {
		ret = fail_with(-ENODEV,
				"no NT port among the devices that -a and --vdev name: see "
				"what the EAL says above");
	} else if (n == 0) {
		ret = make_ports(p, len);
		n = ret < 0 ? 0 : ports_find(infos, ENDS, "");
	}
	if (ret == 0 && n < ENDS)
		ret = fail_with(-ENODEV, "one NT port found, two are needed");
	if (ret == 0) {
		snprintf(p->location, sizeof(p->location), "%s", infos[NEAR].location);
		ret = start_port(p, NEAR, &infos[NEAR]);
	}
	if (ret == 0)
		ret = start_port(p, AWAY, &infos[AWAY]);
	if (ret == 0)
		ret = wait_link(p);
	if (ret == 0 && (p->port[NEAR]->window_size < len || p->port[AWAY]->window_size < len))
		ret = fail_with(-ENOSPC, "a window is smaller than the sizes to measure");
	if (ret == 0)
		ret = check_cable(p);
	if (ret < 0)
		ports_close(p);
	return ret;
}

void
ports_close(struct ports *p)
{
	int end;

	for (end = 0; end < ENDS; end++) {
		if (p->started[end])
			ntb_port_stop(p->port[end]);
		if (p->made)
			rte_vdev_uninit(made_names[end]);
		if (p->region[end] && p->made)
			munmap(p->region[end], p->len);
	}
	if (p->cable >= 0)
		close(p->cable);
}
