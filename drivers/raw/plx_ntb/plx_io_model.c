/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_malloc.h>
#include <rte_memory.h>

#include "plx_io_model.h"
#include "ntb_log.h"
#include "plx_regs.h"
#include "plxm.h"

/* Bus addresses of windows: above all that a process can have as a virtual address, which the EAL
 * may take for bus addresses, and within the 48 bits of a DMA descriptor. */
#define WINDOW_BUS (1ull << 47)
#define WINDOW_BUS_STEP (1ull << 39)
#define WINDOW_BUS_COUNT 256
#define DMA_BUS 1

struct plx_io_model {
	struct plx_io io;
	struct plxm_port *port;
	const char *name;
	bool bridge;	     /* offer only what an adapter has: plx_emu_args.bridge */
	unsigned int ranges; /* of host memory that the model knows */
	uint64_t range_bus[PLXM_DRAM_RANGES];
};

/* Give the window a place among the host's bus addresses, as firmware does. */
static uint64_t
place_window(struct plxm_port *port)
{
	static uint32_t count;
	uint64_t n = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED) % WINDOW_BUS_COUNT;
	uint64_t bus = WINDOW_BUS + n * WINDOW_BUS_STEP;

	plxm_cfg_write(port, PLX_BAR(PLX_WIN_DATA), (uint32_t)bus, 4);
	plxm_cfg_write(port, PLX_BAR(PLX_WIN_DATA) + 4, (uint32_t)(bus >> 32), 4);
	return bus;
}

static struct plx_io_model *
model_of(struct plx_io *io)
{
	return container_of(io, struct plx_io_model, io);
}

static uint32_t
model_rd32(struct plx_io *io, uint32_t off)
{
	return plxm_reg_read(model_of(io)->port, off);
}

static void
model_wr32(struct plx_io *io, uint32_t off, uint32_t val)
{
	plxm_reg_write(model_of(io)->port, off, val);
}

static unsigned int
regs_bar(const struct plx_io *io)
{
	return io->data_off == 0 ? PLX_WIN_REGS : PLX_WIN_DATA;
}

static uint32_t
model_win_rd32(struct plx_io *io, uint32_t off)
{
	uint32_t val = PLX_GONE;

	if (plxm_win_read(model_of(io)->port, regs_bar(io), off, &val, sizeof(val)) < 0)
		return PLX_GONE;
	return val;
}

static void
model_win_wr32(struct plx_io *io, uint32_t off, uint32_t val)
{
	/* a posted write: the CPU does not learn that it was refused */
	(void)plxm_win_write(model_of(io)->port, regs_bar(io), off, &val, sizeof(val));
}

static void *
model_win_map(struct plx_io *io, unsigned int bar, uint64_t *ret_len)
{
	uint8_t *va;

	*ret_len = 0;
	va = plxm_win_map(model_of(io)->port, bar, ret_len);
	if (va == NULL)
		return NULL;
	*ret_len -= io->data_off;
	return va + io->data_off;
}

static void
model_sync(struct plx_io *io)
{
	plxm_sync(model_of(io)->port);
}

static int
model_master(struct plx_io *io, bool on)
{
	plxm_cfg_write(model_of(io)->port, PLX_CMD, PLX_CMD_MEM | (on ? PLX_CMD_MASTER : 0), 2);
	return 0;
}

static void
clear_ranges(struct plx_io_model *m)
{
	while (m->ranges > 0) {
		m->ranges--;
		(void)plxm_dram_del(m->port, m->range_bus[m->ranges]);
	}
}

static int
add_range(struct plx_io_model *m, uint64_t bus, uint64_t len, int fd, uint64_t fd_off)
{
	int ret = -ENOSPC;

	if (m->ranges < PLXM_DRAM_RANGES)
		ret = plxm_dram_add(m->port, bus, len, fd, fd_off);
	if (ret < 0) {
		NTB_LOG(ERR, m->name,
			"inbound region: bus 0x%" PRIx64 " + 0x%" PRIx64 " (file offset 0x%" PRIx64
			"): %s",
			bus, len, fd_off,
			ret == -ENOSPC ? "too many separate pieces of memory" : strerror(-ret));
		return ret;
	}
	m->range_bus[m->ranges++] = bus;
	return 0;
}

/* Memory of the EAL is mapped from files too. Neighbouring pages of one file make one range. */
static int
add_eal_memory(struct plx_io_model *m, const struct ntb_port_config *r)
{
	uint64_t done = 0, start = 0, start_off = 0;
	int cur = -1, ret;

	while (done < r->len) {
		void *va = RTE_PTR_ADD(r->va, done);
		struct rte_memseg *ms = rte_mem_virt2memseg(va, NULL);
		uint64_t skip;
		size_t off;
		int fd;

		fd = ms == NULL ? -1 : rte_memseg_get_fd(ms);
		if (fd < 0 || rte_memseg_get_fd_offset(ms, &off) < 0) {
			NTB_LOG(ERR, m->name, "inbound region at %p is not mapped from a file", va);
			return -EFAULT;
		}
		skip = RTE_PTR_DIFF(va, ms->addr);
		off += skip;
		if (cur >= 0 && (fd != cur || off != start_off + (done - start))) {
			ret = add_range(m, r->iova + start, done - start, cur, start_off);
			if (ret < 0)
				return ret;
			cur = -1;
		}
		if (cur < 0) {
			cur = fd;
			start = done;
			start_off = off;
		}
		done += RTE_MIN(ms->len - skip, r->len - done);
	}
	return cur < 0 ? 0 : add_range(m, r->iova + start, done - start, cur, start_off);
}

