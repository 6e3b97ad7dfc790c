/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_memzone.h>
#include <rte_rawdev.h>

#include "drv.h"

enum {
	ENDS = 2,
};

static char bdf[ENDS][16], name[ENDS][RTE_RAWDEV_NAME_MAX_LEN], allow[ENDS][32];
static const struct rte_memzone *zone[ENDS];

static int
plug_in(struct drv_port *p, const char **ret_name)
{
	*ret_name = name[p->end];
	return rte_eal_hotplug_add("pci", bdf[p->end], "");
}

/* The EAL finds both functions when it starts; each test begins without. */
static int
unplug_all(void)
{
	for (unsigned int end = 0; end < ENDS; end++)
		if (rte_eal_hotplug_remove("pci", bdf[end]) < 0)
			return -ENODEV;
	return 0;
}

static int
bus_memory(struct drv_port *p, uint64_t len)
{
	const struct rte_memzone *mz;

	mz = rte_memzone_reserve_aligned(bdf[p->end], len, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG,
					 (unsigned int)p->info.window_align);
	if (mz == NULL)
		return -ENOMEM;
	memset(mz->addr, 0, len);
	zone[p->end] = mz;
	p->region =
		(struct ntb_port_config){.va = mz->addr, .iova = mz->iova, .len = len, .fd = -1};
	return 0;
}

static void
bus_close(struct drv_port *p)
{
	if (p->dev_id >= 0)
		rte_eal_hotplug_remove("pci", bdf[p->end]);
	rte_memzone_free(zone[p->end]);
	zone[p->end] = NULL;
	p->region.va = NULL;
}

static const char *const bus_eal[] = {"--legacy-mem",	"-m",	  "96",	    "--no-telemetry",
				      "--iova-mode=pa", allow[0], allow[1], NULL};
static const struct drv_place bus_place = {
	.eal = bus_eal,
	.ready = unplug_all,
	.probe = plug_in,
	.memory = bus_memory,
	.close = bus_close,
};

static void
choose_bus(char *const address[ENDS])
{
	for (unsigned int end = 0; end < ENDS; end++) {
		snprintf(bdf[end], sizeof(bdf[end]), "%s", address[end]);
		snprintf(name[end], sizeof(name[end]), "raw_ntb_plx:%s", address[end]);
		snprintf(allow[end], sizeof(allow[end]), "-a%s", address[end]);
	}
	drv_place = &bus_place;
}

int
drv_run(int argc, char **argv, const struct test_suite *suite, const struct drv_test *tests,
	size_t n)
{
	struct test_case here[32];
	size_t used = 0;

	if (argc == 4 && strcmp(argv[1], "bus") == 0) {
		choose_bus(argv + 2);
	} else if (argc > 1) {
		fprintf(stderr, "usage: %s [bus ADDRESS ADDRESS]\n", argv[0]);
		return 2;
	}
	for (size_t i = 0; i < n && used < RTE_DIM(here); i++)
		if (drv_place == NULL || !tests[i].emulated)
			here[used++] = (struct test_case){tests[i].name, tests[i].run};
	if (used == RTE_DIM(here)) /* some were left out, perhaps */
		return EXIT_FAILURE;
	return run_cases(suite, here, used);
}
