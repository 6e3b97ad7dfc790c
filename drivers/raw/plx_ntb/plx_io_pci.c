/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bus_pci_driver.h>
#include <rte_common.h>
#include <rte_io.h>
#include <rte_malloc.h>

#include "ntb_log.h"
#include "plx_chip.h"
#include "plx_regs.h"

struct plx_io_pci {
	struct plx_io io;
	struct rte_pci_device *pci;
	uint8_t *regs;
	uint8_t *peer_regs;
};

static struct plx_io_pci *
pci_of(struct plx_io *io)
{
	return container_of(io, struct plx_io_pci, io);
}

static uint32_t
pci_rd32(struct plx_io *io, uint32_t off)
{
	return rte_read32(pci_of(io)->regs + off);
}

static void
pci_wr32(struct plx_io *io, uint32_t off, uint32_t val)
{
	rte_write32(val, pci_of(io)->regs + off);
	/* An MTRR of the firmware may make any map write combining: without a store fence the
	 * write could then sit in the CPU's buffer for any time. */
	rte_wmb();
}

static uint32_t
pci_win_rd32(struct plx_io *io, uint32_t off)
{
	return rte_read32(pci_of(io)->peer_regs + off);
}

static void
pci_win_wr32(struct plx_io *io, uint32_t off, uint32_t val)
{
	rte_write32(val, pci_of(io)->peer_regs + off);
	rte_wmb(); /* as above */
}

static void *
pci_win_map(struct plx_io *io, unsigned int bar, uint64_t *ret_len)
{
	struct rte_mem_resource *res = &pci_of(io)->pci->mem_resource[bar];

	*ret_len = res->addr == NULL ? 0 : res->len - io->data_off;
	return res->addr == NULL ? NULL : (uint8_t *)res->addr + io->data_off;
}

static int
pci_master(struct plx_io *io, bool on)
{
	return rte_pci_set_bus_master(pci_of(io)->pci, on) < 0 ? -EIO : 0;
}

static void
pci_close(struct plx_io *io)
{
	rte_free(pci_of(io));
}

static const struct plx_io_ops pci_ops = {
	.rd32 = pci_rd32,
	.wr32 = pci_wr32,
	.win_rd32 = pci_win_rd32,
	.win_wr32 = pci_win_wr32,
	.win_map = pci_win_map,
	.master = pci_master,
	.close = pci_close,
};

/*
 * Replace the map of @p res, from byte @p off on, by one of @p file in the adapter's sysfs folder.
 * Two maps of one page must not differ in how they are cached: the kernel silently gives the second
 * one the caching of the first. So the old map goes first, and its addresses stay reserved.
 * 0 or -errno.
 */
