/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/region.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_eal.h>
#include <rte_memzone.h>

#include "base/error.h"
#include "base/file.h"
#include "base/limit.h"
#include "base/state.h"
#include "mem/layout.h"

#define ZONE "ringbell_region"

static void *
reserve_addresses(uint64_t len)
{
	return mmap(NULL, len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/*
 * Offsets into the heap agree on all PEs, so an object has the same alignment on all of them, up to
 * the alignment of the heaps' addresses. An object whose alignment exceeds half of the heap could
 * lie only at the heap's start, which the library takes. So the heap is aligned to the largest
 * power of two within its size. That costs addresses only. Where a limit forbids so many addresses,
 * the heap is aligned to a huge page, and shmem_align() refuses larger alignments.
 */
static uint8_t *
reserve_aligned(void)
{
	uint64_t heap = rb_seg_base(RB_SEG_HEAP, (unsigned int)rb.local);
	uint64_t align = rte_align64prevpow2(rb_mem.lay.heap_size);
	uint8_t *va, *at, *end;

	if (align < RB_HEAP_ALIGN)
		align = RB_HEAP_ALIGN;
	va = reserve_addresses(rb_mem.lay.size + align);
	if (va == MAP_FAILED) {
		align = RB_HEAP_ALIGN;
		va = reserve_addresses(rb_mem.lay.size + align);
	}
	if (va == MAP_FAILED)
		return NULL;
	end = va + rb_mem.lay.size + align;
	at = (uint8_t *)(RTE_ALIGN_CEIL((uintptr_t)va + heap, align) - heap);
	if (at > va)
		munmap(va, (size_t)(at - va));
	if (at + rb_mem.lay.size < end)
		munmap(at + rb_mem.lay.size, (size_t)(end - at - (ptrdiff_t)rb_mem.lay.size));
	return at;
}

static void
adopt_region(uint8_t *region, int fd)
{
	rb_mem.region = region;
	rb_mem.file = rb_file_keep(fd);
	rb_mem.heap = rb_mem.region + rb_seg_base(RB_SEG_HEAP, (unsigned int)rb.local);
}

static int
cannot_map(uint8_t *at)
{
	int err = errno;

	if (at != NULL)
		munmap(at, rb_mem.lay.size);
	return rb_fail(-err, "cannot map a region of %llu bytes: %s; lower SHMEM_SYMMETRIC_SIZE%s",
		       (unsigned long long)rb_mem.lay.size, strerror(err), rb_limit_words());
}

int
rb_region_map(int fd)
{
	uint8_t *at = reserve_aligned();
	int ret;

	if (at == NULL || mmap(at, rb_mem.lay.size, PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, 0) == MAP_FAILED) {
		ret = cannot_map(at);
		close(fd);
		return ret;
	}
	adopt_region(at, fd);
	return 0;
}

int
rb_region_map_pieces(int (*map)(uint8_t *at, void *arg), void *arg)
{
	uint8_t *at = reserve_aligned();
	int ret;

	if (at == NULL)
		return cannot_map(NULL);
	ret = map(at, arg);
	if (ret < 0) {
		munmap(at, rb_mem.lay.size);
		return ret;
	}
	adopt_region(at, -1);
	return 0;
}

/*
 * MAP_NORESERVE: the heap is a reservation up to its limit, committed by rb_heap_commit(). Huge
 * pages are all allocated at once, because a later shortage would be a SIGBUS in the application.
 */
static int
make_file(unsigned int flags, bool whole)
{
	int fd = memfd_create("ringbell", MFD_CLOEXEC | flags);
	int err;

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)rb_mem.lay.size) == 0 &&
	    (!whole || fallocate(fd, 0, 0, (off_t)rb_mem.lay.size) == 0)) {
		rb_mem.whole = whole;
		return fd;
	}
	err = -errno;
	close(fd);
	return err;
}

int
rb_region_create(void)
{
	/* Memory of the EAL replaces this region where there are adapters. Huge pages taken here
	 * would leave the EAL only what lies around them, in pieces. */
	bool stays = rb.hosts == 1 || rb_emulated();
	int fd = rb_mem.huge && stays ? make_file(MFD_HUGETLB, true) : -ENOMEM;

	/* other programs may have taken the huge pages: the same layout works on small ones */
	if (fd < 0)
		fd = make_file(0, false);
	if (fd < 0)
		return rb_fail(fd, "no memory for a region of %llu bytes: %s",
			       (unsigned long long)rb_mem.lay.size, strerror(-fd));
	return rb_region_map(fd);
}

