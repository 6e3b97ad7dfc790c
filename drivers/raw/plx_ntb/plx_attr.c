/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <rte_common.h>
#include <rte_pmd_ntb.h>

#include "plx_dev.h"
#include "ntb_log.h"

#define SPAD_USER "spad_user_"
#define FAULT "fault_"

/* DPDK's number for an NTB cabled back to back, upstream side */
#define TOPO_B2B_USD 1

static uint64_t
link_status(struct plx_dev *dev)
{
	if (!dev->q.open)
		return dev->ops.link_poll(&dev->raw.port);
	/* with queues it means that the peer has configured its own: programs start then */
	return plx_dev_link_update(&dev->raw.port) == NTB_LINK_UP && dev->q.hello;
}

/* False where no attribute has this name. */
static bool
find_attr(struct plx_dev *dev, const char *name, uint64_t *ret_value)
{
	struct plx_link_state now;
	unsigned int i;

	if (strcmp(name, NTB_LINK_STATUS_NAME) == 0) {
		*ret_value = link_status(dev);
		return true;
	}
	plx_chip_link_state(&dev->chip, &now);
	const struct ntb_counter attrs[] = {
		{NTB_TOPO_NAME, TOPO_B2B_USD},
		{NTB_SPEED_NAME, now.speed},
		{NTB_WIDTH_NAME, now.width},
		{NTB_MW_CNT_NAME, RTE_DIM(dev->mw_size)},
		{NTB_DB_CNT_NAME, dev->raw.port.db_count},
		{NTB_SPAD_CNT_NAME, dev->raw.port.spad_count},
		{NTB_QUEUE_SZ_NAME, dev->q.asked_size},
		{NTB_QUEUE_NUM_NAME, dev->q.asked_num},
	};
	for (i = 0; i < RTE_DIM(attrs) && strcmp(attrs[i].name, name) != 0; i++)
		;
	if (i == RTE_DIM(attrs))
		return false;
	*ret_value = attrs[i].value;
	return true;
}

/* Number of the scratchpad that spad_user_N names, or -EINVAL. */
static int
user_spad(const struct plx_dev *dev, const char *name)
{
	const char *digit = name + strlen(SPAD_USER);

	if (strncmp(name, SPAD_USER, strlen(SPAD_USER)) != 0)
		return -EINVAL;
	if (digit[0] < '0' || digit[0] >= '0' + PLX_SPAD_USER_COUNT || digit[1] != '\0')
		return -EINVAL;
	return dev->raw.port.spad_count == 0 ? -EINVAL : PLX_SPAD_USER + (digit[0] - '0');
}

int
plx_dev_attr_get(struct rte_rawdev *rawdev, const char *name, uint64_t *ret_value)
{
	struct plx_dev *dev = plx_dev_of(rawdev);
	int spad;

	if (name == NULL || ret_value == NULL)
		return -EINVAL;
	if (dev->raw.closed)
		return -ENODEV;
	if (find_attr(dev, name, ret_value))
		return 0;
	spad = user_spad(dev, name);
	if (spad >= 0) {
		*ret_value = dev->ops.spad_read(&dev->raw.port, spad);
		return 0;
	}
	NTB_LOG(ERR, dev->raw.name, "no attribute %s", name);
	return -EINVAL;
}

int
plx_dev_attr_set(struct rte_rawdev *rawdev, const char *name, const uint64_t value)
{
	struct plx_dev *dev = plx_dev_of(rawdev);
	int spad, ret;

	if (name == NULL)
		return -EINVAL;
	if (dev->raw.closed)
		return -ENODEV;
	if (strcmp(name, NTB_QUEUE_SZ_NAME) == 0 || strcmp(name, NTB_QUEUE_NUM_NAME) == 0)
		return ntb_queues_ask(&dev->q, name, value);
	spad = user_spad(dev, name);
	if (spad >= 0) {
		/* A value that one side sets, the other one gets. DPDK's example passes 64 bits
		 * as the lower half of a length; their lower half is meant. */
		dev->ops.peer_spad_write(&dev->raw.port, spad, (uint32_t)value);
		return 0;
	}
	if (strncmp(name, FAULT, strlen(FAULT)) == 0) {
		ret = dev->io->emu == NULL ? -ENOTSUP : dev->io->emu->fault(dev->io, name, value);
		if (ret != -ENOENT)
			return ret;
	}
	NTB_LOG(ERR, dev->raw.name, "attribute %s cannot be set to %" PRIu64, name, value);
	return -EINVAL;
}

/* All in their fixed order: the driver's, the chip's, the queues'. */
unsigned int
plx_dev_counters(struct ntb_rawdev *r, struct ntb_counter c[NTB_RAWDEV_COUNTERS])
{
	static const char *const names[PLX_STAT_MAX] = {
		[PLX_STAT_LINK_UPS] = "link_ups",
		[PLX_STAT_LINK_DOWNS] = "link_downs",
		[PLX_STAT_REPROGRAMS] = "link_reprograms",
		[PLX_STAT_DB_RUNG] = "doorbells_rung",
		[PLX_STAT_FLUSHES] = "flushes",
		[PLX_STAT_FLUSH_FAILURES] = "flush_failures",
	};
	struct plx_dev *dev = plx_dev_of_raw(r);
	struct plx_io *io = dev->io;
	unsigned int n;

	for (n = 0; n < PLX_STAT_MAX; n++) {
		c[n].name = names[n];
		c[n].value = __atomic_load_n(&dev->stats[n], __ATOMIC_RELAXED);
	}
	c[n].name = "bad_tlps";
	c[n++].value = plx_reg_read32(io, dev->chip.link + PLX_BAD_TLP);
	c[n].name = "bad_dllps";
	c[n++].value = plx_reg_read32(io, dev->chip.link + PLX_BAD_DLLP);
	return n + ntb_queues_counters(&dev->q, &c[n]);
}
