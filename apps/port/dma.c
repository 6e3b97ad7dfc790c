/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The window written by a copy engine: any dmadev, for emulated ports the model's own.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_bus_vdev.h>
#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_dmadev.h>
#include <rte_memzone.h>
#include <rte_pause.h>

#include "cli.h"
#include "driver.h"

#define MADE "dma_plx_emu_perf"

enum {
	DESCS = 1024, /* of the ring */
	BURST = 32,   /* copies in flight */
	LIMIT_MS = 5000,
};

static int
fail_with(const char *name, int error, const char *what)
{
	cli_say("DMA engine %s: %s: %s", name, what, strerror(-error));
	return error;
}

static int
start_device(struct drv_dma *a, const char *name)
{
	const struct rte_dma_conf conf = {.nb_vchans = 1};
	struct rte_dma_vchan_conf vchan = {.direction = RTE_DMA_DIR_MEM_TO_MEM};
	struct rte_dma_info info;
	int ret = rte_dma_info_get(a->id, &info);

	if (ret < 0)
		return fail_with(name, ret, "no information");
	vchan.nb_desc = RTE_MIN(info.max_desc, (uint16_t)DESCS);
	ret = rte_dma_configure(a->id, &conf);
	if (ret == 0)
		ret = rte_dma_vchan_setup(a->id, 0, &vchan);
	if (ret == 0)
		ret = rte_dma_start(a->id);
	return ret < 0 ? fail_with(name, ret, "cannot be started") : 0;
}

/* The engine reads only memory to which the EAL gave bus addresses. */
static int
alloc_source(struct drv *d)
{
	struct drv_dma *a = &d->dma;
	size_t i;

	a->mz = rte_memzone_reserve_aligned("perf_dma", d->ports.len, SOCKET_ID_ANY,
					    RTE_MEMZONE_IOVA_CONTIG, RTE_CACHE_LINE_SIZE);
	if (a->mz == NULL)
		return fail_with("source", -ENOMEM, "more memory (-m) or smaller sizes help");
	for (i = 0; i < d->ports.len; i++)
		((uint8_t *)a->mz->addr)[i] = (uint8_t)(i * 7 + (i >> 8) + 1);
	return 0;
}

int
drv_dma_open(struct drv *d, const char *name)
{
	struct drv_dma *a = &d->dma;
	char args[96];
	int ret;

	*a = (struct drv_dma){.id = name ? (int16_t)rte_dma_get_dev_id_by_name(name)
					 : rte_dma_next_dev(0)};
	if (a->id < 0 && name)
		return fail_with(name, -ENODEV, "there is none of this name");
	if (a->id < 0 && d->ports.port[NEAR]->memory == NULL &&
	    (d->ports.port[NEAR]->caps & NTB_CAP_WINDOW_IS_MEMORY) != 0) {
		snprintf(args, sizeof(args), "ntb=%s,channel=0", d->ports.info[NEAR].location);
		ret = rte_vdev_init(MADE, args);
		if (ret < 0)
			return fail_with(MADE, ret, "cannot be made");
		a->made = true;
		a->id = (int16_t)rte_dma_get_dev_id_by_name(MADE);
	}
	if (a->id < 0)
		return -ENODEV;
	ret = d->ports.port[NEAR]->window_iova == 0
		      ? fail_with("window", -ENOTSUP, "its bus address is not known")
		      : alloc_source(d);
	if (ret == 0)
		ret = start_device(a, name ? name : MADE);
	a->open = ret == 0;
	if (ret < 0)
		drv_dma_close(d);
	return ret;
}

void
drv_dma_close(struct drv *d)
{
	if (d->dma.open)
		rte_dma_stop(d->dma.id);
	if (d->dma.made)
		rte_vdev_uninit(MADE);
	rte_memzone_free(d->dma.mz);
	d->dma = (struct drv_dma){.id = -1};
}

/* @return how many are complete, at least one; 0 after an error, which is printed once */
static unsigned int
reap_some(struct drv *d, unsigned int most)
{
	uint64_t end = rte_get_timer_cycles() + rte_get_timer_hz() * LIMIT_MS / 1000;
	bool error = false;
	unsigned int n;
	uint16_t last;

	do {
		n = rte_dma_completed(d->dma.id, 0, (uint16_t)most, &last, &error);
		if (n > 0 && !error)
			return n;
		rte_pause();
	} while (!error && rte_get_timer_cycles() < end);
	d->failed = true;
	cli_say("the DMA engine %s", error ? "reports an error" : "does not finish a copy");
	return 0;
}

/* Parts from @p first on of a block of @p parts, as many as one submit hands over.
 * @return how many, or -errno */
static int
enqueue_copies(struct drv *d, unsigned int parts, unsigned int first)
{
	const rte_iova_t from = d->dma.mz->iova, to = d->ports.port[NEAR]->window_iova;
	unsigned int i, n = RTE_MIN(parts - first, (unsigned int)BURST);
	size_t part = d->size / parts;
	int ret = 0;

	for (i = 0; i < n && ret >= 0; i++) {
		size_t off = part * (first + i);
		size_t len = first + i + 1 == parts ? d->size - off : part;

		ret = rte_dma_copy(d->dma.id, 0, from + off, to + off, (uint32_t)len,
				   i + 1 == n ? RTE_DMA_OP_FLAG_SUBMIT : 0);
	}
	return ret < 0 ? ret : (int)n;
}

/* @p op is the number of descriptors of a block; 0: one, and wait for each block. */
void
drv_dma_copy(struct drv *d, int op, long n)
{
	unsigned int parts = op == 0 ? 1 : (unsigned int)op, room = op == 0 ? 1 : BURST;
	unsigned int first = 0, flying = 0;
	int ret;

	while ((n > 0 || flying > 0) && !d->failed) {
		if (n == 0 || flying + RTE_MIN(parts - first, (unsigned int)BURST) > room) {
			flying -= reap_some(d, flying);
			continue;
		}
		ret = enqueue_copies(d, parts, first);
		d->failed = ret < 0;
		if (d->failed) {
			fail_with("copy", ret, "not taken");
			break;
		}
		flying += (unsigned int)ret;
		first += (unsigned int)ret;
		if (first == parts) {
			first = 0;
			n--;
		}
	}
}

bool
drv_dma_arrived(const struct drv *d)
{
	if (ntb_flush(d->ports.port[NEAR]) == 0 &&
	    memcmp(d->ports.region[AWAY], d->dma.mz->addr, d->size) == 0)
		return true;
	cli_say("the DMA engine did not copy %zu bytes as they were", d->size);
	return false;
}