static uint64_t region_bus; /* 0: the region is no memory of the EAL's */

uint64_t
rb_region_bus(void)
{
	return region_bus;
}

static const struct rte_memzone *
reserve_zone(uint64_t size, uint64_t align)
{
	return rte_memzone_reserve_aligned(ZONE, size, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG,
					   (unsigned int)align);
}

/* The memory may be that of an earlier job. What its slots still hold nobody reads before a
 * descriptor says that it is there. */
static void
clear_channels(void)
{
	const struct rb_layout *lay = &rb_mem.lay;
	unsigned int port;

	memset(rb_mem.region, 0, lay->slot[0]);
	for (port = RB_RING_PORTS; port < rb.ports; port++)
		memset(rb_mem.region + lay->ctl[port], 0, lay->slot[port] - lay->ctl[port]);
}

static uint64_t
to_next(uint64_t at, uint64_t align)
{
	return RTE_ALIGN_CEIL(at, align) - at;
}

/*
 * The EAL aligns virtual addresses, but ports need aligned bus addresses. Where an IOMMU makes them
 * the same, that is asked for. Else the two agree only within a page, and where the bus address of
 * a zone is not aligned, a larger zone contains an aligned start: the EAL clears what it is given
 * back, so this costs the time to touch all of it. Chips may show a peer whole multiples of the
 * alignment, so none of those has other memory.
 */
int
rb_region_reserve(uint64_t align)
{
	const uint64_t size = RTE_ALIGN_CEIL((uint64_t)rb_mem.lay.size, align);
	bool same = rte_eal_iova_mode() == RTE_IOVA_VA && align <= UINT32_MAX;
	const struct rte_memzone *mz =
		reserve_zone(size, same ? RTE_MAX(align, RB_HEAP_ALIGN) : RB_HEAP_ALIGN);
	uint64_t lead;

	if (mz != NULL && to_next(mz->iova, align) != 0) {
		rte_memzone_free(mz);
		mz = reserve_zone(size + align, RB_HEAP_ALIGN);
	}
	if (mz == NULL)
		return rb_fail(-ENOMEM,
			       "the EAL has no %llu bytes that are contiguous on the bus and "
			       "aligned to %llu there: give it more or larger huge pages, or lower "
			       "SHMEM_SYMMETRIC_SIZE",
			       (unsigned long long)size, (unsigned long long)align);
	lead = to_next(mz->iova, align);
	adopt_region((uint8_t *)mz->addr + lead, -1);
	region_bus = mz->iova + lead;
	clear_channels();
	rb_mem.whole = true;
	return 0;
}

static const struct ntb_port_memory *memory;

const struct ntb_port_memory *
rb_region_memory(void)
{
	return memory;
}

/* A file in memory may be larger than what is left there, and a later shortage would be a SIGBUS.
 * What is no such file has its memory already. */
static int
fill_file(const struct ntb_port_memory *own)
{
	return fallocate(own->fd, 0, (off_t)own->off, (off_t)rb_mem.lay.size) < 0 && errno == ENOSPC
		       ? rb_fail(-ENOSPC,
				 "the file of the shared memory cannot have %llu bytes for this "
				 "host: its file system is full",
				 (unsigned long long)rb_mem.lay.size)
		       : 0;
}

int
rb_region_adopt(const struct ntb_port_memory *own)
{
	uint8_t *at;
	int ret = fill_file(own);

	if (ret < 0)
		return ret;
	at = reserve_aligned();
	if (at == NULL || mmap(at, rb_mem.lay.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
			       own->fd, (off_t)own->off) == MAP_FAILED)
		return cannot_map(at);
	adopt_region(at, -1);
	clear_channels();
	memory = own;
	rb_mem.whole = true;
	return 0;
}

/* The EAL keeps its memory to the end of the process, which gives it back: rte_memzone_free() would
 * clear all of it first, also what no PE has touched. No second region follows, as the EAL starts
 * only once. */
void
rb_region_free(void)
{
	if (rb_mem.region == NULL)
		return;
	if (region_bus == 0)
		munmap(rb_mem.region, rb_mem.lay.size);
	rb_file_close(&rb_mem.file);
	memory = NULL;
	rb_mem.region = NULL;
	region_bus = 0;
	rb_mem.heap = NULL;
}
