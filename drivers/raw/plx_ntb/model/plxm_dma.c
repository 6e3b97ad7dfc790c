/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The DMA function: its registers, and the engine, which takes descriptors from a ring in host
 * memory. */

#include "plxm_dma.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plxm_chip.h"
#include "plxm_path.h"

enum {
	CHUNK = 64 * 1024, /* of a request through a window, between two of which others pass */
};

struct plxm_dma {
	struct plxm_port *p;
	unsigned int ch;
	struct plxm_dma_host host;
	uint32_t reg[PLXM_DMA_BAR0_SIZE / 4];
	bool running, want_pause, want_abort;
	uint32_t fault[PLXM_DMA_FAULT_MAX];
};

static uint32_t *
reg_at(struct plxm_dma *d, uint32_t off)
{
	return &d->reg[off / 4];
}

/* ---- registers ---- */

static void
reset_regs(struct plxm_dma *d)
{
	memset(d->reg, 0, sizeof(d->reg));
	*reg_at(d, 0) = (uint32_t)HW_DMA_ID << 16 | 0x10B5;
	*reg_at(d, HW_CMD) = 1u << 20;
	*reg_at(d, HW_CLASS) = 0x088000CA;
	*reg_at(d, HW_HEADER) = 1u << 23; /* one of several functions */
	*reg_at(d, HW_SUBSYS) = (uint32_t)d->p->me.chip->eeprom.chip << 16 | 0x10B5;
	*reg_at(d, HW_CAP_PTR) = HW_PM;
	*reg_at(d, HW_INT) = (1 + d->ch % 4) << 8;
	*reg_at(d, HW_PM) = 0x00030001 | HW_PCIE << 8;
	*reg_at(d, HW_PCIE) = 0x00020010;
	*reg_at(d, HW_DEVCAP) = 0x10008004; /* can be reset alone */
	d->running = false;
	d->want_pause = false;
	d->want_abort = false;
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
	reset_regs(d);
	*ret_dma = d;
	return 0;
}

void
plxm_dma_close(struct plxm_dma *d)
{
	free(d);
}

bool
plxm_dma_busy(const struct plxm_dma *d)
{
	return (d->running || d->want_pause || d->want_abort) &&
	       d->fault[PLXM_DMA_FAULT_STUCK] == 0;
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
	uint32_t *ctl = reg_at(d, HW_DMA_CTL);

	*ctl = (*ctl & ~(HW_DMA_CTL_RW & be)) | (val & HW_DMA_CTL_RW & be);
	*ctl &= ~(val & HW_DMA_CTL_W1C & be);
	val &= be;
	if (val & HW_DMA_START) {
		d->running = true;
		*ctl |= HW_DMA_BUSY;
	}
	if (val & HW_DMA_PAUSE)
		d->want_pause = true;
	if (val & HW_DMA_ABORT)
		d->want_abort = true;
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
	val = *reg_at(d, off) >> (off & 3) * 8;
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
	if (r == HW_DMA_CTL) {
		write_control(d, val, be);
	} else if (r == HW_DEVCTL && (val & be & 0x8000)) {
		reset_regs(d); /* of the function */
	} else {
		mask = writable_bits(r) & be;
		*reg_at(d, r) = (*reg_at(d, r) & ~mask) | (val & mask);
	}
}

int
plxm_dma_fault_set(struct plxm_dma *d, enum plxm_dma_fault f, uint32_t count)
{
	if ((unsigned int)f >= PLXM_DMA_FAULT_MAX)
		return -EINVAL;
	if (f == PLXM_DMA_FAULT_STUCK && count == 0 && d->fault[f] != 0)
		reset_regs(d);
	d->fault[f] = count;
	return 0;
}

/* ---- what the engine reads and writes ---- */

struct place {
	uint8_t *mem; /* NULL where it lies in a window */
	unsigned int bar;
	uint64_t off;
};

static bool
master_on(struct plxm_dma *d)
{
	return (*reg_at(d, HW_CMD) & HW_CMD_MASTER) != 0;
}

