/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/symmetric.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>

#include "base/env.h"
#include "base/error.h"
#include "base/link.h"
#include "base/route.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/wire.h"
#include "mem/layout.h"
#include "mem/static.h"
#include "mem/target.h"

/*
 * The main executable is the first object that dl_iterate_phdr() reports. Its RELRO part is read
 * only by now and holds nothing that a program declared as its own variable.
 */
static int
main_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	uintptr_t lo = UINTPTR_MAX, hi = 0, relro = 0;
	int i;

	(void)size;
	(void)arg;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type == PT_LOAD && (ph->p_flags & PF_W) != 0) {
			lo = from < lo ? from : lo;
			hi = from + ph->p_memsz > hi ? from + ph->p_memsz : hi;
		} else if (ph->p_type == PT_GNU_RELRO) {
			relro = from + ph->p_memsz;
		}
	}
	if (relro > lo && relro < hi)
		lo = relro;
	/* whole pages: they can be mapped elsewhere, and hold nothing else */
	lo &= ~(uintptr_t)(RB_PAGE - 1);
	hi = (hi + RB_PAGE - 1) & ~(uintptr_t)(RB_PAGE - 1);
	if (hi > lo) {
		rb_mem.data = (uint8_t *)lo;
		rb_mem.data_size = hi - lo;
	}
	return 1;
}

void
rb_data_find(void)
{
	rb_mem.data = NULL;
	rb_mem.data_size = 0;
	if (rb.env.statics != RB_STATICS_NONE)
		dl_iterate_phdr(main_object, NULL);
}

bool
rb_symmetric(const void *addr, size_t len)
{
	struct rb_loc loc;

	return rb_locate(addr, len, &loc) == 0;
}

bool
rb_pe_shares(int pe)
{
	return rb.place[pe].host == rb.host;
}

void *
rb_ptr(const void *addr, int pe)
{
	struct rb_loc loc;

	if (!rb_pe_shares(pe) || rb_locate(addr, 1, &loc) < 0)
		return NULL;
	if (pe == rb.pe)
		return (void *)(uintptr_t)addr;
	return rb_seg_at(rb.place[pe].local, loc.seg, loc.off);
}

/* A name is the offset, with the segment's number + 1 in the bits above it. */
enum {
	NAME_BITS = 56
};

uint64_t
rb_sym_name(const void *addr, size_t len)
{
	struct rb_loc loc;

	if (rb_locate(addr, len, &loc) < 0 ||
	    (loc.seg == RB_SEG_DATA && rb.locals > 1 && rb_mem.data_shared == NULL))
		return 0;
	return (uint64_t)(loc.seg + 1) << NAME_BITS | loc.off;
}

void *
rb_sym_at(uint64_t name, size_t len, int pe)
{
	uint64_t seg = (name >> NAME_BITS) - 1, off = name & ((1ull << NAME_BITS) - 1);

	if (seg >= RB_SEG_MAX || !rb_inside(off, len, rb_seg_size((enum rb_seg)seg)) ||
	    !rb_pe_shares(pe))
		return NULL;
	return rb_seg_at(rb.place[pe].local, (enum rb_seg)seg, off);
}

void *
rb_window(int pe, size_t *len)
{
	const struct rb_place *place = &rb.place[pe];
	const struct rb_link *link = &rb.link[rb_route_side(place->host)];

	if (rb_route_hops(place->host) != 1 || link->peer == NULL || rb_mem.by_frames)
		return NULL;
	*len = rb_mem.lay.heap_size;
	return link->peer + rb_seg_base(RB_SEG_HEAP, place->local);
}

int
rb_data_remap(void)
{
	uint64_t mine = (unsigned int)rb.local * rb_mem.data_size;
	sigset_t all, old;
	int err;

	if (rb_mem.lay.data != 0) {
		rb_mem.data_shared = rb_mem.region + rb_mem.lay.data;
		rb_mem.data_fd = rb_mem.region_fd;
		rb_mem.data_fd_off = rb_mem.lay.data;
	}
	if (rb_mem.data_shared == NULL || rb_mem.data_size == 0)
		return 0;
	/* a store of another thread between copy and map would be lost; libpmix's threads store
	 * nothing there */
	if (!rb_threads_alone())
		return rb_fail(-EBUSY,
			       "static data cannot move to shared memory while the program has "
			       "several threads: start them after shmem_init, or set "
			       "RINGBELL_STATIC=copy");
	/* MAP_FIXED replaces exactly the copied range, because both ends are page aligned. Signals
	 * are blocked, so that no handler of the program stores in between. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = rb_static_copy(rb_mem.data_fd, rb_mem.data_fd_off + mine);
	if (err == 0 &&
	    mmap(rb_mem.data, rb_mem.data_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		 rb_mem.data_fd, (off_t)(rb_mem.data_fd_off + mine)) == MAP_FAILED)
		err = -errno;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (err < 0)
		return rb_fail(err,
			       "static data of %zu bytes cannot move to shared memory: %s; set "
			       "RINGBELL_STATIC=copy",
			       rb_mem.data_size, strerror(-err));
	return 0;
}
