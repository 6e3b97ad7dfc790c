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
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
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

/** Is the folder of rb_run_dir() safe to use? In /tmp nobody else can rename or remove one of this
 *  user. 0 or -errno. */
static inline int
rb_run_dir_check(const char *path, int ours)
{
	struct stat st;

	if (!ours)
		return 0;
	if (lstat(path, &st) < 0)
		return -errno;
	return S_ISDIR(st.st_mode) && st.st_uid == getuid() && (st.st_mode & 077) == 0 ? 0 : -EPERM;
}

/** Make a folder of ours, which stays for the user's next job. 0 or -errno. */
static inline int
rb_run_dir_make(const char *path)
{
	return mkdir(path, 0700) < 0 && errno != EEXIST ? -errno : rb_run_dir_check(path, 1);
}

#endif /* RB_BASE_RUN_DIR_H */
