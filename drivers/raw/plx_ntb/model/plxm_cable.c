/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The cable file: made once, mapped by both ends, locked robustly. */

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plxm_cable.h"

/* POSIX record locks exclude processes, whatever way they came by the descriptor, and end with
 * the process; this one excludes the threads of one. */
static pthread_mutex_t make_lock = PTHREAD_MUTEX_INITIALIZER;

static int
make_cable(struct plxm_cable *c)
{
	pthread_mutexattr_t attr;
	int rc;

	rc = pthread_mutexattr_init(&attr);
	if (rc != 0)
		return -rc;
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	rc = pthread_mutex_init(&c->lock, &attr);
	pthread_mutexattr_destroy(&attr);
	if (rc != 0)
		return -rc;
	c->size = sizeof(*c);
	atomic_store(&c->gen, 1);
	atomic_store(&c->magic, PLXM_MAGIC);
	return 0;
}

/* With the file locked. */
static int
map_locked(int fd, struct plxm_cable **ret_cable)
{
	struct plxm_cable *c;
	struct stat st;
	int rc = 0;

	if (fstat(fd, &st) != 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EPROTO;
	/* with its memory: a file system that is full would be a SIGBUS later */
	if (st.st_size == 0)
		rc = -posix_fallocate(fd, 0, sizeof(*c));
	if (rc != 0)
		return rc;
	if (st.st_size != 0 && st.st_size != (off_t)sizeof(*c))
		return -EPROTO;
	c = mmap(NULL, sizeof(*c), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (c == MAP_FAILED)
		return -errno;
	/* magic 0 of a file of the right size: its maker died on the way */
	if (atomic_load(&c->magic) == 0)
		rc = make_cable(c);
	else if (atomic_load(&c->magic) != PLXM_MAGIC || c->size != sizeof(*c))
		rc = -EPROTO;
	if (rc != 0) {
		munmap(c, sizeof(*c));
		return rc;
	}
	*ret_cable = c;
	return 0;
}

int
plxm_cable_map(int fd, struct plxm_cable **ret_cable)
{
	struct flock fl = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
	int rc;

	pthread_mutex_lock(&make_lock);
	do {
		rc = fcntl(fd, F_SETLKW, &fl) == 0 ? 0 : -errno;
	} while (rc == -EINTR);
	if (rc == 0) {
		rc = map_locked(fd, ret_cable);
		fl.l_type = F_UNLCK;
		fcntl(fd, F_SETLK, &fl);
	}
	pthread_mutex_unlock(&make_lock);
	return rc;
}
