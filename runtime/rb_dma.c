/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* dmadev is not yet of DPDK's stable interface in 22.11 */
#define ALLOW_EXPERIMENTAL_API

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_dev.h>
#include <rte_dmadev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_memory.h>

#include "rb_dma.h"
#include "rb_wait.h"
#include "rb_xfer.h"

/*
 * A virtual channel belongs to one thread at a time: its lock covers a copy from the first
 * descriptor to the last completion. So nothing is under way while it is free, and a put that has
 * returned is complete, whatever fence or quiet follows.
 */
enum {
	DEVICES = 8,
	DESCS = 256,
	PIECE = 256 * 1024, /* bytes of a descriptor */
	BATCH = 32,	    /* descriptors under way */
	PATIENCE_MS = 2000, /* without any completion */
	HERE = RB_SIDES,    /* where a copy goes that leaves by neither link */
	PLACES
};

struct engine {
	atomic_flag lock;
	int16_t id;
	bool virtual;		    /* takes virtual addresses */
	bool tough;		    /* goes on after an error */
	_Atomic bool fails[PLACES]; /* cannot reach it; only ever set */
	uint16_t sges;		    /* of a scatter-gather copy, 0: it has none */
	char name[RTE_DEV_NAME_MAX_LEN];
};

static struct engine engines[DEVICES];
static unsigned int count;
static _Atomic unsigned int turn;
static _Atomic uint64_t copies; /* that completed; relaxed: only counts */

bool
rb_dma_ready(void)
{
	return count != 0;
}

uint64_t
rb_dma_copies(void)
{
	return atomic_load_explicit(&copies, memory_order_relaxed);
}

static int
start(struct engine *e)
{
	const struct rte_dma_conf conf = {.nb_vchans = 1};
	struct rte_dma_vchan_conf vchan = {.direction = RTE_DMA_DIR_MEM_TO_MEM};
	struct rte_dma_info info;
	int ret;

	e->id = (int16_t)rte_dma_get_dev_id_by_name(e->name);
	if (e->id < 0 || rte_dma_info_get(e->id, &info) < 0)
		return rb_fail(-ENODEV,
			       "RINGBELL_DMA: no dmadev '%s'; a device on the bus is bound with "
			       "dpdk-devbind.py and allowed with -a in the EAL arguments",
			       e->name);
	if ((info.dev_capa & (RTE_DMA_CAPA_MEM_TO_MEM | RTE_DMA_CAPA_OPS_COPY)) !=
	    (RTE_DMA_CAPA_MEM_TO_MEM | RTE_DMA_CAPA_OPS_COPY))
		return rb_fail(-ENOTSUP, "RINGBELL_DMA: %s does not copy memory to memory",
			       e->name);
	vchan.nb_desc = RTE_MAX(info.min_desc, RTE_MIN(info.max_desc, DESCS));
	if (vchan.nb_desc < 2 * BATCH)
		return rb_fail(-ENOTSUP, "RINGBELL_DMA: %s has %u descriptors, want %u", e->name,
			       vchan.nb_desc, 2 * BATCH);
	ret = rte_dma_configure(e->id, &conf);
	if (ret == 0)
		ret = rte_dma_vchan_setup(e->id, 0, &vchan);
	if (ret == 0)
		ret = rte_dma_start(e->id);
	if (ret < 0)
		return rb_fail(ret, "RINGBELL_DMA: %s does not start: %s", e->name, strerror(-ret));
	e->virtual = (info.dev_capa & RTE_DMA_CAPA_SVA) != 0;
	e->tough = (info.dev_capa & RTE_DMA_CAPA_HANDLES_ERRORS) != 0;
	e->sges = (info.dev_capa & RTE_DMA_CAPA_OPS_COPY_SG) != 0
			  ? RTE_MIN(info.max_sges, (uint16_t)BATCH)
			  : 0;
	return 0;
}

/* A device without virtual addresses reaches what the EAL knows. Memory of an emulated host is no
 * memory of the EAL's; a real one's is. */
