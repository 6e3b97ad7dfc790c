/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Reads and writes of the DMA engine. */

#include <string.h>

#include "plxm_chip.h"
#include "plxm_dma_priv.h"
#include "plxm_path.h"

#define CHUNK (64u * 1024) /* between two looks for an abort */

struct place {
	uint8_t *mem; /* NULL where it lies in a window */
	unsigned int bar;
	uint64_t off;
};

static bool
master_on(struct plxm_dma *d)
{
	return (*plxm_dma_reg(d, HW_CMD) & HW_CMD_MASTER) != 0;
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
find_place(struct plxm_dma *d, uint64_t bus, uint64_t *len, bool write, struct place *at)
{
	if (in_window(d, bus, len, at))
		return true;
	*at = (struct place){.mem = d->host.mem(d->host.ctx, bus, len, write)};
	return at->mem != NULL && *len != 0;
}

/* One stretch that is contiguous on both sides. */
static uint32_t
move_stretch(struct plxm_dma *d, const struct place *src, const struct place *dst, uint64_t len)
{
	struct plxm_request in = {.len = len, .rid = rid_of(d)};
	struct plxm_request out = {.len = len, .rid = rid_of(d), .write = true, .dma = true};
	uint8_t bounce[4096];

	if (src->mem != NULL && dst->mem != NULL) {
		memmove(dst->mem, src->mem, len);
		return 0;
	}
	if (src->mem == NULL) {
		in.buf = dst->mem;
		if (in.buf == NULL)
			in.buf = bounce;
		if (plxm_win_access(d->p, src->bar, src->off, in) != 0)
			return HW_DESC_READ_FAILED;
	}
	if (dst->mem == NULL) {
		out.buf = src->mem;
		if (out.buf == NULL)
			out.buf = bounce;
		/* posted: a refusal is not reported to the sender */
		(void)plxm_win_access(d->p, dst->bar, dst->off, out);
	}
	return 0;
}

uint32_t
plxm_dma_move(struct plxm_dma *d, const struct plxm_dma_job *job, uint32_t *ret_failed)
{
	uint32_t done = 0;

	*ret_failed = 0;
	if (job->len != 0 && !master_on(d))
		*ret_failed = HW_DESC_READ_FAILED;
	while (done < job->len && *ret_failed == 0 && !atomic_load(&d->abort)) {
		uint64_t n = job->len - done < CHUNK ? job->len - done : CHUNK;
		struct place src, dst;

		if (!find_place(d, job->src + done, &n, false, &src)) {
			*ret_failed = HW_DESC_READ_FAILED;
		} else if (!find_place(d, job->dst + done, &n, true, &dst)) {
			*ret_failed = HW_DESC_WRITE_FAILED;
		} else {
			if (src.mem == NULL && dst.mem == NULL && n > 4096)
				n = 4096;
			*ret_failed = move_stretch(d, &src, &dst, n);
			done += *ret_failed == 0 ? (uint32_t)n : 0;
		}
	}
	return done;
}

bool
plxm_dma_fetch(struct plxm_dma *d, uint64_t bus, uint32_t desc[4])
{
	uint64_t len = 4 * sizeof(*desc);
	const uint32_t *w = master_on(d) ? d->host.mem(d->host.ctx, bus, &len, false) : NULL;

	if (w == NULL || len < 4 * sizeof(*desc))
		return false;
	/* pairs with the driver's barrier: it sets the valid bit last */
	desc[0] = __atomic_load_n(&w[0], __ATOMIC_ACQUIRE);
	for (unsigned int i = 1; i < 4 && (desc[0] & HW_DESC_VALID); i++)
		desc[i] = __atomic_load_n(&w[i], __ATOMIC_RELAXED);
	return true;
}

bool
plxm_dma_write_back(struct plxm_dma *d, uint64_t bus, uint32_t word)
{
	uint64_t len = sizeof(word);
	uint32_t *w = d->host.mem(d->host.ctx, bus, &len, true);

	if (w == NULL || len < sizeof(word))
		return false;
	/* pairs with the driver's load of this word: the data is in place before it */
	__atomic_store_n(w, word, __ATOMIC_RELEASE);
	return true;
}