static int
map_instead(const struct rte_pci_device *pci, const struct rte_mem_resource *res, uint64_t off,
	    const char *file)
{
	uint8_t *at = (uint8_t *)res->addr + off;
	char path[PATH_MAX];
	void *va;
	int fd;

	snprintf(path, sizeof(path), "%s/%s/%s", rte_pci_get_sysfs_path(), pci->name, file);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	va = mmap(at, res->len - off, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (va != MAP_FAILED)
		va = mmap(at, res->len - off, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
			  (off_t)off);
	close(fd);
	return va == MAP_FAILED ? -errno : 0;
}

/*
 * The data window is write combining where the kernel has a file for that: UIO, and a prefetchable
 * BAR. Registers are not, so the EAL is not asked to map so: it would do it for all BARs, and loads
 * of such memory may come early, twice, or wider than the register. 0 with @p ret_wc, or -errno.
 */
static int
map_window(const struct rte_pci_device *pci, uint64_t off, bool *ret_wc)
{
	const struct rte_mem_resource *res = &pci->mem_resource[PLX_WIN_DATA];
	char file[32];
	int ret;

	*ret_wc = false;
	if (res->addr == NULL ||
	    (pci->kdrv != RTE_PCI_KDRV_UIO_GENERIC && pci->kdrv != RTE_PCI_KDRV_IGB_UIO))
		return 0;
	snprintf(file, sizeof(file), "resource%d_wc", PLX_WIN_DATA);
	ret = map_instead(pci, res, off, file);
	*ret_wc = ret == 0;
	if (ret == 0 || ret == -ENOENT)
		return 0;
	NTB_LOG(WARNING, pci->name, "%s: %s; the window is not write combining", file,
		strerror(-ret));
	snprintf(file, sizeof(file), "resource%d", PLX_WIN_DATA);
	ret = map_instead(pci, res, off, file);
	if (ret < 0)
		NTB_LOG(ERR, pci->name, "%s: %s", file, strerror(-ret));
	return ret;
}

/* 0 with where the data begins in BAR2, as plx_io.data_off; or -errno. */
static int
check_bars(const struct rte_pci_device *pci, uint64_t *ret_off)
{
	const struct rte_mem_resource *res = pci->mem_resource;

	if (res[0].addr == NULL || res[0].len < PLX_CHIP_SIZE) {
		NTB_LOG(ERR, pci->name,
			"BAR0 has %" PRIu64 " bytes, the chip's register space needs %u",
			(uint64_t)res[0].len, PLX_CHIP_SIZE);
		return -ENODEV;
	}
	*ret_off = 0;
	if (res[PLX_WIN_REGS].addr != NULL && res[PLX_WIN_REGS].len >= PLX_WIN_MIN_SIZE)
		return 0;
	if (res[PLX_WIN_DATA].addr == NULL || res[PLX_WIN_DATA].len < PLX_WIN_SHARED_MIN) {
		NTB_LOG(ERR, pci->name,
			"BAR%d is off, which reaches the peer's registers, and BAR%d is too small "
			"to be shared: set 1 MiB or more for the one or 2 MiB or more for the "
			"other in the adapter's EEPROM",
			PLX_WIN_REGS, PLX_WIN_DATA);
		return -ENODEV;
	}
	NTB_LOG(NOTICE, pci->name,
		"BAR%d is off: the lower half of BAR%d reaches the peer's registers, the upper "
		"half its memory; the peer's adapter must be set up likewise",
		PLX_WIN_REGS, PLX_WIN_DATA);
	*ret_off = res[PLX_WIN_DATA].len / 2;
	return 0;
}

/* Bus, device and function that a component of a path in sysfs names, or 0. */
static uint16_t
id_at(const char *component)
{
	unsigned int domain, bus, dev, fn;

	if (component == NULL || sscanf(component, "/%x:%x:%x.%x", &domain, &bus, &dev, &fn) != 4 ||
	    bus > 0xff || dev > 0x1f)
		return 0;
	return (uint16_t)(bus << 8 | dev << 3);
}

/* sysfs names a function by the way to it, which begins .../pciDOMAIN:BUS/ROOT-PORT/. The DMA
 * functions sit beside the upstream port, two bridges above the NT function. */
static void
find_requesters(const struct rte_pci_device *pci, struct plx_io *io)
{
	char path[PATH_MAX], real[PATH_MAX], *at = NULL;
	unsigned int up;

	snprintf(path, sizeof(path), "%s/%s", rte_pci_get_sysfs_path(), pci->name);
	if (realpath(path, real) == NULL)
		return;
	at = strstr(real, "/pci");
	io->root_rid = id_at(at == NULL ? NULL : strchr(at + 1, '/'));
	for (up = 0, at = strrchr(real, '/'); up < 2 && at != NULL; up++) {
		*at = '\0';
		at = strrchr(real, '/');
	}
	io->dma_rid = id_at(at) & 0xff00;
}

int
plx_io_pci_open(struct rte_pci_device *pci, uint32_t skips, struct plx_io **ret_io)
{
	struct plx_io_pci *p;
	uint64_t off;
	bool wc;
	int ret;

	ret = check_bars(pci, &off);
	if (ret == 0)
		ret = map_window(pci, off, &wc);
	if (ret < 0)
		return ret;

	p = rte_zmalloc("plx_io_pci", sizeof(*p), RTE_CACHE_LINE_SIZE);
	if (p == NULL)
		return -ENOMEM;
	p->io.ops = &pci_ops;
	p->io.skips = skips;
	p->io.caps = wc ? NTB_CAP_WINDOW_WC : 0;
	p->io.setting = "BAR2 of the NT function (registers 0xE8 and 0xEC of its Virtual "
			"interface, in the adapter's EEPROM) to a power of two";
	p->io.nt_index = pci->id.device_id & 1;
	find_requesters(pci, &p->io);
	p->io.data_off = off;
	p->io.window_bus = pci->mem_resource[PLX_WIN_DATA].phys_addr + off;
	p->pci = pci;
	p->regs = pci->mem_resource[0].addr;
	p->peer_regs = pci->mem_resource[off == 0 ? PLX_WIN_REGS : PLX_WIN_DATA].addr;
	*ret_io = &p->io;
	return 0;
}
