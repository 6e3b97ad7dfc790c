/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "space_map.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "coll/op.h"
#include "core/shmemi.h"
#include "space_agree.h"

/* A file as the members tell each other of it: who opens it by name must get the same one. Working
 * folders and containers differ. */
enum {
	DEV,
	INODE,
	OFFSET,
	ID_WORDS,
};

/*
 * A member that others reach by relays, or by a lead process, needs these to map the file, too.
 * With one host there are none, and only members touch a space.
 */
int
shmemi_space_may_map(const struct coll_op *op)
{
	bool failed;

	if (rb_ring_state().hosts > 1 && op->n < shmemi.npes)
		return shmemi_space_refuse(op, "a file is mapped for a team of all PEs; on one "
					       "host, for any team");
	failed = rb_overlay_may() < 0;
	if (failed)
		shmemi_space_fault(op->call, "a file cannot be mapped: %s", rb_error());
	return shmemi_space_failed(op, failed) ? -1 : 0;
}

/* Member i has the file NAME.i, or the i-th part of a device. */
static int
open_part(const char *file, int rank, bool makes, size_t size, struct space_map *m)
{
	struct stat st;
	char *name;
	int err, fd;

	*m = (struct space_map){.file.fd = -1, .page_size = 4096};
	m->device = stat(file, &st) == 0 && S_ISCHR(st.st_mode);
	m->off = m->device ? (uint64_t)rank * size : 0;
	if (asprintf(&name, m->device ? "%s" : "%s.%d", file, rank) < 0)
		return -ENOMEM;
	fd = open(name, O_RDWR | O_CLOEXEC);
	/* for this user alone, and not where a link of somebody else leads */
	if (fd < 0 && errno == ENOENT && makes && !m->device)
		fd = open(name, O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
	err = fd < 0 ? -errno : 0;
	m->file = rb_file_keep(fd);
	free(name);
	return err;
}

static void
close_part(struct space_map *m)
{
	rb_file_close(&m->file);
}

/* Bytes of a character device; 0: its driver does not tell, so it has no memory to map. */
static uint64_t
device_size(dev_t dev)
{
	char name[80];
	uint64_t size = 0;
	FILE *f;

	snprintf(name, sizeof(name), "/sys/dev/char/%u:%u/size", major(dev), minor(dev));
	f = fopen(name, "r");
	if (f == NULL)
		return 0;
	if (fscanf(f, "%" SCNu64, &size) != 1)
		size = 0;
	fclose(f);
	return size;
}

/* Another job that has mapped the same part would store into this one's objects. */
static int
lock_part(const struct space_map *m, size_t size)
{
	struct flock all = {.l_type = F_WRLCK,
			    .l_whence = SEEK_SET,
			    .l_start = (off_t)m->off,
			    .l_len = (off_t)size};

	return fcntl(m->file.fd, F_OFD_SETLK, &all) == 0 ? 0 : -errno;
}

/* Blocks for all of it now: a file system that is full later would be a SIGBUS of some PE. */
static const char *
size_part(struct space_map *m, size_t size)
{
	struct statfs fs;
	struct stat st;
	int err;

	if (fstat(m->file.fd, &st) < 0 || fstatfs(m->file.fd, &fs) < 0)
		return strerror(errno);
	if (m->device) {
#if !defined(__x86_64__)
		return "devices are written by cache lines, which this CPU is not known to do";
#endif
		return m->off + size <= device_size(st.st_rdev)
			       ? NULL
			       : "the device is too small for the parts of all members";
	}
	if (!S_ISREG(st.st_mode))
		return "neither a file nor a character device";
	if (fs.f_type == HUGETLBFS_MAGIC)
		m->page_size = (size_t)fs.f_bsize;
	if (size % m->page_size != 0)
		return "the folder's pages are larger than the space is round to";
	err = posix_fallocate(m->file.fd, 0, (off_t)size);
	return err == 0 ? NULL : strerror(err);
}

/* This member's own part: 0 or -1, after a line; @p id is what the others compare. */
static int
open_own(const struct coll_op *op, const char *file, size_t size, struct space_map *m,
	 uint64_t id[ID_WORDS])
{
	int err = open_part(file, op->rank, true, size, m);
	const char *why = err < 0 ? strerror(-err) : NULL;
	struct stat st;

	if (why == NULL && lock_part(m, size) < 0)
		why = errno == EAGAIN || errno == EACCES ? "another job has it mapped"
							 : strerror(errno);
	if (why == NULL)
		why = size_part(m, size);
	if (why == NULL && fstat(m->file.fd, &st) < 0)
		why = strerror(errno);
	if (why != NULL)
		return shmemi_space_fault(op->call, "%s, part %d: %s", file, op->rank, why);
	id[DEV] = m->device ? st.st_rdev : st.st_dev;
	id[INODE] = m->device ? 0 : st.st_ino;
	id[OFFSET] = m->off;
	return 0;
}

/* Put the part of the member of @p rank where this process reaches its heap. */
static const char *
put_part(const struct coll_op *op, const char *file, int rank, size_t from, size_t size,
	 const uint64_t id[ID_WORDS])
{
	struct space_map m;
	struct stat st;
	int err;

	err = open_part(file, rank, false, size, &m);
	if (err == 0 && fstat(m.file.fd, &st) < 0)
		err = -errno;
	if (err == 0 && (id[DEV] != (m.device ? st.st_rdev : st.st_dev) ||
			 id[INODE] != (m.device ? 0 : st.st_ino) || id[OFFSET] != m.off))
		err = -ESTALE;
	if (err == 0)
		err = rb_overlay_put(shmemi_team_pe(op->team, rank), from, size, m.file.fd,
				     (off_t)m.off);
	close_part(&m);
	return err == 0		? NULL
	       : err == -ESTALE ? "this PE sees another file of that name than the part's owner"
				: strerror(-err);
}

static int
put_parts(const struct coll_op *op, const char *file, size_t from, size_t size, const uint64_t *ids)
{
	const char *why;
	int rank;

	for (rank = 0; rank < op->n; rank++) {
		if (!rb_overlay_reaches(shmemi_team_pe(op->team, rank)))
			continue;
		why = put_part(op, file, rank, from, size, ids + (size_t)rank * ID_WORDS);
		if (why != NULL)
			return shmemi_space_fault(op->call, "%s, part %d: cannot map it: %s", file,
						  rank, why);
	}
	return 0;
}

void
shmemi_space_map_child(struct space_map *m)
{
	close_part(m);
}

void
shmemi_space_unmap(const struct shmemi_team *team, size_t from, struct space_map *m)
{
	int rank;

	for (rank = 0; rank < team->size; rank++)
		rb_overlay_take(shmemi_team_pe(team, rank), from);
	close_part(m);
}

int
shmemi_space_map(const struct coll_op *op, const char *file, size_t from, size_t size,
		 struct space_map *m)
{
	size_t words = (size_t)op->n * ID_WORDS;
	uint64_t *own = calloc(2 * words, sizeof(*own)), *all = own + words;
	bool failed;

	if (own == NULL)
		shmemi_fatal(op->call, "no memory");
	failed = open_own(op, file, size, m, own + (size_t)op->rank * ID_WORDS) < 0;
	failed = shmemi_space_failed(op, failed);
	if (!failed) {
		shmemi_space_join(op, all, own, words);
		failed = shmemi_space_failed(op, put_parts(op, file, from, size, all) < 0);
	}
	free(own);
	if (failed)
		shmemi_space_unmap(op->team, from, m);
	return failed ? -1 : 0;
}

/* Device DAX has no fsync(): what has left the caches is in the memory. Other PEs' stores are in
 * the caches of this machine, too, which are coherent. */
static void
flush_lines(const char *at, size_t size)
{
#if defined(__x86_64__)
	size_t i;

	for (i = 0; i < size; i += 64)
		__builtin_ia32_clflush(at + i);
	__builtin_ia32_mfence();
#else
	(void)at;
	(void)size;
#endif
}

int
shmemi_space_sync(const struct space_map *m, void *at, size_t size)
{
	if (m->device) {
		flush_lines(at, size);
		return 0;
	}
	return msync(at, size, MS_SYNC) == 0 ? 0 : -errno;
}
