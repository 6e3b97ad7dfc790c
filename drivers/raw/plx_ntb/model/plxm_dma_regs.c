/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Registers of the DMA function. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plxm_dma_priv.h"

static void
reset_regs(struct plxm_dma *d)
{
	memset(d->reg, 0, sizeof(d->reg));
	*plxm_dma_reg(d, 0) = (uint32_t)HW_DMA_ID << 16 | 0x10B5;
	*plxm_dma_reg(d, HW_CMD) = 1u << 20;
	*plxm_dma_reg(d, HW_CLASS) = 0x088000CA;
	*plxm_dma_reg(d, HW_HEADER) = 1u << 23; /* one of several functions */
	*plxm_dma_reg(d, HW_SUBSYS) = (uint32_t)d->p->me.chip->eeprom.chip << 16 | 0x10B5;
	*plxm_dma_reg(d, HW_CAP_PTR) = HW_PM;
	*plxm_dma_reg(d, HW_INT) = (1 + d->ch % 4) << 8;
	*plxm_dma_reg(d, HW_PM) = 0x00030001 | HW_PCIE << 8;
	*plxm_dma_reg(d, HW_PCIE) = 0x00020010;
	*plxm_dma_reg(d, HW_DEVCAP) = 0x10008004; /* can be reset alone */
	d->running = false;
	d->want_pause = false;
	d->want_abort = false;
	plxm_dma_note_busy(d);
}

int
plxm_dma_open(struct plxm_port *p, unsigned int channel, const struct plxm_dma_host *host,
	      struct plxm_dma **ret_dma)
{
	struct plxm_dma *d;

	if (p->me.chip->eeprom.chip == 0x8732) /* the first generation came without */
		return -ENODEV;
	if (channel >= PLXM_DMA_CHANNELS)
		return -EINVAL;
	d = calloc(1, sizeof(*d));
	if (d == NULL)
		return -ENOMEM;
	d->p = p;
	d->ch = channel;
	d->host = *host;
	pthread_mutex_init(&d->engine, NULL);
	pthread_mutex_init(&d->mu, NULL);
	reset_regs(d);
	*ret_dma = d;
	return 0;
}

void
plxm_dma_close(struct plxm_dma *d)
{
	if (d == NULL)
		return;
	pthread_mutex_destroy(&d->mu);
	pthread_mutex_destroy(&d->engine);
	free(d);
}

void
plxm_dma_note_busy(struct plxm_dma *d)
{
	atomic_store(&d->abort, d->want_abort);
	/* pairs with the load in plxm_dma_busy() */
	atomic_store(&d->busy, d->running || d->want_pause || d->want_abort);
}

bool
plxm_dma_busy(struct plxm_dma *d)
{
	return atomic_load(&d->busy) != 0 && atomic_load(&d->fault[PLXM_DMA_FAULT_STUCK]) == 0;
}

void
plxm_dma_idle(struct plxm_dma *d, uint32_t ctl_bits)
{
	d->running = false;
	*plxm_dma_reg(d, HW_DMA_CTL) &= ~HW_DMA_BUSY;
	*plxm_dma_reg(d, HW_DMA_CTL) |= ctl_bits;
	plxm_dma_note_busy(d);
}

/* Writable bits of a register. */
static uint32_t
writable_bits(uint32_t r)
{
	switch (r) {
	case HW_CMD:
		return 0x0406;
	case HW_BAR0:
		return -(uint32_t)PLXM_DMA_BAR0_SIZE;
	case HW_HEADER:
	case HW_INT:
		return 0xFF;
	case HW_DEVCTL:
		return 0x7FFF;
	case HW_DEVCTL2:
		return 0xFFFF;
	case HW_DMA_RING:
		return ~63u;
	case HW_DMA_NEXT:
		return ~15u;
	case HW_DMA_COUNT:
		return 0xFFFF;
	case HW_DMA_PREFETCH:
		return 0xFF;
	case HW_DMA_RING + 4:
		return 0xFFFFFFFF;
	default:
		return 0;
	}
}

static void
write_control(struct plxm_dma *d, uint32_t val, uint32_t be)
{
	uint32_t *ctl = plxm_dma_reg(d, HW_DMA_CTL);

	*ctl = (*ctl & ~(HW_DMA_CTL_RW & be)) | (val & HW_DMA_CTL_RW & be);
	*ctl &= ~(val & HW_DMA_CTL_W1C & be);
	val &= be;
	if (val & HW_DMA_START) {
		d->starts++;
		d->running = true;
		*ctl |= HW_DMA_BUSY;
	}
	if (val & HW_DMA_PAUSE)
		d->want_pause = true;
	if (val & HW_DMA_ABORT)
		d->want_abort = true;
	plxm_dma_note_busy(d);
}

static bool
access_ok(uint32_t off, unsigned int size)
{
	return (size == 1 || size == 2 || size == 4) && off < PLXM_DMA_BAR0_SIZE && off % size == 0;
}

uint32_t
plxm_dma_read(struct plxm_dma *d, uint32_t off, unsigned int size)
{
	uint32_t val;

	if (!access_ok(off, size))
		return HW_ABSENT;
	pthread_mutex_lock(&d->mu);
	val = *plxm_dma_reg(d, off) >> (off & 3) * 8;
	pthread_mutex_unlock(&d->mu);
	return size == 4 ? val : val & ((1u << size * 8) - 1);
}

void
plxm_dma_write(struct plxm_dma *d, uint32_t off, uint32_t val, unsigned int size)
{
	unsigned int shift = (off & 3) * 8;
	uint32_t be, mask, r = off & ~3u;

	if (!access_ok(off, size))
		return;
	be = (size == 4 ? 0xFFFFFFFF : (1u << size * 8) - 1) << shift;
	val <<= shift;
	pthread_mutex_lock(&d->mu);
	if (r == HW_DMA_CTL) {
		write_control(d, val, be);
	} else if (r == HW_DEVCTL && (val & be & 0x8000)) {
		reset_regs(d); /* of the function */
	} else {
		mask = writable_bits(r) & be;
		d->reg[r / 4] = (d->reg[r / 4] & ~mask) | (val & mask);
	}
	pthread_mutex_unlock(&d->mu);
}

int
plxm_dma_fault_set(struct plxm_dma *d, enum plxm_dma_fault f, uint32_t count)
{
	if ((unsigned int)f >= PLXM_DMA_FAULT_MAX)
		return -EINVAL;
	if (f == PLXM_DMA_FAULT_STUCK && count == 0 && atomic_load(&d->fault[f]) != 0) {
		pthread_mutex_lock(&d->mu);
		reset_regs(d);
		pthread_mutex_unlock(&d->mu);
	}
	atomic_store(&d->fault[f], count);
	return 0;
}