static uint16_t
rid_of(const struct plxm_dma *d)
{
	return (uint16_t)((d->host.bus != 0 ? d->host.bus : HW_DMA_BUS) << 8 | (1 + d->ch));
}

/* Is @p bus in a window of the NT port? Its BARs route inside the switch, before any root port. */
static bool
in_window(struct plxm_dma *d, uint64_t bus, uint64_t *len, struct place *at)
{
	const struct plxm_chip *chip = d->p->me.chip;
	uint32_t nt = d->p->me.base;

	if (!(plxm_get(chip, nt + HW_CMD) & HW_CMD_MEM))
		return false;
	for (unsigned int n = 2; n <= 4; n += 2) {
		struct plxm_bar bar;
		uint64_t left;

		if (!plxm_bar_get(chip, nt, n, &bar) || bar.addr == 0 ||
		    (bus & bar.mask) != bar.addr)
			continue;
		*at = (struct place){.bar = n, .off = bus & ~bar.mask};
		left = -bar.mask - at->off;
		*len = *len < left ? *len : left;
		return true;
	}
	return false;
}

static bool
find_place(struct plxm_dma *d, uint64_t bus, uint64_t *len, struct place *at)
{
	if (in_window(d, bus, len, at))
		return true;
	*at = (struct place){.mem = d->host.mem(d->host.ctx, bus, len)};
	return at->mem != NULL && *len != 0;
}

/* One stretch that is contiguous on both sides. @return HW_DESC_*_FAILED, or 0 */
static uint32_t
move_stretch(struct plxm_dma *d, const struct place *src, const struct place *dst, uint64_t len)
{
	struct plxm_request in = {.buf = dst->mem, .len = len, .rid = rid_of(d)};
	struct plxm_request out = {
		.buf = src->mem, .len = len, .rid = rid_of(d), .write = true, .dma = true};

	if (src->mem == NULL) {
		if (dst->mem == NULL || plxm_win_access(d->p, src->bar, src->off, in) != 0)
			return HW_DESC_READ_FAILED;
	} else if (dst->mem == NULL) {
		/* posted: a refusal is not reported to the sender */
		(void)plxm_win_access(d->p, dst->bar, dst->off, out);
	} else {
		memmove(dst->mem, src->mem, len);
	}
	return 0;
}

/* @return bytes that were moved; @p ret_failed: HW_DESC_*_FAILED */
static uint32_t
move_bytes(struct plxm_dma *d, uint64_t from, uint64_t to, uint32_t len, uint32_t *ret_failed)
{
	uint32_t done = 0;

	*ret_failed = len != 0 && !master_on(d) ? HW_DESC_READ_FAILED : 0;
	while (done < len && *ret_failed == 0) {
		uint64_t n = len - done < CHUNK ? len - done : CHUNK;
		struct place src, dst;

		if (!find_place(d, from + done, &n, &src))
			*ret_failed = HW_DESC_READ_FAILED;
		else if (!find_place(d, to + done, &n, &dst))
			*ret_failed = HW_DESC_WRITE_FAILED;
		else
			*ret_failed = move_stretch(d, &src, &dst, n);
		done += *ret_failed == 0 ? (uint32_t)n : 0;
	}
	return done;
}

/* ---- the ring ---- */

/* The pointers have no upper half: a ring lies within 4 GiB. */
static uint64_t
desc_bus(struct plxm_dma *d)
{
	return (uint64_t)*reg_at(d, HW_DMA_RING + 4) << 32 | *reg_at(d, HW_DMA_NEXT);
}

/* Position in the ring, or the length of it for a pointer that is outside. */
static uint32_t
ring_position(struct plxm_dma *d)
{
	uint32_t off = *reg_at(d, HW_DMA_NEXT) - *reg_at(d, HW_DMA_RING);
	uint32_t count = *reg_at(d, HW_DMA_COUNT);

	return off / 16 < count ? off / 16 : count;
}

