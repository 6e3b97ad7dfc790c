/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* PCI functions: each message becomes an access to the chip. */

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device.h"

enum {
	CFG_BAR0 = 0x10,
	CFG_BAR3 = 0x1C,
	CFG_BAR5 = 0x24,
	CFG_CMD = 0x04,
	CFG_CMD_MEM = 2,
	CFG_DEVCTL = 0x70,
	DEVCTL_RESET = 0x8000,
	NT_BAR4 = 1 << 20,
	CONVENTIONAL = 256, /* bytes of configuration space that the emulator's bus has */
	BURST = 8,	    /* descriptors between two polls for messages */
};

/* ---- the NT function ---- */

static void
nt_power(struct fn *f, bool on)
{
	plxm_port_power(f->port, on);
}

static uint32_t
nt_cfg_read(struct fn *f, uint32_t off, unsigned int size)
{
	/* While QEMU sizes the BARs, it takes each dword for a BAR of its own. It would take the
	 * ones in the upper half of a 64-bit size for another BAR, of 16 bytes of I/O space. */
	if (!f->sized && ((off & ~3u) == CFG_BAR3 || (off & ~3u) == CFG_BAR5))
		return 0;
	return plxm_cfg_read(f->port, off, size);
}

static void
nt_cfg_write(struct fn *f, uint32_t off, uint32_t val, unsigned int size)
{
	plxm_cfg_write(f->port, off, val, size);
}

/* Which BAR decodes [addr, addr + size), and where in it. */
static bool
nt_decode(struct fn *f, uint64_t addr, unsigned int size, unsigned int *ret_bar, uint64_t *ret_off)
{
	const uint64_t sizes[] = {PLXM_BAR0_SIZE, f->bar2, NT_BAR4};

	if (!(plxm_cfg_read(f->port, CFG_CMD, 2) & CFG_CMD_MEM))
		return false;
	for (unsigned int i = 0; i < 3; i++) {
		uint32_t reg = CFG_BAR0 + 8 * i;
		uint64_t high = i == 0 ? 0 : plxm_cfg_read(f->port, reg + 4, 4);
		uint64_t base = high << 32 | (plxm_cfg_read(f->port, reg, 4) & ~0xFu);

		*ret_bar = 2 * i;
		*ret_off = addr - base;
		if (addr >= base && *ret_off <= sizes[i] - size)
			return true;
	}
	return false;
}

/* Registers are dwords, and an access of part of one reads it whole. */
static void
nt_bar_read(struct fn *f, uint64_t addr, void *buf, unsigned int size)
{
	unsigned int bar;
	uint64_t off;
	uint32_t val;

	memset(buf, 0xFF, size);
	if (!nt_decode(f, addr, size, &bar, &off))
		return;
	if (bar != 0)
		(void)plxm_win_read(f->port, bar, off, buf, size);
	for (unsigned int i = 0; i < size && bar == 0; i += 4) {
		val = plxm_serial_read(f->serial, ((uint32_t)off & ~3u) + i) >> (off & 3) * 8;
		memcpy((uint8_t *)buf + i, &val, size < 4 ? size : 4);
	}
}

/* No driver writes a part of a register; such writes vanish. */
static void
nt_bar_write(struct fn *f, uint64_t addr, const void *buf, unsigned int size)
{
	unsigned int bar;
	uint64_t off;
	uint32_t val;

	if (!nt_decode(f, addr, size, &bar, &off))
		return;
	if (bar != 0)
		(void)plxm_win_write(f->port, bar, off, buf, size);
	for (unsigned int i = 0; i + 4 <= size && bar == 0; i += 4) {
		memcpy(&val, (const uint8_t *)buf + i, 4);
		plxm_serial_write(f->serial, (uint32_t)off + i, val);
	}
}

static void
nt_forget(struct fn *f)
{
	for (unsigned int i = 0; i < f->mem.n; i++)
		plxm_dram_del(f->port, f->mem.range[i].gpa);
	sysmem_clear(&f->mem);
}

static int
nt_sysmem(struct fn *f, struct message *m)
{
	int ret;

	if (m != NULL && sysmem_same(&f->mem, m))
		return 0;
	nt_forget(f);
	if (m == NULL)
		return 0;
	ret = sysmem_set(&f->mem, m, false);
	for (unsigned int i = 0; i < f->mem.n && ret == 0; i++)
		ret = plxm_dram_add(f->port, f->mem.range[i].gpa, f->mem.range[i].size,
				    f->mem.range[i].fd, f->mem.range[i].off);
	return ret;
}

const struct fn_ops nt_ops = {
	.power = nt_power,
	.cfg_read = nt_cfg_read,
	.cfg_write = nt_cfg_write,
	.bar_read = nt_bar_read,
	.bar_write = nt_bar_write,
	.sysmem = nt_sysmem,
};

/* ---- a DMA function ---- */

static void
dma_power(struct fn *f, bool on)
{
	(void)on;
	plxm_dma_write(f->dma, CFG_DEVCTL, DEVCTL_RESET, 2);
}

static uint32_t
dma_cfg_read(struct fn *f, uint32_t off, unsigned int size)
{
	return plxm_dma_read(f->dma, off, size);
}

static void
dma_cfg_write(struct fn *f, uint32_t off, uint32_t val, unsigned int size)
{
	plxm_dma_write(f->dma, off, val, size);
}

