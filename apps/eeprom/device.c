/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* A PCI function's BAR0, by its file in sysfs. */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device.h"
#include "say.h"

#define DEVICES "/sys/bus/pci/devices"
#define VENDOR_PLX 0x10b5u

enum {
	BAR0_SIZE = 256 * 1024,
	PATH_SIZE = 512,
};

struct bar0 {
	volatile uint32_t *reg;
	int fd; /* locked while it is open */
};

static uint32_t
bar0_read(void *ctx, uint32_t off)
{
	return ((struct bar0 *)ctx)->reg[off / 4];
}

static void
bar0_write(void *ctx, uint32_t off, uint32_t val)
{
	((struct bar0 *)ctx)->reg[off / 4] = val;
}

/* 0000:05:00.0, 05:00.0, or a folder */
static bool
folder_of(const char *name, char path[PATH_SIZE])
{
	unsigned int domain, bus, dev, fn;
	char rest;

	if (strchr(name, '/') != NULL)
		return snprintf(path, PATH_SIZE, "%s", name) < PATH_SIZE;
	if (sscanf(name, "%4x:%2x:%2x.%1x%c", &domain, &bus, &dev, &fn, &rest) != 4) {
		domain = 0;
		if (sscanf(name, "%2x:%2x.%1x%c", &bus, &dev, &fn, &rest) != 3)
			return false;
	}
	snprintf(path, PATH_SIZE, DEVICES "/%04x:%02x:%02x.%x", domain, bus, dev, fn);
	return true;
}

/* The first line of a file of the folder. */
static int
read_line(const char *folder, const char *name, char *line, int size)
{
	char path[PATH_SIZE + 16];
	FILE *f;
	int ret = 0;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "re");
	if (f == NULL)
		return -errno;
	if (fgets(line, size, f) == NULL)
		ret = ferror(f) ? -EIO : -ENODATA;
	fclose(f);
	return ret;
}

static int
check_function(const char *name, const char *folder)
{
	uint64_t start, end;
	char line[128];
	int ret = read_line(folder, "vendor", line, sizeof(line));

	if (ret < 0) {
		complain("%s: no PCI function: %s/vendor: %s", name, folder, strerror(-ret));
		return ret;
	}
	if (strtoul(line, NULL, 16) != VENDOR_PLX) {
		complain("%s: vendor id %.6s, a PEX 87xx has 0x10b5", name, line);
		return -ENODEV;
	}
	ret = read_line(folder, "resource", line, sizeof(line));
	if (ret < 0 || sscanf(line, "%" SCNx64 " %" SCNx64, &start, &end) != 2) {
		complain("%s: cannot read the range of BAR0 from %s/resource", name, folder);
		return -ENODEV;
	}
	if (start == 0 || end - start + 1 != BAR0_SIZE) {
		complain("%s: BAR0 has %" PRIu64 " bytes; that of a PEX 87xx's upstream port or "
			 "NT port has 262144",
			 name, start == 0 ? 0 : end - start + 1);
		return -ENODEV;
	}
	return 0;
}

static int
complain_open(const char *path, int error)
{
	if (error == EACCES || error == EPERM)
		complain("%s: %s: this needs root, and a kernel that Secure Boot has not locked "
			 "down",
			 path, strerror(error));
	else
		complain("%s: %s", path, strerror(error));
	return -error;
}

static int
map_bar0(struct bar0 *bar, const char *path)
{
	struct stat st;
	void *va;

	bar->fd = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
	if (bar->fd < 0)
		return complain_open(path, errno);
	if (flock(bar->fd, LOCK_EX | LOCK_NB) < 0) {
		complain("%s: in use by another ringbell-eeprom", path);
		close(bar->fd);
		return -EBUSY;
	}
	/* sysfs gives such files the BAR's size */
	if (fstat(bar->fd, &st) < 0 || st.st_size < BAR0_SIZE) {
		complain("%s: shorter than BAR0", path);
		close(bar->fd);
		return -ENODEV;
	}
	va = mmap(NULL, BAR0_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, bar->fd, 0);
	if (va == MAP_FAILED) {
		int error = errno;

		close(bar->fd);
		return complain_open(path, error);
	}
	bar->reg = va;
	return 0;
}

int
device_open(struct device *d, const char *name)
{
	char folder[PATH_SIZE], path[PATH_SIZE + 16];
	struct bar0 *bar;
	int ret;

	if (!folder_of(name, folder)) {
		complain("%s: not a PCI address such as 0000:05:00.0, nor a folder of sysfs", name);
		return -EINVAL;
	}
	ret = check_function(name, folder);
	if (ret < 0)
		return ret;
	bar = calloc(1, sizeof(*bar));
	if (bar == NULL) {
		complain("no memory");
		return -ENOMEM;
	}
	snprintf(path, sizeof(path), "%s/resource0", folder);
	ret = map_bar0(bar, path);
	if (ret < 0) {
		free(bar);
		return ret;
	}
	*d = (struct device){bar, bar0_read, bar0_write, name};
	return 0;
}

void
device_close(struct device *d)
{
	struct bar0 *bar = d->ctx;

	munmap((void *)(uintptr_t)bar->reg, BAR0_SIZE);
	close(bar->fd);
	free(bar);
}
