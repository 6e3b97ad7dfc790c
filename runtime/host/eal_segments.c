/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/eal_segments.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_memory.h>

#include "base/error.h"
#include "host/hostseg.h"
#include "base/state.h"
#include "mem/layout.h"
#include "mem/region.h"

/*
 * The region of a host with adapters is memory of its ports, or of the EAL, which has a file for
 * each huge page, or for some. The lead lists them in a file of its own, and the other PEs of the
 * host map them one after the other.
 */
struct piece {
	uint64_t at, len;    /* of the region */
	uint64_t off;	     /* in the file */
	struct rb_file file; /* of the lead's process */
};

static int
write_piece(int list, const struct piece *p)
{
	return p->len == 0 || write(list, p, sizeof(*p)) == (ssize_t)sizeof(*p) ? 0 : -EIO;
}

/* The ports' own memory is one piece. */
static int
whole_piece(const struct ntb_port_memory *memory, uint64_t at, struct piece *p)
{
	*p = (struct piece){
		.at = at,
		.len = rb_mem.lay.size - at,
		.off = memory->off + at,
		.file = rb_file_of(memory->fd),
	};
	return 0;
}

/* Finds the EAL's page at offset @p at of the region, from there to the end of the page. */
static int
find_piece(uint64_t at, struct piece *p)
{
	const uint8_t *va = rb_mem.region + at;
	const struct rte_memseg *ms;
	size_t off;
	int fd;

	if (rb_region_memory() != NULL)
		return whole_piece(rb_region_memory(), at, p);
	ms = rte_mem_virt2memseg(va, NULL);
	fd = ms == NULL ? -1 : rte_memseg_get_fd(ms);
	if (fd < 0 || rte_memseg_get_fd_offset(ms, &off) < 0)
		return -ENOTSUP;
	*p = (struct piece){.at = at, .file = rb_file_of(fd)};
	p->off = off + (uint64_t)(va - (const uint8_t *)ms->addr);
	p->len = ms->len - (uint64_t)(va - (const uint8_t *)ms->addr);
	if (p->len > rb_mem.lay.size - at)
		p->len = rb_mem.lay.size - at;
	return 0;
}

int
rb_eal_segments_list(struct rb_file *ret_list)
{
	struct piece run = {0}, next;
	int list = memfd_create("ringbell-pieces", MFD_CLOEXEC), ret;
	uint64_t at;

	if (list < 0)
		return -errno;
	for (at = 0; at < rb_mem.lay.size; at += next.len) {
		ret = find_piece(at, &next);
		if (ret < 0)
			goto close;
		if (run.len != 0 && next.file.fd == run.file.fd && next.off == run.off + run.len) {
			run.len += next.len;
			continue;
		}
		ret = write_piece(list, &run);
		if (ret < 0)
			goto close;
		run = next;
	}
	ret = write_piece(list, &run);
	if (ret == 0) {
		*ret_list = rb_file_keep(list);
		return 0;
	}
close:
	close(list);
	return ret;
}

static int
map_piece(uint8_t *region, const struct piece *p)
{
	int fd = rb_hostseg_open(&p->file, "a file of the host's region"), err;
	void *va;

	if (fd < 0)
		return fd;
	va = mmap(region + p->at, p->len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
		  (off_t)p->off);
	err = errno;
	close(fd);
	return va != MAP_FAILED
		       ? 0
		       : rb_fail(-err, "cannot map a file of the host's region: %s", strerror(err));
}

static int
map_list(uint8_t *region, void *arg)
{
	int list = *(const int *)arg, ret;
	uint64_t at = 0;
	struct piece p;

	while (at < rb_mem.lay.size) {
		if (read(list, &p, sizeof(p)) != (ssize_t)sizeof(p) || p.at != at || p.len == 0 ||
		    p.len > rb_mem.lay.size - at || p.len % RB_PAGE != 0)
			return rb_fail(-EPROTO,
				       "the list of the host's memory ends at %llu of "
				       "%llu bytes",
				       (unsigned long long)at, (unsigned long long)rb_mem.lay.size);
		ret = map_piece(region, &p);
		if (ret < 0)
			return ret;
		at += p.len;
	}
	return 0;
}

int
rb_eal_segments_map(int fd)
{
	int ret = rb_region_map_pieces(map_list, &fd);

	close(fd);
	return ret;
}
