/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	HIGH = 64, /* lowest number of a file that is kept, where the limit allows it */
};

struct rb_file
rb_file_of(int fd)
{
	struct rb_file f = {.fd = -1};
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return f;
	return (struct rb_file){.fd = fd, .dev = st.st_dev, .inode = st.st_ino};
}

struct rb_file
rb_file_keep(int fd)
{
	struct rb_file f = rb_file_of(fd);
	int high;

	if (f.fd < 0)
		return f;
	high = fd >= HIGH ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
	if (high < 0 && fd <= STDERR_FILENO)
		high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (high < 0) {
		fcntl(fd, F_SETFD, FD_CLOEXEC);
		return f;
	}
	close(fd);
	f.fd = high;
	return f;
}

bool
rb_file_ours(const struct rb_file *f)
{
	struct stat st;

	return f->fd >= 0 && fstat(f->fd, &st) == 0 && st.st_dev == f->dev && st.st_ino == f->inode;
}

void
rb_file_close(struct rb_file *f)
{
	if (rb_file_ours(f))
		close(f->fd);
	f->fd = -1;
}

int
rb_file_open(pid_t pid, const struct rb_file *theirs)
{
	struct rb_file mine;
	char path[64];
	struct stat st;
	int fd;

	/* not by open() alone: that may wait, or disturb what it opens */
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, (int)theirs->fd);
	if (stat(path, &st) < 0)
		return -errno;
	if (st.st_dev != theirs->dev || st.st_ino != theirs->inode)
		return -ESTALE;
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	mine = (struct rb_file){.fd = fd, .dev = theirs->dev, .inode = theirs->inode};
	if (rb_file_ours(&mine))
		return fd;
	close(fd);
	return -ESTALE;
}

void
rb_file_standard(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", O_RDWR); /* takes the lowest, which is this one */
}