static bool
dma_decode(struct fn *f, uint64_t addr, unsigned int size, uint32_t *ret_off)
{
	uint64_t base = plxm_dma_read(f->dma, CFG_BAR0, 4) & ~0xFu;

	if (!(plxm_dma_read(f->dma, CFG_CMD, 2) & CFG_CMD_MEM) || addr < base ||
	    addr - base > PLXM_DMA_BAR0_SIZE - size)
		return false;
	*ret_off = (uint32_t)(addr - base);
	return true;
}

static void
dma_bar_read(struct fn *f, uint64_t addr, void *buf, unsigned int size)
{
	uint32_t off, val;

	memset(buf, 0xFF, size);
	if (!dma_decode(f, addr, size, &off))
		return;
	for (unsigned int i = 0; i < size; i += 4) {
		val = plxm_dma_read(f->dma, off + i, size < 4 ? size : 4);
		memcpy((uint8_t *)buf + i, &val, size < 4 ? size : 4);
	}
}

static void
dma_bar_write(struct fn *f, uint64_t addr, const void *buf, unsigned int size)
{
	uint32_t off;

	if (!dma_decode(f, addr, size, &off))
		return;
	for (unsigned int i = 0; i < size; i += 4) {
		uint32_t val = 0;

		memcpy(&val, (const uint8_t *)buf + i, size < 4 ? size : 4);
		plxm_dma_write(f->dma, off + i, val, size < 4 ? size : 4);
	}
}

static int
dma_sysmem(struct fn *f, struct message *m)
{
	if (m == NULL) {
		sysmem_clear(&f->mem);
		return 0;
	}
	return sysmem_set(&f->mem, m, true);
}

static bool
dma_busy(struct fn *f)
{
	return plxm_dma_busy(f->dma);
}

static void
dma_work(struct fn *f)
{
	plxm_dma_run(f->dma, BURST);
}

const struct fn_ops dma_ops = {
	.power = dma_power,
	.cfg_read = dma_cfg_read,
	.cfg_write = dma_cfg_write,
	.bar_read = dma_bar_read,
	.bar_write = dma_bar_write,
	.sysmem = dma_sysmem,
	.busy = dma_busy,
	.work = dma_work,
};

/* ---- both ---- */

static bool
size_ok(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* 0, or the error after which the connection is closed. */
static int
handle_message(struct fn *f, int fd, struct message *m)
{
	uint64_t val = UINT64_MAX;
	int ret;

	switch (m->cmd) {
	case MESSAGE_SYNC_SYSMEM:
		ret = f->ops->sysmem(f, m);
		if (ret < 0)
			fprintf(stderr, "ringbell-device: %s: cannot use the guest's memory: %s\n",
				f->path, strerror(-ret));
		return 0;
	case MESSAGE_SET_IRQFD:
		return 0; /* only KVM listens to them: irq.c */
	case MESSAGE_CFG_READ:
		if (m->u.cfg.len < 1 || m->u.cfg.len > 4 || m->u.cfg.addr >= CONVENTIONAL)
			val = UINT32_MAX;
		else
			val = f->ops->cfg_read(f, m->u.cfg.addr, (unsigned int)m->u.cfg.len);
		return message_return(fd, val);
	case MESSAGE_CFG_WRITE:
		if (m->u.cfg.len >= 1 && m->u.cfg.len <= 4 && m->u.cfg.addr < CONVENTIONAL)
			f->ops->cfg_write(f, m->u.cfg.addr, m->u.cfg.val,
					  (unsigned int)m->u.cfg.len);
		return message_return(fd, 0);
	case MESSAGE_BAR_READ:
		if (size_ok(m->u.bar.size)) {
			val = 0;
			f->ops->bar_read(f, m->u.bar.addr, &val, m->u.bar.size);
		}
		return message_return(fd, val);
	case MESSAGE_BAR_WRITE:
		if (size_ok(m->u.bar.size))
			f->ops->bar_write(f, m->u.bar.addr, &m->u.bar.val, m->u.bar.size);
		return message_return(fd, 0);
	case MESSAGE_RESET:
		f->sized = true; /* the machine is assembled; its software starts next */
		f->ops->power(f, true);
		return message_return(fd, 0);
	}
	return -EPROTO;
}

static int
serve_one(struct fn *f, int fd)
{
	struct pollfd pfd = {.fd = fd, .events = POLLIN};
	struct message m;
	int ret;

	for (;;) {
		bool busy = f->ops->busy != NULL && f->ops->busy(f);

		/* the engine works between messages, so that a message can stop it */
		if (busy && poll(&pfd, 1, 0) == 0) {
			f->ops->work(f);
			continue;
		}
		ret = message_receive(fd, &m);
		if (ret <= 0)
			return ret;
		ret = handle_message(f, fd, &m);
		message_close_fds(&m);
		if (ret < 0)
			return ret;
	}
}

void *
fn_serve(void *arg)
{
	struct fn *f = arg;

	for (;;) {
		int fd = accept(f->listen_fd, NULL, NULL), ret;

		if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
			continue;
		if (fd < 0) {
			fprintf(stderr, "ringbell-device: %s: %s\n", f->path, strerror(errno));
			return NULL;
		}
		f->sized = false;
		f->ops->power(f, true);
		ret = serve_one(f, fd);
		/* EOF, EPIPE and similar errors mean the end of a machine */
		if (ret == -EPROTO)
			fprintf(stderr, "ringbell-device: %s: not a message of QEMU\n", f->path);
		f->ops->power(f, false);
		f->ops->sysmem(f, NULL);
		close(fd);
	}
}
