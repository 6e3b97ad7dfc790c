/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Data between the two guests: by the CPU through the window, by the chip's DMA engine. */

#include <errno.h>
#include <string.h>
#include <time.h>

#include <rte_dmadev.h>
#include <rte_rawdev.h>

#include "pair.h"

#define BUFFER (1u << 20)
#define BULK (2u << 20) /* where in the region DMA lands */

enum {
	EDGE = 64,
	DEPTH = 64,
	SMALL = 500, /* copies, more than the ring has descriptors */
	PATIENCE_S = 30,
};

static uint8_t
pattern(uint32_t seed, uint64_t i)
{
	uint64_t x = (i + seed) * 0x9E3779B97F4A7C15u;

	return (uint8_t)(x >> 56);
}

static uint32_t
seed_of(const struct pair *p, bool peer)
{
	return 1000 * (p->step + 1) + (p->role ^ peer);
}

/* The CPU makes one bus access of each of these. */
static void
store_widths(uint8_t *at, const uint8_t *from)
{
	uint64_t v8;
	uint32_t v4;
	uint16_t v2;

	memcpy(&v8, from, 8);
	memcpy(&v4, from + 8, 4);
	memcpy(&v2, from + 12, 2);
	*(volatile uint64_t *)at = v8;
	*(volatile uint32_t *)(at + 8) = v4;
	*(volatile uint16_t *)(at + 12) = v2;
	*(volatile uint8_t *)(at + 14) = from[14];
	*(volatile uint8_t *)(at + 15) = from[15];
	for (unsigned int i = 16; i < EDGE; i += 8) {
		memcpy(&v8, from + i, 8);
		*(volatile uint64_t *)(at + i) = v8;
	}
}

/* The two ends of each slice of the look-up table that the region has. */
static uint64_t
edge(const struct pair *p, unsigned int i)
{
	uint64_t slice = p->port->ops->region_align(p->port, PAIR_REGION), at = i / 2 * slice;

	return i % 2 == 0 ? at : at + slice - EDGE;
}

void
pair_window(struct pair *p)
{
	uint32_t mine, theirs;
	unsigned int edges =
		(unsigned int)(PAIR_REGION / p->port->ops->region_align(p->port, PAIR_REGION) * 2);
	uint8_t buf[EDGE];
	int ret;

	memset(p->mz->addr, 0, PAIR_REGION);
	pair_meet(p);
	mine = seed_of(p, false);
	theirs = seed_of(p, true);
	for (unsigned int i = 0; i < edges; i++) {
		for (unsigned int j = 0; j < EDGE; j++)
			buf[j] = pattern(mine, edge(p, i) + j);
		store_widths((uint8_t *)p->port->window + edge(p, i), buf);
	}
	ret = ntb_flush(p->port);
	pair_expect(p, ret == 0, "flush: %s", strerror(-ret));
	pair_meet(p);
	for (unsigned int i = 0; i < edges; i++) {
		const uint8_t *at = (uint8_t *)p->mz->addr + edge(p, i);

		for (unsigned int j = 0; j < EDGE; j++)
			pair_expect(p, at[j] == pattern(theirs, edge(p, i) + j),
				    "byte 0x%llx of the region is 0x%02x",
				    (unsigned long long)edge(p, i) + j, at[j]);
		/* and reads through the window show what this side wrote there */
		for (unsigned int j = 0; j < EDGE; j += 8) {
			uint64_t got = *pair_at(p->port->window, edge(p, i) + j);

			for (unsigned int k = 0; k < 8; k++)
				buf[j + k] = (uint8_t)(got >> 8 * k);
		}
		for (unsigned int j = 0; j < EDGE; j++)
			pair_expect(p, buf[j] == pattern(mine, edge(p, i) + j),
				    "byte 0x%llx of the window reads 0x%02x",
				    (unsigned long long)edge(p, i) + j, buf[j]);
	}
	pair_meet(p);
}

void
pair_bounds(struct pair *p)
{
	const uint64_t beyond[] = {PAIR_REGION, PAIR_REGION + p->info.window_align,
				   p->info.window_size - 8};

	for (unsigned int i = 0; i < RTE_DIM(beyond); i++) {
		uint64_t got;

		*pair_at(p->port->window, beyond[i]) = 0;
		got = *pair_at(p->port->window, beyond[i]);
		pair_expect(p, got == UINT64_MAX, "0x%llx beyond the region reads 0x%llx",
			    (unsigned long long)beyond[i], (unsigned long long)got);
	}
	pair_expect(p, ntb_link_poll(p->port) == NTB_LINK_UP, "link lost by a refused access");
	pair_meet(p);
}

/* ---- DMA ---- */

static int16_t
dma_open(struct pair *p)
{
	const struct rte_dma_conf conf = {.nb_vchans = 1};
	const struct rte_dma_vchan_conf vchan = {.direction = RTE_DMA_DIR_MEM_TO_MEM,
						 .nb_desc = DEPTH};
	int16_t id = rte_dma_next_dev(0);

	if (id < 0 || rte_dma_configure(id, &conf) != 0 ||
	    rte_dma_vchan_setup(id, 0, &vchan) != 0 || rte_dma_start(id) != 0) {
		pair_expect(p, false, "no DMA channel that starts");
		return -1;
	}
	return id;
}

