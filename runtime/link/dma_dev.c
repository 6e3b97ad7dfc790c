/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* dmadev is not yet of DPDK's stable interface in 22.11 */
#define ALLOW_EXPERIMENTAL_API

#include "link/dma_dev.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_memory.h>

#include "base/env.h"
#include "base/error.h"
#include "base/exit.h"
#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/tsan.h"
#include "base/wire.h"
#include "mem/layout.h"

struct rb_dma_engine rb_dma_engines[RB_DMA_DEVICES];
unsigned int rb_dma_count;

/* A device in software copies in a thread, which sleeps for 10 us at a time while it has nothing to
 * do: two such threads in each of eight hosts took most of two CPUs. It inherits the timer slack of
 * the thread that starts it, by which the kernel may wake it later; ours is 1 us once it has
 * napped. */
static int
start_device(int16_t id)
{
	const unsigned long idle_ns = 1000 * 1000;
	int slack = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0), ret;
	sigset_t mask;

	prctl(PR_SET_TIMERSLACK, idle_ns, 0, 0, 0);
	rb_signals_block(&mask);
	ret = rte_dma_start(id);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	if (slack > 0)
		prctl(PR_SET_TIMERSLACK, (unsigned long)slack, 0, 0, 0);
	return ret;
}

static int
start_engine(struct rb_dma_engine *e)
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
	vchan.nb_desc = RTE_MAX(info.min_desc, RTE_MIN(info.max_desc, RB_DMA_OPS));
	ret = rte_dma_configure(e->id, &conf);
	if (ret == 0)
		ret = rte_dma_vchan_setup(e->id, 0, &vchan);
	if (ret == 0)
		ret = start_device(e->id);
	if (ret < 0)
		return rb_fail(ret, "RINGBELL_DMA: cannot start %s: %s", e->name, strerror(-ret));
	e->virtual = (info.dev_capa & RTE_DMA_CAPA_SVA) != 0;
	return 0;
}

/* A device without virtual addresses reaches only memory that the EAL knows. The region of an
 * emulated host does not come from the EAL, so it is registered here; with adapters it comes from
 * the EAL. */
static int
register_region(void)
{
	unsigned int i;
	int ret;

	for (i = 0; i < rb_dma_count && rb_dma_engines[i].virtual; i++)
		;
	if (i == rb_dma_count || rb_mem.file.fd < 0)
		return 0;
	ret = rte_extmem_register(rb_mem.region, rb_mem.lay.size, NULL, 0, RB_PAGE);
	if (ret < 0 && rte_errno != EEXIST)
		return rb_fail(-rte_errno,
			       "RINGBELL_DMA: cannot register the region with the EAL: %s",
			       rte_strerror(rte_errno));
	return 0;
}

unsigned int
rb_dma_port(const uint8_t *ptr, size_t len)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++) {
		const struct rb_link *link = &rb.link[port];

		if (link->port != NULL &&
		    rb_inside((uint64_t)(ptr - link->peer), len, rb_layout_reach(rb.far[port])))
			return port;
	}
	return RB_DMA_HERE;
}

static bool
known_to_eal(const uint8_t *ptr)
{
	const struct rte_memseg *ms = rte_mem_virt2memseg(ptr, NULL);

	return ms != NULL && ms->len != 0;
}

/* A window is reached by its bus address. Other memory must be known to the EAL. Where bus
 * addresses are physical, only the region qualifies, because it is contiguous. */
bool
rb_dma_address(const struct rb_dma_engine *e, const uint8_t *ptr, size_t len, rte_iova_t *ret)
{
	unsigned int port = rb_dma_port(ptr, len);

	*ret = (uintptr_t)ptr;
	if (e->virtual)
		return true;
	if (port != RB_DMA_HERE) {
		*ret = rb.link[port].port->window_iova + (uint64_t)(ptr - rb.link[port].peer);
		return rb.link[port].port->window_iova != 0;
	}
	if (rte_eal_iova_mode() == RTE_IOVA_VA)
		return known_to_eal(ptr) && known_to_eal(ptr + len - 1);
	if (rb_mem.file.fd >= 0 ||
	    !rb_inside((uint64_t)(ptr - rb_mem.region), len, rb_mem.lay.size))
		return false;
	*ret = rte_mem_virt2iova(ptr);
	return *ret != RTE_BAD_IOVA;
}

