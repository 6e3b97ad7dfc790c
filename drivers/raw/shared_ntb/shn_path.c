/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "shn_path.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

RTE_LOG_REGISTER(shn_logtype, pmd.raw.shared_ntb, NOTICE);

enum {
	IVSHMEM_VENDOR = 0x1af4, /* of QEMU's ivshmem-plain and ivshmem-doorbell */
	IVSHMEM_DEVICE = 0x1110,
	IVSHMEM_BAR = 2,       /* the memory; BAR0 has registers */
	DESCRIPTOR_LEAST = 64, /* above those that programs give to one another */
};

static int
read_number(const char *file, uint64_t *ret)
{
	FILE *f = fopen(file, "re");
	int n;

	if (f == NULL)
		return -errno;
	n = fscanf(f, "%" SCNi64, (int64_t *)ret);
	fclose(f);
	return n == 1 ? 0 : -EIO;
}

static int
read_beside(const char *path, const char *name, uint64_t *ret)
{
	char file[PATH_MAX];
	const char *slash = strrchr(path, '/');

	snprintf(file, sizeof(file), "%.*s/%s", slash == NULL ? 1 : (int)(slash - path),
		 slash == NULL ? "." : path, name);
	return read_number(file, ret);
}

/* Is a file of sysfs, which has the size of its BAR, that of the memory of an ivshmem function? */
static int
check_bar(const char *path, const char *device)
{
	const char *bar = strrchr(path, '/');
	uint64_t vendor = 0, id = 0, enabled = 0;

	bar = bar == NULL ? path : bar + 1;
	if (strncmp(bar, "resource", strlen("resource")) != 0 ||
	    read_beside(path, "vendor", &vendor) < 0 || read_beside(path, "device", &id) < 0)
		return 0; /* no BAR, but a file */
	if (vendor != IVSHMEM_VENDOR || id != IVSHMEM_DEVICE || bar[8] != '0' + IVSHMEM_BAR) {
		SHN_LOG(ERR, device,
			"%s is BAR%c of %04" PRIx64 ":%04" PRIx64
			": wanted is BAR%d of an ivshmem function, %04x:%04x",
			path, bar[8], vendor, id, IVSHMEM_BAR, IVSHMEM_VENDOR, IVSHMEM_DEVICE);
		return -ENODEV;
	}
	if (read_beside(path, "enable", &enabled) == 0 && enabled == 0) {
		SHN_LOG(ERR, device, "%s: no driver has enabled the function: echo 1 > %.*senable",
			path, (int)(bar - path), path);
		return -ENODEV;
	}
	return 0;
}

static int
size_of(int fd, const char *path, const char *device, uint64_t *ret_size)
{
	char file[PATH_MAX];
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	*ret_size = (uint64_t)st.st_size;
	if (S_ISREG(st.st_mode))
		return check_bar(path, device);
	snprintf(file, sizeof(file), "/sys/dev/char/%u:%u/size", major(st.st_rdev),
		 minor(st.st_rdev));
	if (S_ISCHR(st.st_mode) && read_number(file, ret_size) == 0)
		return 0;
	SHN_LOG(ERR, device, "%s is no file, no BAR in sysfs and no DAX device", path);
	return -ENODEV;
}

int
shn_path_open(const char *path, const char *device, uint64_t *ret_size)
{
	int fd = open(path, O_RDWR | O_CLOEXEC), high, ret;

	if (fd < 0) {
		ret = -errno;
		SHN_LOG(ERR, device, "cannot open %s: %s%s", path, strerror(-ret),
			ret == -ENOENT ? "; make it by truncate -s SIZE" : "");
		return ret;
	}
	ret = size_of(fd, path, device, ret_size);
	if (ret < 0) {
		close(fd);
		return ret;
	}
	high = fcntl(fd, F_DUPFD_CLOEXEC, DESCRIPTOR_LEAST);
	if (high < 0)
		return fd;
	close(fd);
	return high;
}
