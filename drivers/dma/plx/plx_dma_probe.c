/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>

#include <bus_pci_driver.h>
#include <bus_vdev_driver.h>
#include <rte_common.h>
#include <rte_eal.h>
#include <rte_io.h>
#include <rte_kvargs.h>
#include <rte_malloc.h>

#include "ntb_rawdev.h"
#include "plx_dma.h"
#include "ntb_log.h"
#include "plx_regs.h"
#include "plxm_dma.h"

#define DEV_DMA 0x87d0
#define REGS_SIZE 0x400u /* up to the end of the channel's registers */
#define DEVARGS_HELP "ntb=<name of the emulated NT port> channel=<0..3>"

/* ---- a real adapter ---- */

struct dma_pci {
	struct plx_dma_io io;
	uint8_t *regs;
};

static struct dma_pci *
pci_of(struct plx_dma_io *io)
{
	return container_of(io, struct dma_pci, io);
}

static uint32_t
dma_pci_rd32(struct plx_dma_io *io, uint32_t off)
{
	return rte_read32(pci_of(io)->regs + off);
}

static void
dma_pci_wr32(struct plx_dma_io *io, uint32_t off, uint32_t val)
{
	rte_write32(val, pci_of(io)->regs + off);
}

static void
dma_pci_wr16(struct plx_dma_io *io, uint32_t off, uint16_t val)
{
	rte_write16(val, pci_of(io)->regs + off);
}

static void
dma_pci_close(struct plx_dma_io *io)
{
	rte_free(pci_of(io));
}

static const struct plx_dma_io_ops dma_pci_ops = {
	.rd32 = dma_pci_rd32,
	.wr32 = dma_pci_wr32,
	.wr16 = dma_pci_wr16,
	.close = dma_pci_close,
};

static int
dma_pci_probe(struct rte_pci_driver *drv, struct rte_pci_device *pci)
{
	const struct rte_mem_resource *bar = &pci->mem_resource[0];
	struct dma_pci *p;
	int ret;

	(void)drv;
	if (rte_eal_process_type() != RTE_PROC_PRIMARY)
		return 1;
	if (bar->addr == NULL || bar->len < REGS_SIZE) {
		NTB_LOG(ERR, pci->name, "BAR0 is too small for a DMA channel");
		return -ENODEV;
	}
	if (rte_pci_set_bus_master(pci, true) < 0) {
		NTB_LOG(ERR, pci->name, "cannot make it a bus master");
		return -EIO;
	}
	p = rte_zmalloc("plx_dma_pci", sizeof(*p), 0);
	if (p == NULL)
		return -ENOMEM;
	p->io.ops = &dma_pci_ops;
	p->regs = bar->addr;
	if (rte_read32(p->regs + PLX_DMA_CTL) == PLX_GONE) {
		NTB_LOG(ERR, pci->name, "registers read all ones: powered off or not decoded");
		ret = -ENXIO;
	} else {
		ret = plx_dma_create(&pci->device, pci->name, &p->io);
	}
	if (ret < 0)
		rte_free(p);
	return ret;
}

static int
dma_pci_remove(struct rte_pci_device *pci)
{
	return rte_dma_pmd_release(pci->name);
}

/* ---- an emulated one ---- */

static int
dma_emu_open(const char *name, const char *text, struct plx_dma_io **ret_io)
{
	const char *ntb = NULL;
	unsigned int channel = 0;
	const struct ntb_devarg list[] = {
		{"ntb", ntb_devarg_text, &ntb, 0, 0},
		{"channel", ntb_devarg_number, &channel, 0, PLXM_DMA_CHANNELS - 1},
	};
	struct rte_kvargs *kv = ntb_devargs_parse(text, list, RTE_DIM(list), name, DEVARGS_HELP);
	int ret = -EINVAL;

	if (kv == NULL)
		return ret;
	if (ntb == NULL) {
		NTB_LOG(ERR, name, "devargs \"%s\": want " DEVARGS_HELP, text);
		goto free_kv;
	}
	ret = plx_dma_io_model_open(ntb, channel, ret_io);
	if (ret == -ENOENT)
		NTB_LOG(ERR, name, "no emulated NT port %s; its --vdev must come before this one",
			ntb);
	else if (ret == -ENODEV)
		NTB_LOG(ERR, name, "the chip of %s has no DMA engine", ntb);
free_kv:
	rte_kvargs_free(kv);
	return ret;
}

static int
dma_emu_probe(struct rte_vdev_device *vdev)
{
	const char *name = rte_vdev_device_name(vdev);
	struct plx_dma_io *io;
	int ret;

	if (rte_eal_process_type() != RTE_PROC_PRIMARY)
		return 0;
	ret = dma_emu_open(name, rte_vdev_device_args(vdev), &io);
	if (ret < 0)
		return ret;
	ret = plx_dma_create(&vdev->device, name, io);
	if (ret < 0)
		io->ops->close(io);
	return ret;
}

static int
dma_emu_remove(struct rte_vdev_device *vdev)
{
	return rte_dma_pmd_release(rte_vdev_device_name(vdev));
}

static const struct rte_pci_id dma_pci_ids[] = {
	{RTE_PCI_DEVICE(PLX_VENDOR_ID, DEV_DMA)},
	{.vendor_id = 0},
};

static struct rte_pci_driver dma_pci_driver = {
	.id_table = dma_pci_ids,
	.drv_flags = RTE_PCI_DRV_NEED_MAPPING,
	.probe = dma_pci_probe,
	.remove = dma_pci_remove,
};

static struct rte_vdev_driver dma_emu_driver = {
	.probe = dma_emu_probe,
	.remove = dma_emu_remove,
};

RTE_PMD_REGISTER_PCI(dma_plx, dma_pci_driver);
RTE_PMD_REGISTER_PCI_TABLE(dma_plx, dma_pci_ids);
RTE_PMD_REGISTER_KMOD_DEP(dma_plx, "* igb_uio | uio_pci_generic | vfio-pci");
RTE_PMD_REGISTER_VDEV(dma_plx_emu, dma_emu_driver);
RTE_PMD_REGISTER_PARAM_STRING(dma_plx_emu, DEVARGS_HELP);
