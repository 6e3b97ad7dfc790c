/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/static.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/state.h"
#include "mem/layout.h"

/*
 * Copies the executable's static data into a file that is still zero. Pages of .bss that the
 * program never touched are zero too, and are not written: a large array costs memory where it is
 * used, as in any other program. /proc/self/pagemap tells which pages these are, without touching
 * them. Where it cannot be read, each page is compared with zero: that maps the kernel's zero page
 * and takes no memory either.
 */
struct copy {
	int fd;
	uint64_t at; /* where rb_mem.data begins in the file */
	int pagemap; /* -1: every page is compared with zero */
	int err;
};

enum {
	BATCH = 512, /* pages that one read of pagemap covers */
};

/* Bits of a pagemap entry (admin-guide/mm/pagemap.rst): the page is in memory, or in swap. */
#define PAGE_TOUCHED (1ull << 63 | 1ull << 62)

typedef uint64_t __attribute__((may_alias)) any_word;

/* Not instrumented: the page includes a sanitizer's red zones, which are copied as they are. */
__attribute__((no_sanitize_address)) static bool
is_zero(const uint8_t *page)
{
	const any_word *w = (const any_word *)page;
	uint64_t all = 0;
	size_t i;

	for (i = 0; i < RB_PAGE / sizeof(*w); i++)
		all |= w[i];
	return all == 0;
}

/* A raw system call, because a sanitizer's wrapper of pwrite() would object to the red zones. One
 * call writes less than 2 GiB, hence the loop. */
static void
write_out(struct copy *c, const uint8_t *from, const uint8_t *to)
{
	while (from < to && c->err == 0) {
		long n = syscall(SYS_pwrite64, c->fd, from, (size_t)(to - from),
				 c->at + (uint64_t)(from - rb_mem.data));

		if (n > 0)
			from += n;
		else if (n == 0 || errno != EINTR)
			c->err = n == 0 ? -EIO : -errno;
	}
}

/* Read the pagemap entries of @p n pages; an entry that cannot be read counts as touched. */
static void
read_entries(int pagemap, const void *from, size_t n, uint64_t *entry)
{
	memset(entry, 0xff, n * sizeof(*entry));
	if (pagemap >= 0 &&
	    pread(pagemap, entry, n * sizeof(*entry),
		  (off_t)((uintptr_t)from / RB_PAGE * sizeof(*entry))) < (ssize_t)sizeof(*entry))
		memset(entry, 0xff, n * sizeof(*entry));
}

/* Write those pages of .bss that are not zero. */
static void
write_touched(struct copy *c, const uint8_t *from, const uint8_t *to)
{
	const uint8_t *run = from; /* all of [run, from) is to be written */
	uint64_t entry[BATCH];
	size_t n, i;

	for (; from < to; from += n * RB_PAGE) {
		n = RTE_MIN((size_t)(to - from) / RB_PAGE, (size_t)BATCH);
		read_entries(c->pagemap, from, n, entry);
		for (i = 0; i < n; i++) {
			const uint8_t *page = from + i * RB_PAGE;

			if ((entry[i] & PAGE_TOUCHED) != 0 && !is_zero(page))
				continue;
			write_out(c, run, page);
			run = page + RB_PAGE;
		}
	}
	write_out(c, run, to);
}

static const uint8_t *
clip_to_data(uintptr_t at)
{
	uintptr_t lo = (uintptr_t)rb_mem.data, hi = lo + rb_mem.data_size;

	return (const uint8_t *)RTE_MIN(RTE_MAX(at, lo), hi);
}

/* Copies the main executable, the first object. Between its segments nothing is mapped. */
static int
copy_segments(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct copy *c = arg;
	int i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + ph->p_vaddr;
		uintptr_t from = at & ~(uintptr_t)(RB_PAGE - 1);
		const uint8_t *file_end, *end;

		if (ph->p_type != PT_LOAD || (ph->p_flags & PF_R) == 0)
			continue;
		end = clip_to_data((at + ph->p_memsz + RB_PAGE - 1) & ~(uintptr_t)(RB_PAGE - 1));
		file_end = clip_to_data(ph->p_filesz == 0 ? from
							  : (at + ph->p_filesz + RB_PAGE - 1) &
								    ~(uintptr_t)(RB_PAGE - 1));
		write_out(c, clip_to_data(from), file_end);
		write_touched(c, file_end, end);
	}
	return 1;
}

/* Under an emulator that maps memory at other addresses, pagemap describes other pages. So it is
 * tried first on two pages that were certainly written, one of the stack and one of this
 * library. */
static int
open_pagemap(void)
{
	int fd = sysconf(_SC_PAGESIZE) == RB_PAGE ? open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)
						  : -1;
	uint64_t entry[2];

	if (fd < 0)
		return -1;
	read_entries(fd, entry, 1, &entry[0]);
	read_entries(fd, &rb, 1, &entry[1]);
	if ((entry[0] & PAGE_TOUCHED) != 0 && (entry[1] & PAGE_TOUCHED) != 0)
		return fd;
	close(fd);
	return -1;
}

int
rb_static_copy(int fd, uint64_t at)
{
	struct copy c = {.fd = fd, .at = at, .pagemap = open_pagemap()};

	dl_iterate_phdr(copy_segments, &c);
	if (c.pagemap >= 0)
		close(c.pagemap);
	return c.err;
}