/* Has the device addresses of both words, and does it report that it has copied? */
static bool
copies_word(const struct rb_dma_engine *e, const uint64_t *from, uint64_t *to)
{
	uint64_t end = rb_now_ns() + RB_DMA_PATIENCE_MS * 1000000ull;
	rte_iova_t src, dst;
	bool error = false;

	if (!rb_dma_address(e, (const uint8_t *)from, sizeof(*from), &src) ||
	    !rb_dma_address(e, (const uint8_t *)to, sizeof(*to), &dst) ||
	    rte_dma_copy(e->id, 0, src, dst, sizeof(*to), RTE_DMA_OP_FLAG_SUBMIT) < 0)
		return false;
	while (rte_dma_completed(e->id, 0, 1, NULL, &error) == 0 && !error)
		if (rb_now_ns() > end)
			return false;
	return !error;
}

/* The copy is posted writes: where an IOMMU that does not know the window refuses them, or the way
 * to another adapter's chip, the device reports success all the same. So the word is read back.
 * @p count: neither word has this value yet. */
static bool
copy_arrives(const struct rb_dma_engine *e, struct rb_link *link, uint64_t count)
{
	uint64_t seen;

	link->mine->tried = count; /* the driver has a barrier before it rings the device's bell */
	rb_tsan_release();
	return copies_word(e, &link->mine->tried, &link->theirs->copied) &&
	       ntb_flush_at(link->port,
			    (uint64_t)((const uint8_t *)&link->theirs->copied - link->peer),
			    &seen) == 0 &&
	       seen == count;
}

/* One that has failed may do nothing more until then. */
static int
restart_engine(const struct rb_dma_engine *e)
{
	int ret = rte_dma_stop(e->id);

	return ret < 0 ? ret : start_device(e->id);
}

static int
try_ports(struct rb_dma_engine *e)
{
	unsigned int port;
	int ret = 0;

	for (port = 0; port < rb.ports && ret == 0; port++) {
		struct rb_link *link = &rb.link[port];

		if (!link->up || link->messages)
			continue;
		if (copy_arrives(e, link, 1 + (uint64_t)(e - rb_dma_engines)))
			e->ports |= (uint8_t)(1u << port);
		else
			ret = restart_engine(e);
	}
	if (ret < 0)
		return rb_fail(ret, "RINGBELL_DMA: cannot start %s again: %s", e->name,
			       strerror(-ret));
	if (e->ports == 0)
		rb_note("dmadev %s is not used: no neighbour's memory is reached by it", e->name);
	return 0;
}

int
rb_dma_open(void)
{
	const char *at = rb.env.dma;
	unsigned int i;
	int ret;

	rb_dma_count = 0;
	while (*at != '\0') {
		size_t len = strcspn(at, ",");
		struct rb_dma_engine *e = &rb_dma_engines[rb_dma_count];

		if (len == 0 || len >= sizeof(e->name) || rb_dma_count == RB_DMA_DEVICES)
			return rb_fail(-EINVAL, "RINGBELL_DMA=%s: want up to %d names of dmadevs",
				       rb.env.dma, RB_DMA_DEVICES);
		memset(e, 0, sizeof(*e));
		atomic_flag_clear(&e->lock);
		memcpy(e->name, at, len);
		ret = start_engine(e);
		if (ret < 0)
			return ret;
		rb_dma_count++;
		at += len + (at[len] == ',');
	}
	ret = register_region();
	for (i = 0; i < rb_dma_count && ret == 0; i++)
		ret = try_ports(&rb_dma_engines[i]);
	return ret;
}

void
rb_dma_close(void)
{
	while (rb_dma_count > 0)
		rte_dma_stop(rb_dma_engines[--rb_dma_count].id);
}
