/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Images in files. */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "say.h"

static long
read_all(int fd, uint8_t *bytes, size_t room)
{
	size_t len = 0;
	ssize_t n;

	while (len < room && (n = read(fd, bytes + len, room - len)) != 0) {
		if (n < 0 && errno != EINTR)
			return -errno;
		len += n > 0 ? (size_t)n : 0;
	}
	return (long)len;
}

long
file_read(const char *path, uint8_t bytes[IMAGE_MAX])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint8_t more;
	long len;

	if (fd < 0) {
		complain("%s: %s", path, strerror(errno));
		return -errno;
	}
	len = read_all(fd, bytes, IMAGE_MAX);
	if (len < 0) {
		complain("%s: %s", path, strerror((int)-len));
	} else if (len == IMAGE_MAX && read_all(fd, &more, 1) != 0) {
		complain("%s: larger than 64 KiB, the most that a PEX 87xx addresses", path);
		len = -EFBIG;
	}
	close(fd);
	return len;
}

struct image *
file_load(const char *path)
{
	uint8_t *bytes = malloc(IMAGE_MAX);
	struct image *image = malloc(sizeof(*image));
	char why[IMAGE_WHY];
	long len = -ENOMEM;

	if (bytes == NULL || image == NULL)
		complain("no memory");
	else
		len = file_read(path, bytes);
	if (len >= 0 && image_parse(image, bytes, (size_t)len, why) < 0) {
		complain("%s: %s", path, why);
		len = -EINVAL;
	}
	free(bytes);
	if (len >= 0)
		return image;
	free(image);
	return NULL;
}

static int
write_all(int fd, const uint8_t *bytes, size_t len)
{
	size_t at = 0;
	ssize_t n;

	while (at < len) {
		n = write(fd, bytes + at, len - at);
		if (n < 0 && errno != EINTR)
			return -errno;
		at += n > 0 ? (size_t)n : 0;
	}
	return fsync(fd) < 0 && errno != EINVAL ? -errno : 0;
}

int
file_write(const char *path, const uint8_t *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644), ret;

	if (fd < 0) {
		ret = -errno;
		complain("%s: %s", path,
			 ret == -EEXIST ? "exists already; images are not overwritten"
					: strerror(-ret));
		return ret;
	}
	ret = write_all(fd, bytes, len);
	if (close(fd) < 0 && ret == 0)
		ret = -errno;
	if (ret < 0) {
		complain("%s: %s", path, strerror(-ret));
		unlink(path);
	}
	return ret;
}
