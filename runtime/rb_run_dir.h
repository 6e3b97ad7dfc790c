/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RUN_DIR_H
#define RB_RUN_DIR_H

/**
 * @file
 * The folder below which DPDK has those of its processes, as the runtime, oshrun and ringbell-top
 * take it. No DPDK here. Where DPDK would take /tmp, for a user who is not root and has no
 * XDG_RUNTIME_DIR, this is a folder of that user's: all users would share /tmp/dpdk, which belongs
 * to the first, keeps others out, and lets that one put what he likes in their place.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/** @return whether it is one of ours, which DPDK has to be told by RUNTIME_DIRECTORY */
static inline int
rb_run_dir(char *path, size_t size)
{
	const char *dir = getenv("RUNTIME_DIRECTORY");

	if (dir == NULL || *dir == '\0')
		dir = getuid() == 0 ? "/var/run" : getenv("XDG_RUNTIME_DIR");
	if (dir == NULL || *dir == '\0') {
		snprintf(path, size, "/tmp/ringbell-%u", (unsigned int)getuid());
		return 1;
	}
	snprintf(path, size, "%s", dir);
	return 0;
}

/** Is what rb_run_dir() gave fit to be used? One of ours must belong to this user, and to nobody
 *  else; it is made where @p make. 0 or -errno. */
static inline int
rb_run_dir_check(const char *path, int ours, int make)
{
	struct stat st;

	if (!ours)
		return 0;
	if (make && mkdir(path, 0700) < 0 && errno != EEXIST)
		return -errno;
	/* in /tmp nobody else can rename or remove it then */
	if (lstat(path, &st) < 0)
		return -errno;
	return S_ISDIR(st.st_mode) && st.st_uid == getuid() && (st.st_mode & 077) == 0 ? 0 : -EPERM;
}

#endif /* RB_RUN_DIR_H */
