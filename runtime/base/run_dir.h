/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_RUN_DIR_H
#define RB_BASE_RUN_DIR_H

/**
 * @file
 * The folder in which DPDK makes those of its processes, as the runtime, oshrun and ringbell-top
 * find it. No DPDK here. DPDK would take /tmp for a user who is not root and has no
 * XDG_RUNTIME_DIR. Then this is a folder of that user: all users would share /tmp/dpdk, which
 * belongs to the first of them, who could keep the others out or replace their files. The same
 * holds for the root of a container that may not write in /var/run.
 */

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/** Given to DPDK in place of the folder, where there must be none. */
#define RB_NO_FOLDER "/dev/null"

/** @return whether it is a folder of ours: then RUNTIME_DIRECTORY has to give it to DPDK */
static inline int
rb_run_dir(char *path, size_t size)
{
	const char *dir = getenv("RUNTIME_DIRECTORY");

	if (dir == NULL || *dir == '\0')
		dir = getuid() != 0		      ? getenv("XDG_RUNTIME_DIR")
		      : access("/var/run", W_OK) == 0 ? "/var/run"
						      : NULL;
	if (dir == NULL || *dir == '\0') {
		snprintf(path, size, "/tmp/ringbell-%u", (unsigned int)getuid());
		return 1;
	}
	snprintf(path, size, "%s", dir);
	return 0;
}

/** Is it a folder of this user, and of nobody else? In /tmp nobody else can rename or remove it
 *  then. */
static inline int
rb_run_dir_own(const struct stat *st)
{
	return S_ISDIR(st->st_mode) && st->st_uid == getuid() && (st->st_mode & 077) == 0;
}

/** Is the folder of rb_run_dir() safe to use? 0 or -errno. */
static inline int
rb_run_dir_check(const char *path, int ours)
{
	struct stat st;

	if (!ours)
		return 0;
	if (lstat(path, &st) < 0)
		return -errno;
	return rb_run_dir_own(&st) ? 0 : -EPERM;
}

/** Open a folder of ours and lock it, if it is safe to use. @return a descriptor, or -errno */
static inline int
rb_run_dir_lock(const char *path, int how)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), err;
	struct stat st, now;

	if (fd < 0)
		return errno == ELOOP || errno == ENOTDIR || errno == EACCES ? -EPERM : -errno;
	if (fstat(fd, &st) < 0 || !rb_run_dir_own(&st))
		err = -EPERM;
	else if (flock(fd, how | LOCK_NB) < 0)
		err = -errno;
	else if (lstat(path, &now) < 0 || now.st_ino != st.st_ino || now.st_dev != st.st_dev)
		err = -ENOENT; /* it was removed meanwhile */
	else
		return fd;
	close(fd);
	return err;
}

/** Make a folder of ours, and keep it from removal until the descriptor is closed: by then it is
 *  not empty. @return the descriptor, or -errno */
static inline int
rb_run_dir_hold(const char *path)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	int i, fd = -EBUSY;

	/* a process that removes it is quick, but may lose its CPU */
	for (i = 0; i < 10000; i++) {
		if (mkdir(path, 0700) < 0 && errno != EEXIST)
			return -errno;
		fd = rb_run_dir_lock(path, LOCK_SH);
		if (fd != -EWOULDBLOCK && fd != -ENOENT)
			break;
		nanosleep(&moment, NULL);
	}
	return fd;
}

/** Remove the folder if it is ours and empty, and no process is starting. */
static inline void
rb_run_dir_leave(void)
{
	char path[2048];
	int fd;

	if (!rb_run_dir(path, sizeof(path)))
		return;
	fd = rb_run_dir_lock(path, LOCK_EX);
	if (fd < 0)
		return;
	unlinkat(fd, "dpdk", AT_REMOVEDIR);
	rmdir(path);
	close(fd);
}

#endif /* RB_BASE_RUN_DIR_H */
