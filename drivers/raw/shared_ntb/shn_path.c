/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "shn_path.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <linux/futex.h>
#include <linux/pci_regs.h>
#include <linux/vfio.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <rte_interrupts.h>
#include <rte_string_fns.h>
#include <rte_vfio.h>

enum {
	IVSHMEM_VENDOR = 0x1af4, /* of QEMU's ivshmem-plain and ivshmem-doorbell */
	IVSHMEM_DEVICE = 0x1110,
	IVSHMEM_BAR = 2,       /* the memory; BAR0 has registers */
	POSITION = 8,	       /* a register of BAR0: the number of this function */
	DOORBELL = 12,	       /* the same: another's number << 16 | one of its vectors, here 0 */
	DESCRIPTOR_LEAST = 64, /* above those that programs give to one another */
};

/* In VFIO's file of any PCI function, as DPDK relies on, too. BAR0 is at 0. */
#define CONFIG ((off_t)VFIO_PCI_CONFIG_REGION_INDEX << 40)

/* ---- doorbells ---- */

/* In the EAL's interrupt thread. */
static void
note_ring(void *arg)
{
	struct shn_bell *b = arg;

	__atomic_fetch_add(&b->word, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &b->word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* An interrupt of MSI-X is a store by the function, which VFIO leaves forbidden. */
static bool
allow_stores(const struct shn_bell *b)
{
	uint16_t command;

	if (pread(b->device, &command, sizeof(command), CONFIG + PCI_COMMAND) != sizeof(command))
		return false;
	command |= PCI_COMMAND_MASTER;
	return pwrite(b->device, &command, sizeof(command), CONFIG + PCI_COMMAND) ==
	       sizeof(command);
}

static bool
start_interrupts(struct shn_bell *b)
{
	b->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	b->intr = rte_intr_instance_alloc(RTE_INTR_INSTANCE_F_PRIVATE);
	return rte_intr_fd_set(b->intr, b->event) == 0 &&
	       rte_intr_dev_fd_set(b->intr, b->device) == 0 &&
	       rte_intr_type_set(b->intr, RTE_INTR_HANDLE_VFIO_MSIX) == 0 &&
	       rte_intr_callback_register(b->intr, note_ring, b) == 0 &&
	       rte_intr_enable(b->intr) == 0;
}

/* Enables the function whose BAR @p path is, where vfio-pci has it. */
static void
open_bell(struct shn_bell *b, const char *path)
{
	struct vfio_device_info info = {.argsz = sizeof(info)};
	uint32_t position;

	strlcpy(b->path, path, sizeof(b->path));
	b->function = basename(dirname(b->path));
	b->bus = dirname(b->path);
	/* ivshmem-plain has no interrupts */
	if (rte_vfio_setup_device(b->bus, b->function, &b->device, &info) == 0 &&
	    pread(b->device, &position, sizeof(position), POSITION) == sizeof(position) &&
	    position <= UINT16_MAX && allow_stores(b) && start_interrupts(b))
		b->id = position + 1;
}

void
shn_bell_close(struct shn_bell *b)
{
	if (b->intr != NULL) {
		rte_intr_callback_unregister_sync(b->intr, note_ring, b);
		rte_intr_instance_free(b->intr);
		close(b->event);
	}
	if (b->device >= 0)
		rte_vfio_release_device(b->bus, b->function, b->device);
}

void
shn_bell_ring(const struct shn_bell *b, uint32_t id)
{
	const uint32_t bell = (id - 1) << 16;

	(void)!pwrite(b->device, &bell, sizeof(bell), DOORBELL);
}

/* ---- the memory ---- */

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
check_bar(const char *path, const char *device, struct shn_bell *bell)
{
	const char *bar = strrchr(path, '/');
	uint64_t vendor = 0, id = 0, enabled = 0;

	bar = bar == NULL ? path : bar + 1;
	if (strncmp(bar, "resource", strlen("resource")) != 0 ||
	    read_beside(path, "vendor", &vendor) < 0 || read_beside(path, "device", &id) < 0)
		return 0; /* no BAR, but a file */
	if (vendor != IVSHMEM_VENDOR || id != IVSHMEM_DEVICE || bar[8] != '0' + IVSHMEM_BAR) {
		NTB_LOG(ERR, device,
			"%s is BAR%c of %04" PRIx64 ":%04" PRIx64
			": wanted is BAR%d of an ivshmem function, %04x:%04x",
			path, bar[8], vendor, id, IVSHMEM_BAR, IVSHMEM_VENDOR, IVSHMEM_DEVICE);
		return -ENODEV;
	}
	open_bell(bell, path);
	if (read_beside(path, "enable", &enabled) == 0 && enabled == 0) {
		NTB_LOG(ERR, device, "%s: no driver has enabled the function: echo 1 > %.*senable",
			path, (int)(bar - path), path);
		return -ENODEV;
	}
	return 0;
}

static int
size_of(int fd, const char *path, const char *device, uint64_t *ret_size, struct shn_bell *bell)
{
	char file[PATH_MAX];
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	*ret_size = (uint64_t)st.st_size;
	if (S_ISREG(st.st_mode))
		return check_bar(path, device, bell);
	snprintf(file, sizeof(file), "/sys/dev/char/%u:%u/size", major(st.st_rdev),
		 minor(st.st_rdev));
	if (S_ISCHR(st.st_mode) && read_number(file, ret_size) == 0)
		return 0;
	NTB_LOG(ERR, device, "%s is no file, no BAR in sysfs and no DAX device", path);
	return -ENODEV;
}

int
shn_path_open(const char *path, const char *device, uint64_t *ret_size, struct shn_bell *bell)
{
	int fd = open(path, O_RDWR | O_CLOEXEC), high, ret;

	if (fd < 0) {
		ret = -errno;
		NTB_LOG(ERR, device, "cannot open %s: %s%s", path, strerror(-ret),
			ret == -ENOENT ? "; make it by truncate -s SIZE" : "");
		return ret;
	}
	ret = size_of(fd, path, device, ret_size, bell);
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