static int
model_mem_set(struct plx_io *io, const struct ntb_port_config *region)
{
	struct plx_io_model *m = model_of(io);
	int ret;

	clear_ranges(m);
	if (region == NULL)
		return 0;
	if (region->fd >= 0)
		ret = add_range(m, region->iova, region->len, region->fd, region->fd_off);
	else
		ret = add_eal_memory(m, region);
	if (ret < 0)
		clear_ranges(m);
	return ret;
}

static uint32_t *
model_wake_word(struct plx_io *io)
{
	struct plx_io_model *m = model_of(io);

	return m->bridge ? NULL : plxm_irq_word(m->port);
}

static int
model_win_file(struct plx_io *io, uint64_t off, uint64_t len, int *ret_fd, uint64_t *ret_off)
{
	struct plx_io_model *m = model_of(io);

	if (m->bridge)
		return -ENOTSUP;
	return plxm_win_file(m->port, PLX_WIN_DATA, io->data_off + off, len, ret_fd, ret_off);
}

static int
model_fault(struct plx_io *io, const char *name, uint64_t arg)
{
	static const char *const names[] = {
		[PLXM_FAULT_CABLE] = NTB_ATTR_FAULT_CABLE,
		[PLXM_FAULT_RETRAIN] = NTB_ATTR_FAULT_RETRAIN,
	};
	unsigned int i;

	for (i = 0; i < RTE_DIM(names); i++)
		if (names[i] != NULL && strcmp(names[i], name) == 0)
			return plxm_fault_set(model_of(io)->port, i, arg);
	return -ENOENT;
}

static void
model_close(struct plx_io *io)
{
	plxm_port_close(model_of(io)->port);
	rte_free(model_of(io));
}

static const struct plx_io_ops model_ops = {
	.rd32 = model_rd32,
	.wr32 = model_wr32,
	.win_rd32 = model_win_rd32,
	.win_wr32 = model_win_wr32,
	.win_map = model_win_map,
	.master = model_master,
	.close = model_close,
};

static const struct plx_io_emu_ops model_emu_ops = {
	.sync = model_sync,
	.mem_set = model_mem_set,
	.wake_word = model_wake_word,
	.win_file = model_win_file,
	.fault = model_fault,
};

static const char *
open_reason(int err)
{
	switch (err) {
	case -EBUSY:
		return "a running process has this port already";
	case -EPROTO:
		return "not a cable file, or one of another version";
	case -EINVAL:
		return "the chip has no such port, or window";
	default:
		return strerror(-err);
	}
}

struct plxm_port *
plx_io_model_port(struct plx_io *io)
{
	return io->ops == &model_ops ? model_of(io)->port : NULL;
}

int
plx_io_model_open(const struct plx_emu_args *args, const char *name, struct plx_io **ret_io)
{
	struct plxm_eeprom eeprom;
	struct plx_io_model *m;
	unsigned int place;
	int fd, ret;

	m = rte_zmalloc("plx_io_model", sizeof(*m), RTE_CACHE_LINE_SIZE);
	if (m == NULL)
		return -ENOMEM;
	fd = open(args->cable, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		ret = -errno;
		NTB_LOG(ERR, name, "cable=%s: %s", args->cable, strerror(errno));
		goto free_m;
	}

	plxm_eeprom_default(&eeprom, args->bar2);
	eeprom.store_rid = args->stores;
	if (!args->bar4)
		eeprom.bar4_size = 0;
	eeprom.chip = args->chip;
	eeprom.nt_index = args->nt;
	place = args->hosts != 0 ? args->host : args->end;
	ret = plxm_port_open(fd, args->hosts, place, &eeprom, &m->port);
	if (ret < 0) {
		NTB_LOG(ERR, name, "cable=%s,%s=%u: %s", args->cable,
			args->hosts != 0 ? "host" : "end", place, open_reason(ret));
		goto close_fd;
	}
	plxm_late_set(m->port, args->late);
	if (args->hide != 0)
		plxm_fault_set(m->port, PLXM_FAULT_HIDE, args->hide);
	close(fd); /* the model keeps what it needs */

	m->io.ops = &model_ops;
	m->io.emu = &model_emu_ops;
	m->io.caps = args->bridge ? NTB_CAP_WINDOW_WC : NTB_CAP_WINDOW_IS_MEMORY;
	m->bridge = args->bridge;
	m->io.lacks = args->lacks;
	m->io.skips = args->skips;
	m->io.setting = "devarg bar2 to a power of two";
	m->io.nt_index = args->nt;
	m->io.dma_rid = args->chip == 0x8732 ? 0 : DMA_BUS << 8;
	m->io.data_off = args->bar4 ? 0 : args->bar2 / 2;
	m->io.window_bus = place_window(m->port) + m->io.data_off;
	m->name = name;
	*ret_io = &m->io;
	return 0;

close_fd:
	close(fd);
free_m:
	rte_free(m);
	return ret;
}
