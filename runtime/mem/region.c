/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/region.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_memzone.h>

#include "base/available.h"
#include "base/env.h"
#include "base/error.h"
#include "base/limit.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/wire.h"
#include "mem/layout.h"

struct rb_mem_state rb_mem = {.region_fd = -1};

#define ZONE "ringbell_region"

static bool pieces; /* the region is mapped from many files of another process */

static uint64_t
align_up(uint64_t v, uint64_t align)
{
	return (v + align - 1) & ~(align - 1);
}

/*
 * Is the region laid out for huge pages? Every process of an emulated ring comes to the same
 * answer, because it asks for the machine's total and not for what is free at the moment. A host
 * that then gets no huge pages uses the same layout on small ones: rb_region_create().
 */
static bool
huge_suffices(uint64_t region)
{
	uint64_t pages = 0, regions = rb_emulated() ? (unsigned int)rb.hosts : 1;
	FILE *f;

	if (!rb.env.huge)
		return false;
	f = fopen("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "r");
	if (f == NULL)
		return false;
	if (fscanf(f, "%" SCNu64, &pages) != 1)
		pages = 0;
	fclose(f);
	return pages * RB_HEAP_ALIGN >= regions * align_up(region, RB_HEAP_ALIGN);
}

/* Is the region a file also where there are ports? Ports of an adapter need memory of the EAL.
 * RINGBELL_WINDOWS=bridge asks for the same restrictions on emulated ports. */
static bool
file_behind_windows(void)
{
	return rb_emulated() && !rb.env.bridges;
}

int
rb_layout(size_t heap_size)
{
	uint64_t rings = RB_RINGS, at = RB_PAGE;
	struct rb_available room;
	unsigned int s;

	if (heap_size == 0)
		return rb_fail(
			-EINVAL,
			"symmetric heap of 0 bytes: set SHMEM_SYMMETRIC_SIZE, for example to 512M");
	rb_available_look("", &room);
	if (heap_size > room.limit / (unsigned int)rb.most_locals)
		return rb_fail(-ENOMEM,
			       "symmetric heap of %zu bytes for each of %d PEs is more than there "
			       "is (%s has %llu bytes): lower SHMEM_SYMMETRIC_SIZE",
			       heap_size, rb.most_locals, room.limit_of,
			       (unsigned long long)room.limit);
	for (s = 0; s < RB_SIDES; s++) {
		rb_mem.lay.ctl[s] = at;
		at = align_up(at + sizeof(struct rb_ctl), RB_PAGE);
		rb_mem.lay.desc[s] = at;
		at = align_up(at + rings * rb.slots * sizeof(struct rb_desc), RB_PAGE);
	}
	for (s = 0; s < RB_SIDES; s++) {
		rb_mem.lay.slot[s] = at;
		at += rings * rb.slots * rb.chunk;
	}
	rb_mem.lay.heap = align_up(at, RB_HEAP_ALIGN);
	rb_mem.lay.heap_size = align_up(heap_size, RB_PAGE);
	rb_mem.lay.heap_span = align_up(heap_size, RB_HEAP_ALIGN);
	at = rb_mem.lay.heap + rb_mem.lay.heap_span * (unsigned int)rb.most_locals;
	rb_mem.huge = huge_suffices(at);
	/* Static data is remapped page by page, which neither huge pages nor the EAL's memory
	 * allow; the windows of an adapter show the latter. */
	rb_mem.lay.data = 0;
	if (rb.env.statics == RB_STATICS_REMAP && rb.npes > 1 && !rb_mem.huge &&
	    (rb.hosts == 1 || file_behind_windows())) {
		rb_mem.lay.data = at;
		at += rb_mem.data_size * (unsigned int)rb.most_locals;
	}
	rb_mem.lay.size = align_up(at, RB_HEAP_ALIGN);
	return 0;
}

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
	at = (uint8_t *)(align_up((uintptr_t)va + heap, align) - heap);
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
	rb_mem.region_fd = fd;
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
	pieces = true;
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

static uint64_t region_bus;

uint64_t
rb_region_bus(void)
{
	return region_bus;
}

static const struct rte_memzone *
reserve_zone(uint64_t size)
{
	return rte_memzone_reserve_aligned(ZONE, size, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG,
					   RB_HEAP_ALIGN);
}

static uint64_t
to_next(uint64_t at, uint64_t align)
{
	return align_up(at, align) - at;
}

/*
 * The EAL aligns virtual addresses, but ports need aligned bus addresses, and the two agree only
 * within a page. Where the bus address of a zone is not aligned, a larger zone contains an aligned
 * start.
 */
int
rb_region_reserve(uint64_t align)
{
	const struct rte_memzone *mz = reserve_zone(rb_mem.lay.size);
	uint64_t lead;

	if (mz != NULL && to_next(mz->iova, align) != 0) {
		rte_memzone_free(mz);
		mz = reserve_zone(rb_mem.lay.size + align);
	}
	if (mz == NULL)
		return rb_fail(-ENOMEM,
			       "the EAL has no %llu bytes that are contiguous on the bus and "
			       "aligned to %llu there: give it more or larger huge pages, or lower "
			       "SHMEM_SYMMETRIC_SIZE",
			       (unsigned long long)rb_mem.lay.size, (unsigned long long)align);
	lead = to_next(mz->iova, align);
	adopt_region((uint8_t *)mz->addr + lead, -1);
	region_bus = mz->iova + lead;
	memset(rb_mem.region, 0, rb_mem.lay.heap);
	rb_mem.whole = true;
	return 0;
}

void
rb_region_free(void)
{
	if (rb_mem.region == NULL)
		return;
	if (rb_mem.region_fd >= 0) {
		munmap(rb_mem.region, rb_mem.lay.size);
		close(rb_mem.region_fd);
		rb_mem.region_fd = -1;
	} else if (pieces) {
		munmap(rb_mem.region, rb_mem.lay.size);
		pieces = false;
	} else {
		rte_memzone_free(rte_memzone_lookup(ZONE));
	}
	rb_mem.region = NULL;
	region_bus = 0;
	rb_mem.heap = NULL;
}