static void
go_idle(struct plxm_dma *d, uint32_t ctl_bits)
{
	d->running = false;
	*reg_at(d, HW_DMA_CTL) &= ~HW_DMA_BUSY;
	*reg_at(d, HW_DMA_CTL) |= ctl_bits;
}

/* A pause or an abort that was asked for; between two descriptors. */
static bool
told_to_stop(struct plxm_dma *d)
{
	if (!d->want_abort && !d->want_pause)
		return !d->running;
	go_idle(d, d->want_abort ? HW_DMA_ABORT_DONE : HW_DMA_PAUSE_DONE);
	d->want_abort = false;
	d->want_pause = false;
	return true;
}

/* The next descriptor. False: there is none. */
static bool
fetch_desc(struct plxm_dma *d, uint32_t desc[4])
{
	uint64_t len = 4 * sizeof(*desc);
	const uint32_t *w;

	if (HW_DMA_MODE(*reg_at(d, HW_DMA_CTL)) != 2 ||
	    ring_position(d) == *reg_at(d, HW_DMA_COUNT) || !master_on(d))
		return false;
	w = d->host.mem(d->host.ctx, desc_bus(d), &len);
	if (w == NULL || len < 4 * sizeof(*desc))
		return false;
	/* pairs with the driver's barrier: it sets the valid bit last */
	desc[0] = __atomic_load_n(&w[0], __ATOMIC_ACQUIRE);
	for (unsigned int i = 1; i < 4; i++)
		desc[i] = __atomic_load_n(&w[i], __ATOMIC_RELAXED);
	return (desc[0] & HW_DESC_VALID) != 0;
}

static uint32_t
execute_desc(struct plxm_dma *d, const uint32_t desc[4], uint32_t *ret_failed)
{
	*ret_failed = HW_DESC_READ_FAILED | HW_DESC_WRITE_FAILED;
	if (desc[0] & (HW_DESC_EXTENDED | HW_DESC_HOLD))
		return 0;
	return move_bytes(d, (uint64_t)(desc[1] >> 16) << 32 | desc[3],
			  (uint64_t)(desc[1] & 0xFFFF) << 32 | desc[2], desc[0] & HW_DESC_COUNT,
			  ret_failed);
}

static void
write_back(struct plxm_dma *d, uint32_t word)
{
	uint64_t len = sizeof(word);
	uint32_t *w = d->host.mem(d->host.ctx, desc_bus(d), &len);

	/* pairs with the driver's load of this word: the data is in place before it */
	if (w != NULL && len >= sizeof(word))
		__atomic_store_n(w, word, __ATOMIC_RELEASE);
}

static bool
take_stall(struct plxm_dma *d)
{
	if (d->fault[PLXM_DMA_FAULT_STALL] == 0)
		return false;
	d->fault[PLXM_DMA_FAULT_STALL]--;
	go_idle(d, 0);
	return true;
}

/* One descriptor, or false. */
static bool
run_step(struct plxm_dma *d)
{
	uint32_t desc[4], done, failed, *next = reg_at(d, HW_DMA_NEXT);

	if (told_to_stop(d))
		return false;
	if (!fetch_desc(d, desc)) {
		go_idle(d, HW_DMA_INVALID);
		return false;
	}
	if (take_stall(d))
		return false;
	done = execute_desc(d, desc, &failed);
	if (*reg_at(d, HW_DMA_CTL) & HW_DMA_WRITE_BACK)
		write_back(d, done | (desc[0] & HW_DESC_EXTENDED) |
				      (failed != 0 ? failed : HW_DESC_SUCCESS));
	*next = ring_position(d) + 1 < *reg_at(d, HW_DMA_COUNT) ? *next + 16
								: *reg_at(d, HW_DMA_RING);
	return true;
}

unsigned int
plxm_dma_run(struct plxm_dma *d, unsigned int max)
{
	unsigned int n = 0;

	while (n < max && d->fault[PLXM_DMA_FAULT_STUCK] == 0 && run_step(d))
		n++;
	return n;
}
