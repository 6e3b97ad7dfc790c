/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Commands: what a port is, its inbound memory, its link. */

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_rawdev.h>

#include "agent.h"
#include "ports.h"
#include "wait.h"

static void
run_info(struct agent *a)
{
	const struct ntb_port *port = a->port;
	const struct ntb_port_ops *ops = port->ops;
	struct rte_rawdev_info dev = {0};
	static char text[256];

	rte_rawdev_info_get(port->dev_id, &dev, 0);
	snprintf(text, sizeof(text),
		 "%s %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %u %u %d %d %d %d %d", a->info.location,
		 dev.driver_name, port->window_size, a->info.window_size, a->info.window_align,
		 port->db_count, port->spad_count, ops->flush != NULL, ops->link_once != NULL,
		 (port->caps & NTB_CAP_WINDOW_IS_MEMORY) != 0,
		 (port->caps & NTB_CAP_WINDOW_WC) != 0,
		 (port->caps & NTB_CAP_WINDOW_MESSAGES) != 0);
	a->text = text;
}

static void
run_align(struct agent *a)
{
	agent_say(a, (int64_t)a->port->ops->region_align(a->port, a->arg[0]));
}

static void
run_region(struct agent *a)
{
	struct ntb_port_config *conf = &a->region[a->regions];

	if (a->regions == AGENT_REGIONS || a->arg[0] < REGION_MIN) {
		a->no = "no more regions, or one that is too small";
	} else if (port_region(&a->info, a->arg[0], a->regions, conf) < 0) {
		a->no = "no memory for a region";
	} else {
		memset(conf->va, 0, a->arg[0]);
		agent_say(a, a->regions++);
	}
}

static void
run_configure(struct agent *a)
{
	int ret;

	if (a->arg[0] >= a->regions) {
		a->no = "no such region";
		return;
	}
	ret = access_configure(a->port, &a->region[a->arg[0]]);
	if (ret == 0)
		a->current = (unsigned int)a->arg[0];
	agent_say(a, ret);
}

/* Regions that no port may take. */
static void
run_misuse(struct agent *a)
{
	struct ntb_port_config conf = a->region[0];

	if (strcmp(a->word, "no-memory") == 0)
		conf.va = NULL;
	else if (strcmp(a->word, "no-length") == 0)
		conf.len = 0;
	else if (strcmp(a->word, "alignment") == 0)
		conf.iova += a->port->ops->region_align(a->port, conf.len) / 2;
	else { /* it wraps */
		conf.iova = -a->info.window_align;
		conf.len = 2 * a->info.window_align;
	}
	agent_say(a, access_configure(a->port, &conf));
}

static void
run_start(struct agent *a)
{
	int ret = ntb_port_start(a->port);

	a->started |= ret == 0;
	agent_say(a, ret);
}

/* Wait until the link is up (1), or not (0): its state, and how long that took. */
static void
run_link(struct agent *a)
{
	uint64_t begin = clock_ns(), end = begin + a->arg[1] * 1000000;
	enum ntb_link link;

	while (link = ntb_link_poll(a->port),
	       (link == NTB_LINK_UP) != (a->arg[0] != 0) && clock_ns() < end)
		nap();
	agent_say(a, link);
	agent_say(a, (int64_t)((clock_ns() - begin) / 1000000));
}

/* Generation and lanes of the link; 0: the driver does not say. */
static void
run_lanes(struct agent *a)
{
	static const char *const names[] = {"speed", "width"};
	unsigned int i;

	for (i = 0; i < RTE_DIM(names); i++) {
		uint64_t v = 0;

		if (rte_rawdev_get_attr(a->port->dev_id, names[i], &v) != 0)
			v = 0;
		agent_say(a, (int64_t)v);
	}
}

static void
run_why(struct agent *a)
{
	static char text[256];

	ntb_why_down(a->port, text, sizeof(text));
	a->text = text;
}

static void
run_breaks(struct agent *a)
{
	agent_say(a, (int64_t)a->port->ops->link_breaks(a->port));
}

static void
run_once(struct agent *a)
{
	ntb_link_once(a->port);
}

static void
run_flush(struct agent *a)
{
	agent_say(a, agent_flush(a));
}

/* What the first word of the peer's region is, from now on. */
static void
run_known(struct agent *a)
{
	a->window_known = a->arg[0];
}

/* Until the time is over: does this port notice that its peer is gone? By the link (1), by the
 * counter of breaks (2), by a flush (4). */
static void
run_notice(struct agent *a)
{
	uint64_t begin = clock_ns(), end = begin + a->arg[0] * 1000000;
	unsigned int seen;

	for (;; nap()) {
		seen = ntb_link_poll(a->port) == NTB_LINK_UP ? 0 : 1;
		seen |= a->port->ops->link_breaks(a->port) == a->arg[1] ? 0 : 2;
		seen |= agent_flush(a) == 0 ? 0 : 4;
		if (seen != 0 || clock_ns() > end)
			break;
	}
	agent_say(a, seen);
	agent_say(a, (int64_t)((clock_ns() - begin) / 1000000));
}

/* An emulated port's hook for tests, as that of its cable. */
static void
run_fault(struct agent *a)
{
	agent_say(a, rte_rawdev_set_attr(a->port->dev_id, a->word, a->arg[0]));
}

/* As a process that is killed. */
static void
run_die(struct agent *a)
{
	(void)a;
	kill(getpid(), SIGKILL);
}

const struct agent_command port_commands[] = {
	{"info", 0, 0, run_info},
	{"align", 1, 0, run_align},
	{"region", 1, 0, run_region},
	{"configure", 1, 0, run_configure},
	{"misuse", 0, AGENT_WORD, run_misuse},
	{"start", 0, 0, run_start},
	{"stop", 0, 0, agent_stop},
	{"link", 2, 0, run_link},
	{"lanes", 0, 0, run_lanes},
	{"why", 0, 0, run_why},
	{"breaks", 0, 0, run_breaks},
	{"once", 0, 0, run_once},
	{"flush", 0, 0, run_flush},
	{"known", 1, 0, run_known},
	{"notice", 2, 0, run_notice},
	{"fault", 1, AGENT_WORD, run_fault},
	{"die", 0, 0, run_die},
	{NULL, 0, 0, NULL},
};
