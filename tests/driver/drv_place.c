/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bus_pci_driver.h>
#include <rte_alarm.h>
#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_memzone.h>
#include <rte_rawdev.h>

#include "drv.h"
#include "drv_place.h"
#include "fake_pci.h"
#include "live_pci.h"
#include "plxm_pci.h"

#define MIB (1ull << 20)
#define WINDOW (16 * MIB)

enum {
	ENDS = 2,
	CFG_CMD = 4,
};

static char bdf[ENDS][16], name[ENDS][RTE_RAWDEV_NAME_MAX_LEN];

/* ---- what both kinds of PCI functions share ---- */

static int
plug_in(struct drv_port *p, const char **ret_name)
{
	*ret_name = name[p->end];
	return rte_eal_hotplug_add("pci", bdf[p->end], "");
}

/* The EAL finds both functions when it starts; each test begins without. */
static int
unplug_all(void)
{
	for (unsigned int end = 0; end < ENDS; end++)
		if (rte_eal_hotplug_remove("pci", bdf[end]) < 0)
			return -ENODEV;
	return 0;
}

static void
set_names(unsigned int end, const char *address)
{
	snprintf(bdf[end], sizeof(bdf[end]), "%s", address);
	snprintf(name[end], sizeof(name[end]), "raw_ntb_plx:%s", address);
}

/* ---- functions of the machine ---- */

static const struct rte_memzone *zone[ENDS];
static char allow[ENDS][32];

static int
bus_memory(struct drv_port *p, uint64_t len)
{
	const struct rte_memzone *mz;

	mz = rte_memzone_reserve_aligned(bdf[p->end], len, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG,
					 (unsigned int)p->info.window_align);
	if (mz == NULL)
		return -ENOMEM;
	memset(mz->addr, 0, len);
	zone[p->end] = mz;
	p->region =
		(struct ntb_port_config){.va = mz->addr, .iova = mz->iova, .len = len, .fd = -1};
	return 0;
}

static void
bus_close(struct drv_port *p)
{
	if (p->dev_id >= 0)
		rte_eal_hotplug_remove("pci", bdf[p->end]);
	rte_memzone_free(zone[p->end]);
	zone[p->end] = NULL;
	p->region.va = NULL;
}

static const char *const bus_eal[] = {"--legacy-mem",	"-m",	  "96",	    "--no-telemetry",
				      "--iova-mode=pa", allow[0], allow[1], NULL};
static const struct drv_place bus_place = {
	.eal = bus_eal,
	.ready = unplug_all,
	.probe = plug_in,
	.memory = bus_memory,
	.close = bus_close,
};

static int
choose_bus(char *const address[ENDS])
{
	for (unsigned int end = 0; end < ENDS; end++) {
		set_names(end, address[end]);
		snprintf(allow[end], sizeof(allow[end]), "-a%s", address[end]);
	}
	drv_place = &bus_place;
	return 0;
}

/* ---- functions that are files ---- */

static struct fake_pci fake[ENDS] = {
	{.bdf = "0000:01:00.0", .uio = 880, .device = 0x87b0},
	{.bdf = "0000:02:00.0", .uio = 881, .device = 0x87b0},
};
static struct plxm_port *model[ENDS];

/* The EAL maps UIO devices only where it can know physical addresses, which takes hugepages and
 * privilege. In this place no address leaves the process; elsewhere the EAL's own answer holds. */
int rte_eal_using_phys_addrs(void);
int
rte_eal_using_phys_addrs(void)
{
	union {
		void *symbol;
		int (*call)(void);
	} eal = {.symbol = dlsym(RTLD_NEXT, "rte_eal_using_phys_addrs")};

	return model[0] != NULL || eal.symbol == NULL ? 1 : eal.call();
}

/* Alarms of the driver's queues run when the test looks (drv_place.h): in the EAL's thread of
 * alarms they would touch BARs beside it, and only one thread at a time may do that here. */
static struct alarm {
	rte_eal_alarm_callback call;
	void *arg;
} alarms[ENDS];

