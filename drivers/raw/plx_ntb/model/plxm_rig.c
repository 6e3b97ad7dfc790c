/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The cable file: made once, mapped by all hosts, locked robustly. */

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plxm_chip.h"

/* POSIX record locks exclude processes, whatever way they came by the descriptor, and end with
 * the process; this one excludes the threads of one. */
static pthread_mutex_t make_lock = PTHREAD_MUTEX_INITIALIZER;

static size_t
file_size(unsigned int chips)
{
	return sizeof(struct plxm_file) + chips * sizeof(struct plxm_chip);
}

static int
make_file(struct plxm_file *f, unsigned int hosts, size_t size)
{
	pthread_mutexattr_t attr;
	int rc;

	rc = pthread_mutexattr_init(&attr);
	if (rc != 0)
		return -rc;
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	rc = pthread_mutex_init(&f->lock, &attr);
	pthread_mutexattr_destroy(&attr);
	if (rc != 0)
		return -rc;
	f->size = size;
	f->hosts = hosts;
	for (unsigned int k = 0; k < (hosts != 0 ? hosts : PLXM_ENDS); k++)
		atomic_store(&f->chip[k].cable.gen, 1);
	atomic_store(&f->magic, PLXM_MAGIC);
	return 0;
}

/* @p make: the file is locked, and an empty one is made into the cables. */
static int
map_file(int fd, unsigned int hosts, bool make, struct plxm_rig *r)
{
	unsigned int chips = hosts != 0 ? hosts : PLXM_ENDS;
	size_t size = file_size(chips);
	struct plxm_file *f;
	struct stat st;
	int rc = 0;

	*r = (struct plxm_rig){.chips = chips, .ring = hosts != 0};
	if (fstat(fd, &st) != 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || (st.st_size != 0 && st.st_size != (off_t)size))
		return -EPROTO;
	/* with its memory: a file system that is full would be a SIGBUS later */
	if (st.st_size == 0)
		rc = make ? -posix_fallocate(fd, 0, (off_t)size) : -ENODATA;
	if (rc != 0)
		return rc;
	f = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (f == MAP_FAILED)
		return -errno;
	/* magic 0 of a file of the right size: its maker died on the way, or is not done */
	if (atomic_load(&f->magic) == 0)
		rc = make ? make_file(f, hosts, size) : -ENODATA;
	else if (atomic_load(&f->magic) != PLXM_MAGIC || f->size != size || f->hosts != hosts)
		rc = -EPROTO;
	if (rc != 0) {
		munmap(f, size);
		return rc;
	}
	r->file = f;
	return 0;
}

int
plxm_rig_map(int fd, unsigned int hosts, struct plxm_rig *r)
{
	struct flock fl = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
	int rc;

	pthread_mutex_lock(&make_lock);
	do {
		rc = fcntl(fd, F_SETLKW, &fl) == 0 ? 0 : -errno;
	} while (rc == -EINTR);
	if (rc == 0) {
		rc = map_file(fd, hosts, true, r);
		fl.l_type = F_UNLCK;
		fcntl(fd, F_SETLK, &fl);
	}
	pthread_mutex_unlock(&make_lock);
	return rc;
}

int
plxm_rig_find(int fd, unsigned int hosts, struct plxm_rig *r)
{
	return map_file(fd, hosts, false, r);
}

void
plxm_rig_unmap(struct plxm_rig *r)
{
	munmap(r->file, file_size(r->chips));
	r->file = NULL;
}
