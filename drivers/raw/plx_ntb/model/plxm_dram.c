/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Host memory that the peer's requests may reach, as its host announces it. */

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "plxm_chip.h"

/* Offset and length of a range must be multiples of this: the page size of its file. */
uint64_t
plxm_file_align(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) == 0 && fs.f_type == HUGETLBFS_MAGIC)
		return (uint64_t)fs.f_bsize;
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

static int
range_check(const struct plxm_dram *d)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), align;
	struct stat st;

	if (fstat(d->fd, &st) != 0)
		return -errno;
	align = plxm_file_align(d->fd);
	if (d->len == 0 || d->bus % page != 0 || d->len % align != 0 || d->fd_off % align != 0)
		return -EINVAL;
	if (d->bus + (d->len - 1) < d->bus || d->fd_off + d->len < d->fd_off)
		return -EINVAL;
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size < d->fd_off + d->len)
		return -EINVAL;
	return 0;
}

/* Not a number that the program has closed and opened again for a file of its own. */
bool
plxm_dram_open(int fd, const struct plxm_dram *d)
{
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == d->dev && st.st_ino == d->ino;
}

void
plxm_dram_close(int fd, const struct plxm_dram *d)
{
	if (plxm_dram_open(fd, d))
		close(fd);
}

static int
range_slot(const struct plxm_nt *nt, const struct plxm_dram *d)
{
	int slot = -ENOSPC;

	for (int i = PLXM_DRAM_RANGES - 1; i >= 0; i--) {
		const struct plxm_dram *o = &nt->dram[i];

		if (!o->used)
			slot = i;
		else if (d->bus <= o->bus + (o->len - 1) && o->bus <= d->bus + (d->len - 1))
			return -EINVAL;
	}
	return slot;
}

int
plxm_dram_add(struct plxm_port *p, uint64_t bus, uint64_t len, int fd, uint64_t fd_off)
{
	struct plxm_dram d = {.bus = bus, .len = len, .fd_off = fd_off, .fd = fd};
	struct stat st;
	int slot, rc;

	rc = range_check(&d);
	if (rc != 0)
		return rc;
	/* the caller may close or reuse its number while the peer still looks for it */
	d.fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (d.fd < 0 || fstat(d.fd, &st) != 0)
		return -errno;
	d.dev = st.st_dev;
	d.ino = st.st_ino;
	plxm_lock(&p->rig, p->me.chip);
	slot = range_slot(p->me.nt, &d);
	if (slot >= 0) {
		p->own[slot] = d;
		d.used = 1;
		p->me.nt->dram[slot] = d;
		plxm_gen_bump_chip(&p->rig, p->me.chip);
	}
	plxm_unlock(&p->rig);
	if (slot < 0)
		close(d.fd);
	return slot < 0 ? slot : 0;
}

int
plxm_dram_del(struct plxm_port *p, uint64_t bus)
{
	int rc = -ENOENT;

	plxm_lock(&p->rig, p->me.chip);
	for (unsigned int i = 0; i < PLXM_DRAM_RANGES; i++) {
		const struct plxm_dram *d = &p->me.nt->dram[i];

		if (!d->used || d->bus != bus)
			continue;
		plxm_dram_close(p->own[i].fd, &p->own[i]);
		p->own[i].fd = -1;
		p->me.nt->dram[i].used = 0;
		plxm_gen_bump_chip(&p->rig, p->me.chip);
		rc = 0;
	}
	plxm_unlock(&p->rig);
	return rc;
}
