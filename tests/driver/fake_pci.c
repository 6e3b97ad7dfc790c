/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake_pci.h"

/* One tmpfs over /sys/class holds all of it: the UIO class that the EAL looks up there, the device
 * folder that SYSFS_PCI_DEVICES points to, and a /dev with nothing but what the EAL opens. */
#define TREE "/sys/class"
#define DEVICES TREE "/devices"
#define NEW_DEV TREE "/dev"

/* The EAL maps UIO devices only where it can know physical addresses, which takes hugepages and
 * privilege. No address of such functions leaves the machine's processes, so this answers in its
 * place: the PCI bus calls the first definition that the dynamic linker finds. */
int rte_eal_using_phys_addrs(void);
int
rte_eal_using_phys_addrs(void)
{
	return 1;
}

static int
put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	ssize_t len = strlen(text), n;

	if (fd < 0)
		return -errno;
	n = write(fd, text, len);
	close(fd);
	return n == len ? 0 : -EIO;
}

__attribute__((format(printf, 3, 4))) static int
put_in(const char *dir, const char *name, const char *fmt, ...)
{
	char path[256], text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return put(path, text);
}

static int
unshare_mounts(void)
{
	uid_t uid = getuid();
	gid_t gid = getgid();
	char map[64];

	if (unshare(CLONE_NEWNS) == 0)
		return 0;
	/* an ordinary user is root of a user namespace of its own, where that is permitted */
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return -EPERM;
	snprintf(map, sizeof(map), "0 %u 1", uid);
	if (put("/proc/self/setgroups", "deny") < 0 || put("/proc/self/uid_map", map) < 0)
		return -EPERM;
	snprintf(map, sizeof(map), "0 %u 1", gid);
	return put("/proc/self/gid_map", map) < 0 ? -EPERM : 0;
}

static int
make_dev(void)
{
	static const char *const nodes[] = {"null", "zero", "urandom"};
	char from[64], to[64];
	unsigned int i;

	if (mkdir(NEW_DEV, 0755) < 0)
		return -errno;
	for (i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
		snprintf(from, sizeof(from), "/dev/%s", nodes[i]);
		snprintf(to, sizeof(to), NEW_DEV "/%s", nodes[i]);
		if (put(to, "") < 0 || mount(from, to, NULL, MS_BIND, NULL) < 0)
			return -errno;
	}
	return mount(NEW_DEV, "/dev", NULL, MS_BIND | MS_REC, NULL) < 0 ? -errno : 0;
}

/* The mounts made here must not be seen outside. In a chroot "/" may not be a mount point, so the
 * folders that are mounted upon are made private. */
static int
make_private(void)
{
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0)
		return 0;
	if (errno != EINVAL || mount("none", "/sys", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", "/dev", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return -EPERM;
	return 0;
}

int
fake_pci_enter(void)
{
	int ret = unshare_mounts();

	if (ret < 0)
		return ret;
	if (make_private() < 0 || mount("fake", TREE, "tmpfs", 0, "mode=755") < 0)
		return -EPERM; /* containers may forbid it although the namespace is theirs */
	if (mkdir(DEVICES, 0755) < 0 || mkdir(TREE "/uio", 0755) < 0)
		return -errno;
	if (setenv("SYSFS_PCI_DEVICES", DEVICES, 1) < 0)
		return -errno;
	return make_dev();
}

static volatile uint8_t *
make_file(const char *dir, const char *name, uint64_t size)
{
	char path[256];
	void *va;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0 || ftruncate(fd, size) < 0)
		return NULL;
	va = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return va == MAP_FAILED ? NULL : va;
}

static int
make_bar(struct fake_pci *f, const char *dir, unsigned int bar)
{
	char name[32], from[300], to[300];

	if (f->size[bar] == 0)
		return 0;
	snprintf(name, sizeof(name), "resource%u", bar);
	f->bar[bar] = make_file(dir, name, f->size[bar]);
	if (f->bar[bar] == NULL)
		return -errno;
	if (!f->wc[bar])
		return 0;
	/* two names of one memory, as in sysfs */
	snprintf(from, sizeof(from), "%s/%s", dir, name);
	snprintf(to, sizeof(to), "%s/%s_wc", dir, name);
	return link(from, to) < 0 ? -errno : 0;
}