static int
register_region(void)
{
	unsigned int i;
	int ret;

	for (i = 0; i < count && engines[i].virtual; i++)
		;
	if (i == count || rb.region_fd < 0)
		return 0;
	ret = rte_extmem_register(rb.region, rb.lay.size, NULL, 0, RB_PAGE);
	if (ret < 0 && rte_errno != EEXIST)
		return rb_fail(-rte_errno, "RINGBELL_DMA: the EAL does not take the region: %s",
			       rte_strerror(rte_errno));
	return 0;
}

int
rb_dma_open(void)
{
	const char *at = rb.env.dma;
	int ret;

	count = 0;
	while (*at != '\0') {
		size_t len = strcspn(at, ",");
		struct engine *e = &engines[count];

		if (len == 0 || len >= sizeof(e->name) || count == DEVICES)
			return rb_fail(-EINVAL, "RINGBELL_DMA=%s: want up to %d names of dmadevs",
				       rb.env.dma, DEVICES);
		memset(e, 0, sizeof(*e));
		atomic_flag_clear(&e->lock);
		memcpy(e->name, at, len);
		ret = start(e);
		if (ret < 0)
			return ret;
		count++;
		at += len + (at[len] == ',');
	}
	return register_region();
}

void
rb_dma_close(void)
{
	while (count > 0)
		rte_dma_stop(engines[--count].id);
}

/* Link through whose window @p ptr leaves, or HERE. */
static unsigned int
place_of(const uint8_t *ptr, size_t len)
{
	unsigned int side;

	for (side = 0; side < RB_SIDES; side++) {
		const struct rb_link *link = &rb.link[side];

		if (link->port != NULL &&
		    rb_inside((uint64_t)(ptr - link->peer), len, link->port->window_size))
			return side;
	}
	return HERE;
}

static bool
known(const uint8_t *ptr)
{
	const struct rte_memseg *ms = rte_mem_virt2memseg(ptr, NULL);

	return ms != NULL && ms->len != 0;
}

/* What the device calls an address; false: it cannot reach it. A window by its bus address; other
 * memory if the EAL knows it, where bus addresses are not virtual ones only the region, as that is
 * contiguous. */
static bool
bus_address(const struct engine *e, const uint8_t *ptr, size_t len, rte_iova_t *ret)
{
	unsigned int side = place_of(ptr, len);

	*ret = (uintptr_t)ptr;
	if (e->virtual)
		return true;
	if (side != HERE) {
		*ret = rb.link[side].port->window_iova + (uint64_t)(ptr - rb.link[side].peer);
		return rb.link[side].port->window_iova != 0;
	}
	if (rte_eal_iova_mode() == RTE_IOVA_VA)
		return known(ptr) && known(ptr + len - 1);
	if (rb.region_fd >= 0 || !rb_inside((uint64_t)(ptr - rb.region), len, rb.lay.size))
		return false;
	*ret = rte_mem_virt2iova(ptr);
	return *ret != RTE_BAD_IOVA;
}

/* Hand over up to BATCH pieces. @return operations, or -errno: none; @p bytes is what they cover */
static int
submit(const struct engine *e, rte_iova_t src, rte_iova_t dst, size_t len, size_t *bytes)
{
	struct rte_dma_sge from[BATCH], to[BATCH];
	unsigned int most = e->sges > 1 ? e->sges : BATCH, n;
	size_t done = 0;
	int ret;

	for (n = 0; n < most && done < len; n++) {
		uint32_t piece = (uint32_t)RTE_MIN(len - done, (size_t)PIECE);

		from[n] = (struct rte_dma_sge){.addr = src + done, .length = piece};
		to[n] = (struct rte_dma_sge){.addr = dst + done, .length = piece};
		done += piece;
	}
	*bytes = done;
	if (n > 1 && e->sges > 1) {
		ret = rte_dma_copy_sg(e->id, 0, from, to, (uint16_t)n, (uint16_t)n,
				      RTE_DMA_OP_FLAG_SUBMIT);
		return ret < 0 ? ret : 1;
	}
	for (most = 0, *bytes = 0; most < n; most++) {
		ret = rte_dma_copy(e->id, 0, from[most].addr, to[most].addr, from[most].length, 0);
		if (ret < 0)
			break;
		*bytes += from[most].length;
	}
	if (most == 0)
		return ret;
	ret = rte_dma_submit(e->id, 0);
	return ret < 0 ? ret : (int)most;
}

