/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "space_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int
shmemi_space_load(const char *path, void *at, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *to = at;
	struct stat st;
	ssize_t n = 1;

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (fstat(fd, &st) < 0 || (S_ISREG(st.st_mode) && (uint64_t)st.st_size > size)) {
		close(fd);
		return -EFBIG;
	}
	while (size > 0 && n != 0) {
		n = read(fd, to, size);
		if (n < 0 && errno != EINTR)
			break;
		to += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	n = n < 0 ? -errno : 0;
	close(fd);
	return (int)n;
}

static int
write_all(int fd, const char *from, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, from, size);

		if (n < 0 && errno != EINTR)
			return -errno;
		from += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return fsync(fd) < 0 ? -errno : 0;
}

int
shmemi_space_store(const char *path, const void *at, size_t size)
{
	char part[4096];
	struct stat st;
	int fd, err;

	/* a name that nobody foresees: others may write into the folder, and other jobs to the file
	 */
	if (snprintf(part, sizeof(part), "%s.part-XXXXXX", path) >= (int)sizeof(part))
		return -ENAMETOOLONG;
	fd = mkostemp(part, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = write_all(fd, at, size);
	if (err == 0 && stat(path, &st) == 0 && fchmod(fd, st.st_mode & 0777) < 0)
		err = -errno;
	if (close(fd) < 0 && err == 0)
		err = -errno;
	/* only now: a job that is killed meanwhile leaves the old file */
	if (err == 0 && rename(part, path) < 0)
		err = -errno;
	if (err != 0)
		unlink(part);
	return err;
}
