/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <link.h>

#include "rb_int.h"
#include "rb_mem.h"

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
	if (hi > lo) {
		rb.data = (uint8_t *)lo;
		rb.data_size = hi - lo;
	}
	return 1;
}

void
rb_data_find(void)
{
	rb.data = NULL;
	rb.data_size = 0;
	dl_iterate_phdr(main_object, NULL);
}

int
rb_locate(const void *addr, size_t len, struct rb_loc *loc)
{
	uintptr_t a = (uintptr_t)addr;

	loc->off = a - (uintptr_t)rb.heap;
	if (likely(rb_inside(loc->off, len, rb.lay.heap_size))) {
		loc->seg = RB_SEG_HEAP;
		return 0;
	}
	loc->off = a - (uintptr_t)rb.data;
	if (rb_inside(loc->off, len, rb.data_size)) {
		loc->seg = RB_SEG_DATA;
		return 0;
	}
	return -EFAULT;
}

bool
rb_symmetric(const void *addr, size_t len)
{
	struct rb_loc loc;

	return rb_locate(addr, len, &loc) == 0;
}

uint8_t *
rb_seg_at(enum rb_seg seg, uint64_t off)
{
	return (seg == RB_SEG_HEAP ? rb.heap : rb.data) + off;
}

bool
rb_pe_shares(int pe)
{
	return pe == rb.pe;
}

void *
rb_ptr(const void *addr, int pe)
{
	struct rb_loc loc;

	if (!rb_pe_shares(pe) || rb_locate(addr, 1, &loc) < 0)
		return NULL;
	return rb_seg_at(loc.seg, loc.off);
}
