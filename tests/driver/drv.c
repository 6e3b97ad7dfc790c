/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <rte_bus_vdev.h>
#include <rte_common.h>
#include <rte_eal.h>
#include <rte_log.h>
#include <rte_rawdev.h>

#include "drv.h"
#include "ntb_rawdev.h"

static struct {
	FILE *stream;
	char *text;
	size_t size;
	size_t seen;
	char *taken;
} drv_log;

const struct drv_place *drv_place;

int
drv_eal_init(const char *const more[])
{
	/* the prefix: no folder of the EAL's own, which it would leave */
	static const char *const common[] = {"--no-huge",      "--no-shconf",	  "-m",	     "64",
					     "--no-telemetry", "--file-prefix=.", "--lcores"};
	char text[20][256], *argv[20], lcores[32];
	unsigned int argc = 0, i, cpu = 0;
	cpu_set_t set;
	int ret;

	/* one lcore on a CPU that this process may use: a test host can be confined */
	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return -errno;
	while (cpu < CPU_SETSIZE && !CPU_ISSET(cpu, &set))
		cpu++;
	snprintf(lcores, sizeof(lcores), "0@%u", cpu);

	snprintf(text[argc++], sizeof(text[0]), "%s", program_invocation_short_name);
	if (drv_place != NULL)
		more = drv_place->eal;
	for (i = 0; drv_place == NULL && i < RTE_DIM(common); i++)
		snprintf(text[argc++], sizeof(text[0]), "%s", common[i]);
	if (drv_place != NULL)
		snprintf(text[argc++], sizeof(text[0]), "--lcores");
	snprintf(text[argc++], sizeof(text[0]), "%s", lcores);
	for (i = 0; more != NULL && more[i] != NULL && argc < RTE_DIM(text); i++)
		snprintf(text[argc++], sizeof(text[0]), "%s", more[i]);
	for (i = 0; i < argc; i++)
		argv[i] = text[i];
	ret = rte_eal_init(argc, argv) < 0 ? -EIO : 0;
	return ret == 0 && drv_place != NULL ? drv_place->ready() : ret;
}

int
drv_setup(void)
{
	static const char *const eal[] = {"--no-pci", NULL};

	return drv_eal_init(eal);
}

int
drv_setup_logged(void)
{
	return drv_log_start() < 0 ? 1 : drv_setup();
}

int
drv_cleanup(void)
{
	return rte_eal_cleanup();
}

int
drv_log_start(void)
{
	drv_log.stream = open_memstream(&drv_log.text, &drv_log.size);
	if (drv_log.stream == NULL)
		return -errno;
	fflush(drv_log.stream); /* gives an empty text to begin with */
	rte_log_set_level_pattern("pmd.raw.*ntb*", RTE_LOG_INFO);
	return rte_openlog_stream(drv_log.stream);
}

const char *
drv_log_take(unsigned int *ret_lines)
{
	const char *at;

	fflush(drv_log.stream);
	free(drv_log.taken);
	drv_log.taken = strdup(drv_log.text + drv_log.seen);
	drv_log.seen = drv_log.size;
	fputs(drv_log.taken, stderr);

	*ret_lines = 0;
	for (at = drv_log.taken; (at = strstr(at, "NTB_PORT: ")) != NULL; at++)
		(*ret_lines)++;
	return drv_log.taken;
}

int
drv_port_probe(struct drv_port *p, const char *name, int cable_fd, unsigned int end,
	       const char *more)
{
	struct rte_rawdev_info info = {.dev_private = &p->info};
	char args[256];
	int ret;

	*p = (struct drv_port){.dev_id = -1, .end = end, .region = {.fd = -1}};
	if (end == DRV_RING)
		snprintf(args, sizeof(args), "cable=/proc/self/fd/%d%s", cable_fd, more);
	else
		snprintf(args, sizeof(args), "cable=/proc/self/fd/%d,end=%u%s", cable_fd, end,
			 more);
	ret = drv_place != NULL ? drv_place->probe(p, &name) : rte_vdev_init(name, args);
	if (ret < 0)
		return ret;
	p->dev_id = rte_rawdev_get_dev_id(name);
	ret = rte_rawdev_info_get(p->dev_id, &info, sizeof(p->info));
	p->port = p->info.port;
	return ret;
}

/* Memory that the process at the other end can map. */
static int
file_memory(struct drv_port *p, uint64_t len)
{
	p->region.len = len;
	p->region.iova = 64 * p->info.window_align;
	p->region.fd = memfd_create("driver-test", MFD_CLOEXEC);
	if (p->region.fd < 0 || ftruncate(p->region.fd, len) < 0)
		return -errno;
	p->region.va = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, p->region.fd, 0);
	if (p->region.va == MAP_FAILED) {
		p->region.va = NULL;
		return -errno;
	}
	return 0;
}

