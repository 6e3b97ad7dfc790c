/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/symmetric.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/env.h"
#include "base/error.h"
#include "base/link.h"
#include "base/route.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/wire.h"
#include "mem/layout.h"
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

	if (rb_locate(addr, len, &loc) < 0)
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
	const struct rb_link *link = &rb.link[rb_route_port(place->host)];

	if (rb_route_hops(place->host) != 1 || link->peer == NULL || link->messages ||
	    rb_mem.by_frames)
		return NULL;
	*len = rb_mem.lay.heap_size;
	return link->peer + rb_seg_base(RB_SEG_HEAP, place->local);
}

/*
 * Copies the executable's static data into a file that is still zero. Pages of .bss that the
 * program never touched are zero too, and are not written: a large array costs memory where it is
 * used, as in any other program. Nor are they read, for which some kernels take memory: pagemap
 * says which they are.
 */
struct static_copy {
	int pagemap; /* -1: there is none */
	int fd;
	uint64_t at; /* where rb_mem.data begins in the file */
	int err;
};

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
write_out(struct static_copy *c, const uint8_t *from, const uint8_t *to)
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

/* By its entry of /proc/self/pagemap a page is in memory (bit 63) or in swap space (bit 62). */
static bool
was_touched(uint64_t entry)
{
	return (entry >> 62) != 0;
}

/* The entries of @p n pages. Of those that cannot be read it is assumed that they were touched. */
static void
read_touched(const struct static_copy *c, const uint8_t *from, uint64_t *entries, size_t n)
{
	off_t at = (off_t)((uintptr_t)from / RB_PAGE * sizeof(*entries));
	ssize_t got = pread(c->pagemap, entries, n * sizeof(*entries), at);
	size_t known = got > 0 ? (size_t)got / sizeof(*entries) : 0;

	memset(entries + known, 0xff, (n - known) * sizeof(*entries));
}

/* Write those pages of .bss that are not zero. */
static void
write_touched(struct static_copy *c, const uint8_t *from, const uint8_t *to)
{
	const uint8_t *run = from; /* all of [run, from) is to be written */
	uint64_t entries[512];
	size_t n, i;

	while (from < to) {
		n = RTE_MIN((size_t)(to - from) / RB_PAGE, RTE_DIM(entries));
		read_touched(c, from, entries, n);
		for (i = 0; i < n; i++, from += RB_PAGE) {
			if (was_touched(entries[i]) && !is_zero(from))
				continue;
			write_out(c, run, from);
			run = from + RB_PAGE;
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

/* Copies the main executable. Between its segments nothing is mapped. */
static void
copy_segments(const struct dl_phdr_info *info, struct static_copy *c)
{
	int i;

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
}

/*
 * A store of another thread between copy and map would be lost, so these stop meanwhile; libpmix's
 * threads store nothing there. The first object is the main executable. dl_iterate_phdr() holds
 * the lock of the loader, so no thread that stops does.
 */
static int
move_static(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct static_copy *c = arg;
	bool alone = rb_threads_alone();
	sigset_t all, old;

	(void)size;
	/* Signals are blocked, so that no handler of the program stores in between. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	c->err = alone || rb_threads_stop() ? 0 : -EBUSY;
	if (c->err == 0)
		copy_segments(info, c);
	/* MAP_FIXED replaces exactly the copied range, because both ends are page aligned */
	if (c->err == 0 && mmap(rb_mem.data, rb_mem.data_size, PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_FIXED, c->fd, (off_t)c->at) == MAP_FAILED)
		c->err = -errno;
	if (!alone && c->err != -EBUSY)
		rb_threads_go();
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return 1;
}

int
rb_data_remap(void)
{
	struct static_copy c = {.err = 0};

	if (rb_mem.lay.data != 0) {
		rb_mem.data_shared = rb_mem.region + rb_mem.lay.data;
		rb_mem.data_file = rb_mem.file;
		rb_mem.data_off = rb_mem.lay.data;
	}
	if (rb_mem.data_shared == NULL || rb_mem.data_size == 0)
		return 0;
	c.fd = rb_mem.data_file.fd;
	c.at = rb_mem.data_off + (unsigned int)rb.local * rb_mem.data_size;
	/* has an entry for each page of the kernel's size */
	c.pagemap =
		getpagesize() == RB_PAGE ? open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC) : -1;
	dl_iterate_phdr(move_static, &c);
	if (c.pagemap >= 0)
		close(c.pagemap);
	if (c.err == 0)
		return 0;
	return rb_fail(c.err,
		       "static data of %zu bytes cannot move to shared memory: %s; or set "
		       "RINGBELL_STATIC=none, where none of it has to be symmetric",
		       rb_mem.data_size,
		       c.err != -EBUSY ? strerror(-c.err)
				       : "a thread of the program blocks SIGURG and does not stop: "
					 "start it after shmem_init");
}
