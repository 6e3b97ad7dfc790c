/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A program that does not know the driver loads it with the EAL option -d, and finds a port.
 * Usage: driver_plugin_test path/to/librte_raw_plx_ntb.so
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <CUnit/Basic.h>

#include <rte_eal.h>
#include <rte_rawdev.h>

#include "drv.h"

static const char *library;
static char vdev[128];

static void
test_port(void)
{
	struct ntb_port_info info;
	struct rte_rawdev_info raw = {.dev_private = &info};

	CU_ASSERT_EQUAL_FATAL(rte_rawdev_count(), 1);
	CU_ASSERT_EQUAL_FATAL(rte_rawdev_info_get(0, &raw, sizeof(info)), 0);
	CU_ASSERT_STRING_EQUAL(raw.driver_name, "raw_ntb_plx_emu");
	CU_ASSERT_EQUAL(info.window_size, 8 << 20);
	info.port->ops->spad_write(info.port, 1, 0xbeef);
	CU_ASSERT_EQUAL(info.port->ops->spad_read(info.port, 1), 0xbeef);
}

/* The EAL loads nothing from below a folder that all users may write to, such as /tmp, and the
 * build may be there. A name without a folder is left to the dynamic linker. */
static const char *
trusted(const char *path)
{
	char dir[PATH_MAX], *slash;
	struct stat st;

	if (realpath(path, dir) == NULL)
		return path;
	while ((slash = strrchr(dir, '/')) != NULL && slash != dir) {
		*slash = '\0';
		if (stat(dir, &st) < 0 || (st.st_mode & S_IWOTH))
			return strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1;
	}
	return path;
}

static int
setup(void)
{
	const char *const eal[] = {"--no-pci", "-d", library, vdev, NULL};
	int fd = memfd_create("cable", MFD_CLOEXEC);

	snprintf(vdev, sizeof(vdev), "--vdev=raw_ntb_plx_emu0,cable=/proc/self/fd/%d,end=1,bar2=8M",
		 fd);
	return fd < 0 ? 1 : drv_eal_init(eal);
}

int
main(int argc, char **argv)
{
	static const struct test_case tests[] = {
		{"port of a loaded driver", test_port},
	};
	const struct test_suite suite = {"raw_ntb_plx loaded with -d", setup, drv_cleanup, NULL,
					 NULL};

	if (argc != 2) {
		fprintf(stderr, "usage: %s librte_raw_plx_ntb.so\n", argv[0]);
		return 2;
	}
	library = trusted(argv[1]);
	return run_cases(&suite, tests, RTE_DIM(tests));
}
