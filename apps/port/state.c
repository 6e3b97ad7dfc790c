/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Commands: what a port is, its inbound memory, its link. */

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <rte_rawdev.h>

#include "access.h"
#include "agent.h"
#include "state.h"
#include "ports.h"

static bool
run_info(struct agent *a)
{
	const struct ntb_port *port = a->port;
	struct rte_rawdev_info dev = {0};

	rte_rawdev_info_get(port->dev_id, &dev, 0);
	return agent_ok(
		a, "%s %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %u %u %u %d %d %d %d",
		a->info.location, dev.driver_name, port->window_size, a->info.window_size,
		a->info.window_align, port->window_iova, port->caps, port->db_count,
		port->spad_count, port->ops->flush != NULL, port->ops->link_once != NULL,
		port->ops->wake_word != NULL, port->ops->window_file != NULL);
}

static bool
run_align(struct agent *a)
{
	return agent_ok(a, "%" PRIu64, a->port->ops->region_align(a->port, a->arg[0]));
}

static bool
run_region(struct agent *a)
{
	if (a->regions == AGENT_REGIONS)
		return agent_no(a, "no more regions");
	if (a->arg[0] < REGION_MIN)
		return agent_no(a, "a region has %d bytes at least", REGION_MIN);
	if (port_region(&a->info, a->arg[0], a->regions, &a->region[a->regions]) < 0)
		return agent_no(a, "no memory for a region");
	memset(a->region[a->regions].va, 0, a->arg[0]);
	return agent_ok(a, "%u", a->regions++);
}

static bool
run_configure(struct agent *a)
{
	int ret;

	if (a->arg[0] >= a->regions)
		return agent_no(a, "no such region");
	ret = access_configure(a->port, &a->region[a->arg[0]]);
	if (ret == 0)
		a->current = (unsigned int)a->arg[0];
	return agent_ok(a, "%d", ret);
}

/* Regions that no port may take. */
static bool
run_misuse(struct agent *a)
{
	struct ntb_port_config conf;

	if (a->regions == 0)
		return agent_no(a, "a region comes first");
	conf = a->region[0];
	if (strcmp(a->word, "no-memory") == 0)
		conf.va = NULL;
	else if (strcmp(a->word, "no-length") == 0)
		conf.len = 0;
	else if (strcmp(a->word, "wrap") == 0)
		conf.iova = -a->info.window_align;
	else if (strcmp(a->word, "alignment") == 0)
		conf.iova += a->port->ops->region_align(a->port, conf.len) / 2;
	else
		return agent_no(a, "no such misuse");
	if (strcmp(a->word, "wrap") == 0)
		conf.len = 2 * a->info.window_align;
	return agent_ok(a, "%d", access_configure(a->port, &conf));
}

static bool
run_start(struct agent *a)
{
	int ret = ntb_port_start(a->port);

	a->started |= ret == 0;
	return agent_ok(a, "%d", ret);
}

static bool
run_stop(struct agent *a)
{
	agent_stop(a);
	return agent_ok(a, "0");
}

/* Wait until the link is up (1), or not (0): its state, and how long that took. */
static bool
run_link(struct agent *a)
{
	const struct timespec nap = {.tv_nsec = 1000000};
	uint64_t begin = clock_ns(), end = begin + a->arg[1] * 1000000;
	enum ntb_link link = ntb_link_poll(a->port);

	while ((link == NTB_LINK_UP) != (a->arg[0] != 0) && clock_ns() < end) {
		nanosleep(&nap, NULL);
		link = ntb_link_poll(a->port);
	}
	return agent_ok(a, "%d %" PRIu64, (int)link, (clock_ns() - begin) / 1000000);
}

static bool
run_breaks(struct agent *a)
{
	return agent_ok(a, "%" PRIu64, a->port->ops->link_breaks(a->port));
}

static bool
run_once(struct agent *a)
{
	ntb_link_once(a->port, a->arg[0] != 0);
	return agent_ok(a, "0");
}

static bool
run_flush(struct agent *a)
{
	uint64_t begin = clock_ns();
	int ret = agent_flush(a);

	return agent_ok(a, "%d %" PRIu64, ret, clock_ns() - begin);
}

/* What the first word of the peer's region is, from now on. */
static bool
run_known(struct agent *a)
{
	a->window_known = a->arg[0];
	return agent_ok(a, "0");
}

/* Until @p 0 ms have passed: does this port notice that its peer is gone? By the link (1), by the
 * counter of breaks (2), by a flush (4). */
static bool
run_notice(struct agent *a)
{
	const struct timespec nap = {.tv_nsec = 1000000};
	uint64_t begin = clock_ns(), end = begin + a->arg[0] * 1000000;
	unsigned int seen = 0;

	for (;;) {
		seen |= ntb_link_poll(a->port) == NTB_LINK_UP ? 0 : 1;
		seen |= a->port->ops->link_breaks(a->port) == a->arg[1] ? 0 : 2;
		seen |= agent_flush(a) == 0 ? 0 : 4;
		if (seen != 0 || clock_ns() > end)
			break;
		nanosleep(&nap, NULL);
	}
	return agent_ok(a, "%u %" PRIu64, seen, (clock_ns() - begin) / 1000000);
}

/* Through a mapping of the file that the window is: a word there. */
static bool
run_file_store(struct agent *a)
{
	uint64_t len = agent_region_len(a), off = 0;
	uint8_t *at;
	int fd = -1, ret;

	if (!agent_has_word(len, a->arg[0]))
		return agent_no(a, "offset");
	ret = ntb_window_file(a->port, 0, len, &fd, &off);
	if (ret != 0)
		return agent_ok(a, "%d", ret);
	at = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)off);
	if (at == MAP_FAILED)
		return agent_ok(a, "%d", -errno);
	*(volatile uint64_t *)(void *)(at + a->arg[0]) = a->arg[1];
	munmap(at, len);
	return agent_ok(a, "0");
}

static bool
run_fault(struct agent *a)
{
	return agent_ok(a, "%d", rte_rawdev_set_attr(a->port->dev_id, a->word, a->arg[0]));
}

/* As a process that is killed. */
static bool
run_die(struct agent *a)
{
	(void)a;
	kill(getpid(), SIGKILL);
	return false;
}

const struct agent_command state_commands[] = {
	{"info", 0, false, run_info},	  {"align", 1, false, run_align},
	{"region", 1, false, run_region}, {"configure", 1, false, run_configure},
	{"misuse", 0, true, run_misuse},  {"start", 0, false, run_start},
	{"stop", 0, false, run_stop},	  {"link", 2, false, run_link},
	{"breaks", 0, false, run_breaks}, {"once", 1, false, run_once},
	{"flush", 0, false, run_flush},	  {"known", 1, false, run_known},
	{"notice", 2, false, run_notice}, {"file_store", 2, false, run_file_store},
	{"fault", 1, true, run_fault},	  {"die", 0, false, run_die},
	{NULL, 0, false, NULL},
};