/* 0 once @p left operations are complete. Bounded: a device that is silent has failed. */
static int
drain(const struct engine *e, int left)
{
	struct rb_wait w = {.inner = true};
	enum rte_dma_status_code status[BATCH];
	uint64_t since = rb_now_ns();
	bool error = false;
	int ret = 0;

	while (left > 0 && ret != -ETIMEDOUT) {
		uint16_t n = rte_dma_completed(e->id, 0, (uint16_t)left, NULL, &error);

		left -= n;
		if (error) {
			ret = -EIO;
			n = rte_dma_completed_status(e->id, 0, (uint16_t)left, NULL, status);
			left -= n;
		}
		if (n > 0)
			since = rb_now_ns();
		else if (rb_now_ns() - since > PATIENCE_MS * 1000000ull)
			ret = -ETIMEDOUT;
		else
			rb_wait_turn(&w);
	}
	rb_wait_end(&w);
	return ret;
}

/* A device may reach one neighbour and not the other. One that is silent or cannot go on is
 * stopped, and keeps its lock: what it still has must not arrive late. */
static void
fail(struct engine *e, unsigned int place, int err)
{
	static const char *const places[PLACES] = {"the left neighbour", "the right neighbour",
						   "this host"};
	static atomic_flag said[PLACES] = {ATOMIC_FLAG_INIT, ATOMIC_FLAG_INIT, ATOMIC_FLAG_INIT};
	bool dead = err == -ETIMEDOUT || !e->tough;
	unsigned int p, i;

	for (p = 0; p < PLACES; p++)
		if (dead || p == place)
			atomic_store_explicit(&e->fails[p], true, memory_order_relaxed);
	if (dead)
		rte_dma_stop(e->id);
	else
		atomic_flag_clear_explicit(&e->lock, memory_order_release);
	for (i = 0; i < count; i++)
		if (!atomic_load_explicit(&engines[i].fails[place], memory_order_relaxed))
			return;
	if (!atomic_flag_test_and_set(&said[place]))
		fprintf(stderr,
			"ringbell: PE %d: dmadev %s: %s; copies to %s are the CPU's from here on\n",
			rb.pe, e->name, err == -ETIMEDOUT ? "no completion in 2 s" : strerror(-err),
			places[place]);
}

static struct engine *
claim(unsigned int place)
{
	unsigned int first = atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed), i;

	for (i = 0; i < count; i++) {
		struct engine *e = &engines[(first + i) % count];

		if (!atomic_load_explicit(&e->fails[place], memory_order_relaxed) &&
		    !atomic_flag_test_and_set_explicit(&e->lock, memory_order_acquire))
			return e;
	}
	return NULL;
}

int
rb_dma_copy(void *dst, const void *src, size_t len)
{
	unsigned int place = place_of(dst, len);
	struct engine *e = claim(place);
	rte_iova_t from, to;
	size_t done = 0, bytes;
	int ret = 0;

	/* all are at work for other threads: this one's CPU is as good as waiting */
	if (e == NULL)
		return -EBUSY;
	if (!bus_address(e, src, len, &from) || !bus_address(e, dst, len, &to)) {
		atomic_flag_clear_explicit(&e->lock, memory_order_release);
		return -EFAULT;
	}
	while (done < len && ret == 0) {
		ret = submit(e, from + done, to + done, len - done, &bytes);
		if (ret > 0)
			ret = drain(e, ret);
		done += bytes;
	}
	if (ret < 0) {
		fail(e, place, ret);
		return ret;
	}
	atomic_flag_clear_explicit(&e->lock, memory_order_release);
	atomic_fetch_add_explicit(&copies, 1, memory_order_relaxed);
	return 0;
}