int
drv_port_configure(struct drv_port *p, uint64_t len)
{
	struct rte_rawdev_info conf = {.dev_private = &p->region};
	int ret;

	/* only a model asks for a file */
	ret = drv_place == NULL ? file_memory(p, len) : drv_place->memory(p, len);
	if (ret == 0)
		ret = rte_rawdev_configure(p->dev_id, &conf, sizeof(p->region));
	return ret;
}

int
drv_port_open(struct drv_port *p, const char *name, int cable_fd, unsigned int end,
	      const char *more, uint64_t len)
{
	int ret;

	ret = drv_port_probe(p, name, cable_fd, end, more);
	if (ret == 0)
		ret = drv_port_configure(p, len);
	if (ret == 0)
		ret = rte_rawdev_start(p->dev_id);
	return ret;
}

void
drv_port_close(struct drv_port *p, const char *name)
{
	if (p->dev_id >= 0 && drv_place == NULL)
		rte_vdev_uninit(name);
	if (drv_place != NULL)
		drv_place->close(p);
	if (p->region.va != NULL)
		munmap(p->region.va, p->region.len);
	if (p->region.fd >= 0)
		close(p->region.fd);
	*p = (struct drv_port){.dev_id = -1, .region = {.fd = -1}};
}

void
drv_check_why(struct ntb_port *port, const char *words)
{
	char why[256];

	ntb_why_down(port, why, sizeof(why));
	CU_ASSERT_PTR_NOT_NULL(strstr(why, words));
	if (strstr(why, words) == NULL)
		fprintf(stderr, "not \"%s\" but \"%s\"\n", words, why);
}

int
drv_fault(struct drv_port *p, const char *attr, uint64_t arg)
{
	return rte_rawdev_set_attr(p->dev_id, attr, arg);
}

bool
drv_wait_link(struct drv_port *a, struct drv_port *b, enum ntb_link want)
{
	time_t end = time(NULL) + 10;

	do {
		enum ntb_link la = ntb_link_poll(a->port);
		enum ntb_link lb = ntb_link_poll(b->port);

		if (la == want && lb == want)
			return true;
		sched_yield();
	} while (time(NULL) < end);
	fprintf(stderr, "gave up waiting for both links to be %s\n",
		want == NTB_LINK_UP ? "up" : "down");
	return false;
}

uint64_t
drv_xstat(const struct drv_port *p, const char *name)
{
	struct rte_rawdev_xstats_name all[NTB_RAWDEV_COUNTERS];
	int n = rte_rawdev_xstats_names_get(p->dev_id, all, RTE_DIM(all));
	uint64_t value = UINT64_MAX;

	for (unsigned int i = 0; (int)i < n; i++)
		if (strcmp(all[i].name, name) == 0)
			(void)rte_rawdev_xstats_get(p->dev_id, &i, &value, 1);
	return value;
}

static const char *const names[] = {"raw_ntb_plx_emu0", "raw_ntb_plx_emu1"};

int
drv_plug(struct drv_port *a, struct drv_port *b, const char *more_a, const char *more_b,
	 uint64_t len)
{
	int cable = memfd_create("cable", MFD_CLOEXEC);

	CU_ASSERT_TRUE_FATAL(cable >= 0);
	CU_ASSERT_EQUAL_FATAL(drv_port_open(a, names[0], cable, 0, more_a, len), 0);
	CU_ASSERT_EQUAL_FATAL(drv_port_open(b, names[1], cable, 1, more_b, len), 0);
	return cable;
}

void
drv_unplug(struct drv_port *a, struct drv_port *b, int cable)
{
	drv_port_close(a, names[0]);
	drv_port_close(b, names[1]);
	close(cable);
	CU_ASSERT_EQUAL(rte_rawdev_count(), 0);
}

void
drv_check_cable(struct drv_port *a, struct drv_port *b)
{
	volatile uint64_t *window = a->port->window;
	unsigned int i;

	*window = 0x5ca1ab1e;
	CU_ASSERT_EQUAL(ntb_flush(a->port), 0);
	CU_ASSERT_EQUAL(*(volatile uint64_t *)b->region.va, 0x5ca1ab1e);
	*(volatile uint64_t *)b->region.va = 0;
	for (i = 0; i < 16; i++) {
		ntb_db_ring(a->port, 1u << i);
		CU_ASSERT_EQUAL(ntb_db_read(b->port), 1u << i);
		ntb_db_clear(b->port, 1u << i);
	}
	for (i = 0; i < 8; i++) {
		a->port->ops->peer_spad_write(a->port, i, 0x100 + i);
		CU_ASSERT_EQUAL(b->port->ops->spad_read(b->port, i), 0x100 + i);
		b->port->ops->spad_write(b->port, i, 0x200 + i);
		CU_ASSERT_EQUAL(a->port->ops->peer_spad_read(a->port, i), 0x200 + i);
	}
}
