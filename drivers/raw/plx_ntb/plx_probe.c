/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdio.h>

#include <bus_pci_driver.h>
#include <bus_vdev_driver.h>
#include <rte_eal.h>
#include <rte_kvargs.h>

#include "plx_dev.h"
#include "plx_devargs.h"
#include "ntb_log.h"
#include "plxm.h"

/* Make @p dev a port over @p io. On success it owns @p io. */
static int
init_dev(struct plx_dev *dev, struct plx_io *io)
{
	int ret;

	pthread_mutex_init(&dev->lock, NULL);
	ret = plx_chip_identify(&dev->chip, io, dev->raw.name);
	if (ret < 0)
		return ret;

	dev->io = io;
	dev->mw_size[0] = dev->chip.window_size;
	dev->raw.window_align = plx_chip_align(&dev->chip, dev->chip.window_size);
	dev->raw.port = (struct ntb_port){
		.ops = &dev->ops,
		.setting = io->setting,
		.window = dev->chip.window,
		.window_size = dev->chip.window_size,
		.window_iova = io->window_bus,
		.dev_id = dev->raw.port.dev_id,
		.caps = io->caps,
	};
	plx_ops_fill(&dev->raw.port, &dev->ops, io->lacks);
	ntb_queues_init(&dev->q, &dev->raw.port, &dev->lock, dev->raw.name, plx_dev_link_update);
	return 0;
}

static struct rte_vdev_driver plx_emu_driver;

/* A rawdev over @p io, which is closed on failure. The EAL links device and driver only after a
 * successful probe, hence the second argument. */
static int
create_rawdev(struct rte_device *device, const struct rte_driver *driver, const char *name,
	      struct plx_io *io)
{
	struct ntb_rawdev *r = ntb_rawdev_create(device, driver->name, name, sizeof(struct plx_dev),
						 &plx_rawdev_ops);
	int ret = -ENOMEM;

	if (r == NULL)
		NTB_LOG(ERR, device->name, "no room for one more rawdev");
	else
		ret = init_dev(plx_dev_of_raw(r), io);
	if (ret == 0)
		return 0;
	if (r != NULL) {
		r->closed = true; /* a port that never was has nothing to close */
		ntb_rawdev_destroy(r);
	}
	io->ops->close(io);
	return ret;
}

static int
destroy_rawdev(const struct rte_device *device)
{
	struct ntb_rawdev *r = ntb_rawdev_of(device);
	struct plx_io *io;

	if (r == NULL)
		return -ENODEV;
	io = plx_dev_of_raw(r)->io;
	ntb_rawdev_destroy(r);
	io->ops->close(io);
	return 0;
}

struct plxm_port *
plx_emu_hold(const char *name)
{
	struct rte_rawdev *rawdev = rte_rawdev_pmd_get_named_dev(name);
	struct plxm_port *port = NULL;

	if (rawdev != NULL && rawdev->dev_ops == plx_rawdev_ops.calls)
		port = plx_io_model_port(plx_dev_of(rawdev)->io);
	if (port != NULL)
		plxm_port_hold(port);
	return port;
}

static int
plx_pci_probe(struct rte_pci_driver *drv, struct rte_pci_device *pci)
{
	const struct rte_devargs *args = pci->device.devargs;
	char name[RTE_RAWDEV_NAME_MAX_LEN];
	struct plx_io *io;
	uint32_t skips;
	int ret;

	if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
		NTB_LOG(NOTICE, pci->name, "left to the primary process");
		return 1;
	}
	if ((pci->id.device_id & ~1) == PLX_DEV_NT_LINK) {
		NTB_LOG(ERR, pci->name,
			"an NT-Link function: this adapter's cable goes to a root port, but only "
			"adapters cabled back to back are served");
		return 1;
	}
	ret = plx_devargs_parse_port(args == NULL ? NULL : args->args, pci->name, &skips);
	if (ret == 0)
		ret = plx_io_pci_open(pci, skips, &io);
	if (ret < 0)
		return ret;
	snprintf(name, sizeof(name), "raw_ntb_plx:%s", pci->name);
	return create_rawdev(&pci->device, &drv->driver, name, io);
}

static int
plx_pci_remove(struct rte_pci_device *pci)
{
	return destroy_rawdev(&pci->device);
}

static int
plx_emu_probe(struct rte_vdev_device *vdev)
{
	const char *name = rte_vdev_device_name(vdev);
	struct plx_emu_args args;
	struct rte_kvargs *kv;
	struct plx_io *io;
	int ret;

	if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
		NTB_LOG(NOTICE, name, "left to the primary process");
		return 0;
	}
	kv = plx_devargs_parse(rte_vdev_device_args(vdev), name, &args);
	if (kv == NULL)
		return -EINVAL;
	ret = plx_io_model_open(&args, name, &io);
	rte_kvargs_free(kv);
	if (ret < 0)
		return ret;
	return create_rawdev(&vdev->device, &plx_emu_driver.driver, name, io);
}

static int
plx_emu_remove(struct rte_vdev_device *vdev)
{
	return destroy_rawdev(&vdev->device);
}

static const struct rte_pci_id plx_pci_ids[] = {
	{RTE_PCI_DEVICE(PLX_VENDOR_ID, PLX_DEV_NT_VIRT)},
	{RTE_PCI_DEVICE(PLX_VENDOR_ID, PLX_DEV_NT_VIRT + 1)},
	{RTE_PCI_DEVICE(PLX_VENDOR_ID, PLX_DEV_NT_LINK)},
	{RTE_PCI_DEVICE(PLX_VENDOR_ID, PLX_DEV_NT_LINK + 1)},
	{.vendor_id = 0},
};

static struct rte_pci_driver plx_pci_driver = {
	.id_table = plx_pci_ids,
	.drv_flags = RTE_PCI_DRV_NEED_MAPPING,
	.probe = plx_pci_probe,
	.remove = plx_pci_remove,
};

static struct rte_vdev_driver plx_emu_driver = {
	.probe = plx_emu_probe,
	.remove = plx_emu_remove,
};

RTE_PMD_REGISTER_PCI(raw_ntb_plx, plx_pci_driver);
RTE_PMD_REGISTER_PCI_TABLE(raw_ntb_plx, plx_pci_ids);
RTE_PMD_REGISTER_KMOD_DEP(raw_ntb_plx, "* igb_uio | uio_pci_generic | vfio-pci");
RTE_PMD_REGISTER_PARAM_STRING(raw_ntb_plx, PLX_PORT_DEVARGS);
RTE_PMD_REGISTER_VDEV(raw_ntb_plx_emu, plx_emu_driver);
RTE_PMD_REGISTER_PARAM_STRING(raw_ntb_plx_emu, PLX_EMU_DEVARGS);
