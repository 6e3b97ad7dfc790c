/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Registers of Intel's NTBs: generation 3 (Skylake, Cascade Lake), and 4 (since Ice Lake). */

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bus_pci_driver.h>
#include <rte_common.h>
#include <rte_io.h>

#include "ntb_intel.h"

enum {
	INTEL = 0x8086,
	SKYLAKE = 0x201c,
	ICE_LAKE = 0x347e, /* Sapphire and Emerald Rapids too */
	WINDOWS = 2,	   /* BAR2 and BAR4 */
	COMMAND = 0x04,	   /* in configuration space */
	COMMAND_MEM = 1 << 1,
	COMMAND_MASTER = 1 << 2,
	LINK_3 = 0x1a2,
	/* in BAR0 */
	XBASE = 0x10, /* IMBAR1XBASE, and 16 bytes on that of the second window */
	XLMT = 0x18,  /* IMBAR1XLMT */
	STATUS = 0x40,
	DISABLE = 0x48,
	BASEIDX_4 = 0x74,  /* IM1XBASEIDX, and 2 bytes on */
	EMXLMT_3 = 0x4018, /* EMBAR1XLMT, and 16 bytes on */
	SPCICMD_3 = 0x4504,
	EMBAR_3 = 0x4518, /* EMBAR1, and 8 bytes on */
	LINK_4 = 0xb052,
	LINK_ACTIVE = 0x2000,
	SLOT_4 = 0xb05a,
	SLOT_CHANGED = 0x100,
};

/* of STATUS and DISABLE, beside the doorbells */
#define LINK_CHANGED (1ull << 32)

/* As high as the buses of these CPUs go: no memory, and no device. */
#define NOWHERE (1ull << 52)

static bool
is_gen3(const struct rte_pci_device *pci)
{
	return pci->id.device_id == SKYLAKE;
}

static uint64_t
bar_of(const struct rte_pci_device *pci, unsigned int window)
{
	return pci->mem_resource[2 + 2 * window].phys_addr;
}

static uint64_t
size_of(const struct rte_pci_device *pci, unsigned int window)
{
	return pci->mem_resource[2 + 2 * window].len;
}

/* How many of the bytes in front of the window are let through. */
static void
set_limits(const struct rte_pci_device *pci, uint8_t *regs, unsigned int window, uint64_t from,
	   uint64_t len)
{
	rte_write64(from + len, regs + XLMT + 16 * window);
	if (is_gen3(pci))
		rte_write64((rte_read64(regs + EMBAR_3 + 8 * window) & ~0xfull) + len,
			    regs + EMXLMT_3 + 16 * window);
	else
		rte_write16((uint16_t)rte_log2_u64(size_of(pci, window)),
			    regs + BASEIDX_4 + 2 * window);
}

static void
shut_windows(const struct rte_pci_device *pci, uint8_t *regs)
{
	for (unsigned int w = 0; w < WINDOWS; w++) {
		rte_write64(NOWHERE - size_of(pci, w), regs + XBASE + 16 * w);
		set_limits(pci, regs, w, bar_of(pci, w), 0);
	}
	(void)rte_read64(regs + XBASE); /* from now on, and not when the writes arrive */
}

void
ntb_intel_shut(const struct rte_pci_device *pci)
{
	shut_windows(pci, pci->mem_resource[0].addr);
}

void
ntb_intel_open(const struct rte_pci_device *pci, uint64_t bus, uint64_t len)
{
	uint8_t *regs = pci->mem_resource[0].addr;

	/* not below what the chip may count from, the translation, which comes last */
	set_limits(pci, regs, 0, RTE_MAX(bar_of(pci, 0), bus), len);
	rte_write64(bus, regs + XBASE);
}

void
ntb_intel_enable(const struct rte_pci_device *pci)
{
	uint8_t *regs = pci->mem_resource[0].addr;

	/* Linux and FreeBSD write it; raw_ntb knows the register and does not */
	if (is_gen3(pci))
		rte_write16(COMMAND_MEM | COMMAND_MASTER, regs + SPCICMD_3);
	rte_write64(rte_read64(regs + DISABLE) | LINK_CHANGED, regs + DISABLE);
}

bool
ntb_intel_link(const struct rte_pci_device *pci, uint32_t *ret_status)
{
	uint16_t status = UINT16_MAX;

	if (!is_gen3(pci))
		status = rte_read16((uint8_t *)pci->mem_resource[0].addr + LINK_4);
	else
		(void)rte_pci_read_config(pci, &status, sizeof(status), LINK_3);
	*ret_status = status;
	return (status & LINK_ACTIVE) != 0 && status != UINT16_MAX;
}

bool
ntb_intel_changed(const struct rte_pci_device *pci)
{
	uint8_t *regs = pci->mem_resource[0].addr;

	if ((rte_read64(regs + STATUS) & LINK_CHANGED) == 0)
		return false;
	if (!is_gen3(pci)) /* the cause of the bit comes first */
		rte_write16(SLOT_CHANGED, regs + SLOT_4);
	rte_write64(LINK_CHANGED, regs + STATUS);
	return true;
}

/* ---- before raw_ntb is there ---- */

/*
 * Registers outlive programs: those of one that was killed lead to memory that is somebody else's
 * now. The kernel has taken bus mastering, without which nothing passes, and the EAL gives it back
 * when it maps the device for raw_ntb, whose probe then brings the link up. This driver is asked
 * before that, shuts the windows, and wants no device. Under UIO alone. VFIO has a device sleep
 * until the EAL opens it, and the files for that are the EAL's. It needs no guard where there is an
 * IOMMU: what the old registers lead to is nothing, or memory of the program that opened it.
 */

static int
open_file(const struct rte_pci_device *pci, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s/%s", rte_pci_get_sysfs_path(), pci->name, file);
	return open(path, O_RDWR | O_CLOEXEC);
}

/* A bus master is the port of a program that runs. */
static bool
is_idle(const struct rte_pci_device *pci)
{
	int fd = open_file(pci, "config");
	uint16_t command = COMMAND_MASTER;

	if (fd < 0)
		return false;
	if (pread(fd, &command, sizeof(command), COMMAND) != sizeof(command))
		command = COMMAND_MASTER;
	close(fd);
	return (command & (COMMAND_MASTER | COMMAND_MEM)) == COMMAND_MEM;
}

static int
shut_before(struct rte_pci_driver *driver, struct rte_pci_device *pci)
{
	size_t len = pci->mem_resource[0].len;
	void *regs;
	int fd;

	(void)driver;
	if ((pci->kdrv != RTE_PCI_KDRV_UIO_GENERIC && pci->kdrv != RTE_PCI_KDRV_IGB_UIO) ||
	    !is_idle(pci))
		return 1;
	fd = open_file(pci, "resource0");
	regs = fd < 0 ? MAP_FAILED : mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	if (regs == MAP_FAILED)
		return 1;
	shut_windows(pci, regs);
	munmap(regs, len);
	return 1;
}

static const struct rte_pci_id ids[] = {
	{RTE_PCI_DEVICE(INTEL, SKYLAKE)},
	{RTE_PCI_DEVICE(INTEL, ICE_LAKE)},
	{.vendor_id = 0},
};

static struct rte_pci_driver guard = {
	.driver = {.name = "ntb_intel_shut"},
	.id_table = ids,
	.probe = shut_before,
};

RTE_INIT(register_guard)
{
	rte_pci_register(&guard);
}
