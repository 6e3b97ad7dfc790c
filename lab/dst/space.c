/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>
#include <sys/stat.h>

#include "raw.h"
#include "token.h"

/*
 * What this process has mapped of objects that processes share. An object's name is its number in
 * the order of the first mappings, so that a word has the same name in every process and run.
 */
enum {
	RANGES = 512,
	OFFSET_BITS = 40,
};

struct range {
	uint64_t from, to, at, object; /* at: offset of from in the object */
	bool window;		       /* of another host's memory */
};

static struct range range[RANGES]; /* sorted */
static unsigned int n_ranges;
static struct range last; /* of the last look; a gap has no object */

static unsigned int
first_behind(uint64_t addr)
{
	unsigned int low = 0, high = n_ranges;

	while (low < high) {
		unsigned int mid = (low + high) / 2;

		if (range[mid].to <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

uint64_t
dst_place(uint64_t addr)
{
	unsigned int i;

	if (addr - last.from >= last.to - last.from) {
		i = first_behind(addr);
		if (i < n_ranges && range[i].from <= addr)
			last = range[i];
		else
			last = (struct range){.from = i == 0 ? 0 : range[i - 1].to,
					      .to = i == n_ranges ? UINT64_MAX : range[i].from};
	}
	if (last.object == 0)
		return 0;
	return last.object << OFFSET_BITS | (addr - last.from + last.at);
}

struct key
dst_key(uint64_t addr, bool shared)
{
	uint64_t where = shared ? dst_place(addr) : 0;

	if (where != 0)
		return (struct key){.object = where >> OFFSET_BITS, .offset = where};
	return (struct key){.object = (uint64_t)dst_self->pid << 32, .offset = addr};
}

static void
insert_range(unsigned int i, struct range r)
{
	if (n_ranges == RANGES)
		dst_stop("more mappings than there is room for");
	memmove(&range[i + 1], &range[i], (n_ranges++ - i) * sizeof(r));
	range[i] = r;
}

void
dst_unmapped(uint64_t from, uint64_t len, bool over)
{
	uint64_t to = (from + len + 4095) & ~4095ull;
	unsigned int i = first_behind(from);

	last = (struct range){0};
	while (i < n_ranges && range[i].from < to) {
		struct range r = range[i], rest = r;

		if (over && r.window)
			dst_shut(r.from > from ? r.from : from, r.to < to ? r.to : to);
		memmove(&range[i], &range[i + 1], (--n_ranges - i) * sizeof(r));
		rest.from = to;
		rest.at += to - r.from;
		r.to = from;
		if (r.from < from)
			insert_range(i++, r);
		if (rest.from < rest.to)
			insert_range(i++, rest);
	}
}

static uint64_t
object_of(uint64_t dev, uint64_t ino)
{
	unsigned int i, n = DST_AT->n_spaces;

	for (i = 0; i < n; i++)
		if (DST_AT->space[i].dev == dev && DST_AT->space[i].ino == ino)
			return i + 1;
	if (n == DST_SPACES)
		dst_stop("more shared objects than there are names for");
	DST_AT->space[n].dev = dev;
	DST_AT->space[n].ino = ino;
	DST_AT->space[n].host = dst_self->host;
	return ++DST_AT->n_spaces;
}

void
dst_mapped(uint64_t from, uint64_t len, uint64_t fd, uint64_t off, bool over)
{
	struct range r = {.from = from, .to = (from + len + 4095) & ~4095ull, .at = off};
	struct stat st = {.st_ino = DST_AT->n_spaces}; /* an object without a file */
	int owner;

	dst_unmapped(from, len, false);
	if ((int)fd >= 0 && RAW2(SYS_fstat, fd, &st) < 0)
		return;
	r.object = object_of(st.st_dev, st.st_ino);
	owner = DST_AT->space[r.object - 1].host;
	r.window = over && owner >= 0 && owner != dst_self->host;
	if (r.window)
		dst_opened(r.from, r.to, owner);
	insert_range(first_behind(from), r);
}