uint64_t
fake_pci_bar_at(const struct fake_pci *f, unsigned int bar)
{
	return 0x1000000000ull * (f->uio + 1) + (bar * 1ull << 32);
}

static int
make_resource(const struct fake_pci *f, const char *dir)
{
	/* memory; 64 bits wide and prefetchable where it is a window */
	const uint64_t mem = 0x40200, window = 0x14220c;
	char text[512] = "";
	unsigned int i;

	for (i = 0; i <= FAKE_BARS; i++) {
		uint64_t size = i < FAKE_BARS ? f->size[i] : 0;
		uint64_t start = size == 0 ? 0 : fake_pci_bar_at(f, i);
		size_t used = strlen(text);

		snprintf(text + used, sizeof(text) - used,
			 "0x%016" PRIx64 " 0x%016" PRIx64 " 0x%016" PRIx64 "\n", start,
			 size == 0 ? 0 : start + size - 1,
			 size == 0  ? 0
			 : f->wc[i] ? window
				    : mem);
	}
	return put_in(dir, "resource", "%s", text);
}

static int
make_uio(const struct fake_pci *f, const char *dir)
{
	char path[256], target[256];

	snprintf(path, sizeof(path), "%s/uio", dir);
	if (mkdir(path, 0755) < 0)
		return -errno;
	snprintf(path, sizeof(path), "%s/uio/uio%u", dir, f->uio);
	if (mkdir(path, 0755) < 0)
		return -errno;
	snprintf(path, sizeof(path), "%s/driver", dir);
	if (symlink("../../drivers/uio_pci_generic", path) < 0)
		return -errno;
	snprintf(path, sizeof(path), TREE "/uio/uio%u", f->uio);
	if (mkdir(path, 0755) < 0)
		return -errno;
	snprintf(target, sizeof(target), "%s", dir);
	snprintf(path, sizeof(path), TREE "/uio/uio%u/device", f->uio);
	if (symlink(target, path) < 0)
		return -errno;
	/* opened for interrupts; opening both ends of a FIFO never blocks */
	snprintf(path, sizeof(path), "/dev/uio%u", f->uio);
	return mkfifo(path, 0600) < 0 ? -errno : 0;
}

/* sysfs has a function's folder below those of the bridges above it, and a link with its name. */
static int
make_folder(const struct fake_pci *f, char *dir, size_t size)
{
	char way[256], *slash;

	snprintf(dir, size, DEVICES "/%s", f->bdf);
	if (f->above == NULL)
		return mkdir(dir, 0755);
	snprintf(way, sizeof(way), TREE "/%s/%s/", f->above, f->bdf);
	for (slash = way + sizeof(TREE); (slash = strchr(slash, '/')) != NULL; slash++) {
		*slash = '\0';
		if (mkdir(way, 0755) < 0 && errno != EEXIST)
			return -1;
		*slash = '/';
	}
	return symlink(way, dir);
}

int
fake_pci_add(struct fake_pci *f)
{
	char dir[128];
	unsigned int bar;
	int ret;

	if (make_folder(f, dir, sizeof(dir)) < 0)
		return -errno;
	if (put_in(dir, "vendor", "0x%04x\n", f->vendor == 0 ? 0x10b5 : f->vendor) < 0 ||
	    put_in(dir, "device", "0x%04x\n", f->device) < 0 ||
	    put_in(dir, "subsystem_vendor", "0x10b5\n") < 0 ||
	    put_in(dir, "subsystem_device", "0x8749\n") < 0 ||
	    put_in(dir, "class", "0x068000\n") < 0 || put_in(dir, "numa_node", "-1\n") < 0 ||
	    make_resource(f, dir) < 0)
		return -EIO;
	f->config = make_file(dir, "config", 4096);
	if (f->config == NULL)
		return -errno;
	for (bar = 0; bar < FAKE_BARS; bar++) {
		ret = make_bar(f, dir, bar);
		if (ret < 0)
			return ret;
	}
	return make_uio(f, dir);
}

void
fake_pci_file_at(const void *at, char *name, size_t size)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512], path[256];
	unsigned long begin, end;

	name[0] = '\0';
	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL)
		if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %255s", &begin, &end, path) == 3 &&
		    path[0] == '/' && (uintptr_t)at >= begin && (uintptr_t)at < end)
			snprintf(name, size, "%s", strrchr(path, '/') + 1);
	if (maps != NULL)
		fclose(maps);
}