static bool
drain(struct pair *p, int16_t id, unsigned int n)
{
	time_t end = time(NULL) + PATIENCE_S;
	bool error = false;
	uint16_t last;

	while (n != 0 && !error && time(NULL) < end)
		n -= rte_dma_completed(id, 0, (uint16_t)RTE_MIN(n, 32u), &last, &error);
	pair_expect(p, n == 0, "%u copies %s", n, error ? "failed" : "did not end");
	return n == 0;
}

static void
copies(struct pair *p, int16_t id, rte_iova_t src, rte_iova_t dst, uint32_t each, unsigned int n)
{
	unsigned int done = 0, burst;

	while (done < n) {
		burst = 0;
		while (done + burst < n && burst < DEPTH / 2) {
			uint64_t off = (uint64_t)(done + burst) * each;

			if (rte_dma_copy(id, 0, src + off, dst + off, each, 0) < 0)
				break;
			burst++;
		}
		rte_dma_submit(id, 0);
		if (burst == 0 || !drain(p, id, burst)) {
			pair_expect(p, burst != 0, "no copy is taken");
			return;
		}
		done += burst;
	}
}

static void
compare(struct pair *p, const uint8_t *at, uint32_t seed, uint32_t len, const char *what)
{
	for (uint32_t i = 0; i < len; i++)
		pair_expect(p, at[i] == pattern(seed, i), "%s: byte %u of %u is 0x%02x", what, i,
			    len, at[i]);
}

/* One length after the other into the peer, which judges it; then all of it back. */
static void
exchange(struct pair *p, int16_t id, const struct rte_memzone *mz)
{
	static const uint32_t lengths[] = {1, 7, 64, 4096, 65537, BUFFER};
	uint8_t *buf = mz->addr, *in = (uint8_t *)p->mz->addr + BULK;
	rte_iova_t window = p->port->window_iova + BULK;

	for (unsigned int l = 0; l < RTE_DIM(lengths); l++) {
		uint32_t len = lengths[l], mine, theirs;

		memset(in, 0, len + 1);
		pair_meet(p);
		mine = seed_of(p, false);
		theirs = seed_of(p, true);
		for (uint32_t i = 0; i < len; i++)
			buf[i] = pattern(mine, i);
		copies(p, id, mz->iova, window, len, 1);
		pair_meet(p);
		compare(p, in, theirs, len, "pushed");
		pair_expect(p, in[len] == 0, "pushed: byte %u was touched too", len);
		memset(buf, 0, len);
		copies(p, id, window, mz->iova, len, 1);
		compare(p, buf, mine, len, "pulled");
		pair_meet(p);
	}
}

void
pair_dma(struct pair *p)
{
	const struct rte_memzone *mz;
	uint32_t mine, theirs;
	int16_t id = dma_open(p);

	mz = rte_memzone_reserve("dma", BUFFER + 64, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG);
	if (id < 0 || mz == NULL) {
		pair_expect(p, mz != NULL, "no memory to copy from");
		goto free;
	}
	exchange(p, id, mz);
	/* many small ones: the ring goes round some times */
	pair_meet(p);
	mine = seed_of(p, false);
	theirs = seed_of(p, true);
	for (uint32_t i = 0; i < SMALL * 24; i++)
		((uint8_t *)mz->addr)[i] = pattern(mine, i);
	copies(p, id, mz->iova, p->port->window_iova + BULK, 24, SMALL);
	pair_meet(p);
	compare(p, (uint8_t *)p->mz->addr + BULK, theirs, SMALL * 24, "small ones");
	pair_meet(p);
free:
	if (id >= 0)
		rte_dma_stop(id);
	rte_memzone_free(mz);
}

void
pair_dma_errors(struct pair *p)
{
	enum rte_dma_status_code status[3];
	time_t end = time(NULL) + PATIENCE_S;
	rte_iova_t hole = 0x3000000000; /* no guest has memory there */
	rte_iova_t own = p->mz->iova + BULK;
	uint16_t n = 0, last;
	int16_t id = dma_open(p);

	if (id < 0)
		return;
	rte_dma_copy(id, 0, own, own + 4096, 64, 0);
	rte_dma_copy(id, 0, hole, own + 4096, 64, 0);
	rte_dma_copy(id, 0, own, own + 8192, 64, RTE_DMA_OP_FLAG_SUBMIT);
	while (n < 3 && time(NULL) < end)
		n += rte_dma_completed_status(id, 0, (uint16_t)(3 - n), &last, status + n);
	pair_expect(p, n == 3, "%u of 3 copies ended", n);
	pair_expect(p,
		    n < 3 || (status[0] == RTE_DMA_STATUS_SUCCESSFUL &&
			      status[1] == RTE_DMA_STATUS_INVALID_SRC_ADDR &&
			      status[2] == RTE_DMA_STATUS_SUCCESSFUL),
		    "statuses %d %d %d", status[0], status[1], status[2]);
	rte_dma_stop(id);
}