int
rte_eal_alarm_set(uint64_t us, rte_eal_alarm_callback call, void *arg)
{
	union {
		void *symbol;
		int (*call)(uint64_t us, rte_eal_alarm_callback call, void *arg);
	} eal = {.symbol = dlsym(RTLD_NEXT, "rte_eal_alarm_set")};

	if (model[0] == NULL)
		return eal.symbol == NULL ? -ENOSYS : eal.call(us, call, arg);
	for (unsigned int i = 0; i < ENDS; i++) {
		if (alarms[i].call != NULL)
			continue;
		alarms[i] = (struct alarm){call, arg};
		return 0;
	}
	return -ENOSPC;
}

int
rte_eal_alarm_cancel(rte_eal_alarm_callback call, void *arg)
{
	union {
		void *symbol;
		int (*call)(rte_eal_alarm_callback call, void *arg);
	} eal = {.symbol = dlsym(RTLD_NEXT, "rte_eal_alarm_cancel")};
	int n = 0;

	if (model[0] == NULL)
		return eal.symbol == NULL ? -ENOSYS : eal.call(call, arg);
	for (unsigned int i = 0; i < ENDS; i++) {
		if (alarms[i].call != call || alarms[i].arg != arg)
			continue;
		alarms[i].call = NULL;
		n++;
	}
	return n;
}

void
drv_place_tick(void)
{
	for (unsigned int i = 0; i < ENDS; i++) {
		struct alarm a = alarms[i];

		alarms[i].call = NULL;
		if (a.call != NULL)
			a.call(a.arg);
	}
}

/* The registers as a machine finds them before any access traps: all of the chip's values. */
static void
power_on(unsigned int end)
{
	plxm_port_power(model[end], true);
	for (uint32_t off = 0; off < PLXM_BAR0_SIZE; off += 4)
		*fake_reg(&fake[end], 0, off) = plxm_reg_read(model[end], off);
	*(volatile uint16_t *)(fake[end].config + CFG_CMD) = 0;
}

/* Without hugepages the EAL has one file for all of its memory, at the addresses of the process. */
static int
reach_eal_memory(const struct rte_memseg_list *list, void *arg)
{
	struct plxm_port *port = arg;
	int fd = list->external ? -1 : rte_memseg_get_fd(rte_mem_virt2memseg(list->base_va, list));

	return fd < 0 ? 0 : plxm_dram_add(port, (uintptr_t)list->base_va, list->len, fd, 0);
}

static int
forget_eal_memory(const struct rte_memseg_list *list, void *arg)
{
	(void)plxm_dram_del(arg, (uintptr_t)list->base_va);
	return 0;
}

static int
files_probe(struct drv_port *p, const char **ret_name)
{
	const struct fake_pci *f = &fake[p->end];
	const struct rte_pci_device *pci;
	struct rte_rawdev_info raw = {0};
	int ret;

	power_on(p->end);
	ret = plug_in(p, ret_name);
	if (ret < 0)
		return ret;
	ret = rte_rawdev_info_get(rte_rawdev_get_dev_id(*ret_name), &raw, 0);
	if (ret < 0)
		return ret;
	pci = container_of(raw.device, const struct rte_pci_device, device);
	for (unsigned int bar = 0; bar <= 4 && ret == 0; bar += 2) {
		const struct live_bar live = {.port = model[p->end],
					      .config = f->config,
					      .va = pci->mem_resource[bar].addr,
					      .len = pci->mem_resource[bar].len,
					      .bar = bar};

		ret = live_pci_arm(&live);
	}
	if (ret == 0)
		ret = rte_memseg_list_walk(reach_eal_memory, model[p->end]);
	return ret;
}

static int
files_memory(struct drv_port *p, uint64_t len)
{
	int ret = plxm_dram_add(model[p->end], p->region.iova, len, p->region.fd, 0);

	close(p->region.fd);
	p->region.fd = -1; /* a real port needs none */
	return ret;
}

