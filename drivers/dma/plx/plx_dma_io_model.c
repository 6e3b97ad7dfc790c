/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The DMA function of an emulated chip: its registers, the host's memory as it sees it, and its
 * engine, which does all that a write of a register leaves to it before the write returns. */

#include <errno.h>
#include <limits.h>

#include <rte_common.h>
#include <rte_eal.h>
#include <rte_malloc.h>
#include <rte_memory.h>

#include "plx_dma.h"
#include "plx_dev.h"
#include "plx_regs.h"
#include "plxm_dma.h"

struct dma_model {
	struct plx_dma_io io;
	struct plxm_port *port;
	struct plxm_dma *dma;
};

static struct dma_model *
model_of(struct plx_dma_io *io)
{
	return container_of(io, struct dma_model, io);
}

/* Bus addresses are the EAL's IOVA. Only memory of the EAL can be reached. */
static void *
host_mem(void *ctx, uint64_t bus, uint64_t *len)
{
	void *va = rte_eal_iova_mode() == RTE_IOVA_VA ? (void *)(uintptr_t)bus
						      : rte_mem_iova2virt(bus);
	struct rte_memseg *ms;
	uint64_t have;

	(void)ctx;
	ms = va == NULL || bus == 0 ? NULL : rte_mem_virt2memseg(va, NULL);
	if (ms == NULL || ms->len == 0)
		return NULL;
	have = ms->len - RTE_PTR_DIFF(va, ms->addr);
	while (have < *len && rte_eal_iova_mode() == RTE_IOVA_VA) {
		ms = rte_mem_virt2memseg(RTE_PTR_ADD(va, have), NULL);
		if (ms == NULL || ms->len == 0)
			break;
		have += ms->len;
	}
	*len = RTE_MIN(*len, have);
	return va;
}

static uint32_t
dma_model_rd32(struct plx_dma_io *io, uint32_t off)
{
	return plxm_dma_read(model_of(io)->dma, off, 4);
}

static void
dma_model_wr32(struct plx_dma_io *io, uint32_t off, uint32_t val)
{
	plxm_dma_write(model_of(io)->dma, off, val, 4);
	plxm_dma_run(model_of(io)->dma, UINT_MAX);
}

static void
dma_model_wr16(struct plx_dma_io *io, uint32_t off, uint16_t val)
{
	plxm_dma_write(model_of(io)->dma, off, val, 2);
	plxm_dma_run(model_of(io)->dma, UINT_MAX);
}

static void
dma_model_close(struct plx_dma_io *io)
{
	struct dma_model *m = model_of(io);

	plxm_dma_close(m->dma);
	plxm_port_close(m->port);
	rte_free(m);
}

static const struct plx_dma_io_ops dma_model_ops = {
	.rd32 = dma_model_rd32,
	.wr32 = dma_model_wr32,
	.wr16 = dma_model_wr16,
	.close = dma_model_close,
};

int
plx_dma_io_model_open(const char *ntb, unsigned int channel, struct plx_dma_io **ret_io)
{
	const struct plxm_dma_host host = {.mem = host_mem};
	/* DPDK's memory, as the dmadev that points to it: at the end of a job with telemetry nobody
	 * closes it, and to AddressSanitizer what only DPDK's memory points to is lost */
	struct dma_model *m = rte_zmalloc(NULL, sizeof(*m), 0);
	int ret;

	if (m == NULL)
		return -ENOMEM;
	m->io.ops = &dma_model_ops;
	m->port = plx_emu_hold(ntb);
	ret = m->port == NULL ? -ENOENT : plxm_dma_open(m->port, channel, &host, &m->dma);
	if (ret < 0) {
		plxm_port_close(m->port);
		rte_free(m);
		return ret;
	}
	plxm_dma_write(m->dma, PLX_CMD, PLX_CMD_MEM | PLX_CMD_MASTER, 2);
	*ret_io = &m->io;
	return 0;
}

int
plx_dma_emu_fault(int16_t dev_id, unsigned int fault, uint32_t count)
{
	struct plx_dma *d;

	if (!rte_dma_is_valid(dev_id))
		return -EINVAL;
	d = rte_dma_fp_objs[dev_id].dev_private;
	if (d->io->ops != &dma_model_ops)
		return -ENOTSUP;
	return plxm_dma_fault_set(model_of(d->io)->dma, fault, count);
}