static void
files_close(struct drv_port *p)
{
	if (p->dev_id >= 0)
		rte_eal_hotplug_remove("pci", bdf[p->end]);
	live_pci_disarm(model[p->end]);
	plxm_dram_del(model[p->end], p->region.iova);
	rte_memseg_list_walk(forget_eal_memory, model[p->end]);
	plxm_port_power(model[p->end], false);
}

static int
files_fault(struct drv_port *p, const char *attr, uint64_t arg)
{
	static const struct {
		const char *attr;
		enum plxm_fault fault;
	} known[] = {
		{NTB_ATTR_FAULT_CABLE, PLXM_FAULT_CABLE},
		{NTB_ATTR_FAULT_RETRAIN, PLXM_FAULT_RETRAIN},
		{NTB_ATTR_FAULT_DB_DROP, PLXM_FAULT_DB_DROP},
		{NTB_ATTR_FAULT_SPAD_GARBAGE, PLXM_FAULT_SPAD_GARBAGE},
		{NTB_ATTR_FAULT_DELAY_NS, PLXM_FAULT_DELAY_NS},
		{NTB_ATTR_FAULT_POSTED, PLXM_FAULT_POSTED},
	};

	for (unsigned int i = 0; i < RTE_DIM(known); i++)
		if (strcmp(attr, known[i].attr) == 0)
			return plxm_fault_set(model[p->end], known[i].fault, arg);
	return -EINVAL;
}

/* The EAL knows no bus addresses of memory without hugepages; any fixed ones will do. */
static int
place_eal_memory(const struct rte_memseg_list *list, const struct rte_memseg *seg, void *arg)
{
	(void)arg;
	rte_mem_virt2memseg(seg->addr, list)->iova = (uintptr_t)seg->addr;
	return 0;
}

static int
files_ready(void)
{
	rte_memseg_walk(place_eal_memory, NULL);
	return unplug_all();
}

static const char *const files_eal[] = {
	"--no-huge",	  "--no-shconf",     "-m", "64", "--no-telemetry",
	"--iova-mode=pa", "--file-prefix=.", NULL};
static const struct drv_place files_place = {
	.eal = files_eal,
	.ready = files_ready,
	.probe = files_probe,
	.memory = files_memory,
	.close = files_close,
	.fault = files_fault,
};

static int
choose_files(void)
{
	int cable = memfd_create("cable", MFD_CLOEXEC), ret = cable < 0 ? -errno : 0;
	struct plxm_eeprom e;

	plxm_eeprom_default(&e, WINDOW);
	if (ret == 0)
		ret = fake_pci_enter();
	for (unsigned int end = 0; end < ENDS && ret == 0; end++) {
		fake[end].size[0] = PLXM_BAR0_SIZE;
		fake[end].size[2] = WINDOW;
		fake[end].size[4] = e.bar4_size;
		fake[end].wc[2] = fake[end].wc[4] = true;
		set_names(end, fake[end].bdf);
		ret = plxm_port_open(cable, end, &e, &model[end]);
		if (ret == 0)
			ret = fake_pci_add(&fake[end]);
		if (ret == 0)
			power_on(end);
	}
	drv_place = &files_place;
	return ret;
}

int
drv_place_choose(int argc, char **argv)
{
	int ret = -EINVAL;

	if (argc == 1)
		return 0;
	if (argc == 2 && strcmp(argv[1], "files") == 0 && !live_pci_possible()) {
		fprintf(stderr, "skipped: accesses cannot be trapped on this machine\n");
		return DRV_SKIP;
	}
	if (argc == 2 && strcmp(argv[1], "files") == 0)
		ret = choose_files();
	else if (argc == 4 && strcmp(argv[1], "bus") == 0)
		ret = choose_bus(argv + 2);
	if (ret == -EPERM || ret == -ENOENT) {
		fprintf(stderr, "skipped: mount namespaces are not permitted here\n");
		return DRV_SKIP;
	}
	if (ret < 0)
		fprintf(stderr, "usage: %s [files | bus ADDRESS ADDRESS]: %s\n", argv[0],
			strerror(-ret));
	return ret < 0 ? 2 : 0;
}
