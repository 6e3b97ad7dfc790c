/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * All links at once. A lane is one direction of a cable. Lanes are dealt to the lcores, which write
 * a block into each of their own in turn, as adapters that share a processor get theirs.
 */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_pause.h>

#include "cli.h"
#include "links.h"

enum {
	LINK_MS = 5000,
	LOOKS_MOST = 1 << 20, /* for missing lanes, before the CPU is yielded */
};

struct lane {
	unsigned int from, to; /* ports */
	unsigned int link;     /* cable */
	bool back;	       /* its second direction */
	_Alignas(64) double end;
};

struct links {
	struct ntb_port_info info[LINKS_PORTS];
	uint8_t *region[LINKS_PORTS];
	bool started[LINKS_PORTS]; /* here */
	unsigned int nports;
	unsigned int hosts; /* made; 0: the EAL gave the ports */
	int cable[LINKS_HOSTS_MAX];
	size_t len;
	uint8_t *src;
	struct lane lane[LINKS_PORTS];
	unsigned int nlanes, nlinks;
	/* a run: set before the lcores are launched */
	unsigned int lcores;
	size_t size;
	long blocks;
	_Atomic unsigned int ready;
	double begin;
};

static int
fail_with(int error, const char *what)
{
	cli_say("links: %s: %s", what, strerror(-error));
	return error;
}

static double
seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- ports and cables ---- */

static void
name_of(char name[32], unsigned int host, unsigned int side)
{
	snprintf(name, 32, "raw_ntb_plx_emu_h%u%c", host, side == 0 ? 'l' : 'r');
}

/* Cable c joins the right port of host c and the left one of the next host. */
static int
make_ring(struct links *l, unsigned int hosts)
{
	unsigned long bar = 1;
	unsigned int c, end;
	char name[32], args[96];
	int ret;

	while (bar << 20 < l->len)
		bar *= 2;
	l->hosts = hosts;
	for (c = 0; c < hosts; c++) {
		l->cable[c] = memfd_create("ringbell-port-cable", MFD_CLOEXEC);
		if (l->cable[c] < 0)
			return fail_with(-errno, "no file for a cable");
		for (end = 0; end < ENDS; end++) {
			name_of(name, (c + end) % hosts, end == 0);
			snprintf(args, sizeof(args), "cable=/proc/self/fd/%d,end=%u,bar2=%luM",
				 l->cable[c], end, bar);
			ret = rte_vdev_init(name, args);
			if (ret < 0)
				return fail_with(ret, "no emulated port");
		}
	}
	return 0;
}

static int
start_ports(struct links *l, const struct ports *p)
{
	unsigned int i, end;
	int ret;

	for (i = 0; i < l->nports; i++) {
		for (end = 0; end < ENDS; end++)
			if (l->info[i].port == p->port[end])
				l->region[i] = p->region[end];
		if (l->region[i] != NULL)
			continue;
		ret = port_start(&l->info[i], l->len, &l->region[i]);
		if (ret < 0)
			return ret;
		l->started[i] = true;
	}
	return 0;
}

/* A port without a port at its other end is left out; all links of an emulated ring come up. */
static void
wait_links(const struct links *l)
{
	unsigned int ms, i, up = 0;

	for (ms = 0; ms < LINK_MS && up < l->nports; ms++) {
		for (up = 0, i = 0; i < l->nports; i++)
			up += ntb_link_poll(l->info[i].port) == NTB_LINK_UP;
		if (up < l->nports)
			rte_delay_us_sleep(1000);
	}
}

/* Each port writes its number: the port that finds it is the other end of the cable. */
static void
find_lanes(struct links *l)
{
	const uint64_t mark = 0x4c414e4500000000;
	uint64_t number;
	unsigned int i, k;

	for (i = 0; i < l->nports; i++)
		memset(l->region[i], 0, sizeof(number));
	for (i = 0; i < l->nports; i++) {
		if (ntb_link_poll(l->info[i].port) != NTB_LINK_UP ||
		    l->info[i].port->window_size < l->len)
			continue;
		number = mark | i;
		memcpy(l->info[i].port->window, &number, sizeof(number));
		port_flush(l->info[i].port);
	}
	for (i = 0; i < l->nports; i++) {
		memcpy(&number, l->region[i], sizeof(number));
		if ((number & ~0xffffffffull) != mark || (uint32_t)number >= l->nports)
			continue;
		l->lane[l->nlanes] = (struct lane){.from = (uint32_t)number, .to = i};
		l->nlanes++;
	}
	/* the two lanes of a cable have one number */
	for (i = 0; i < l->nlanes; i++) {
		for (k = 0; k < i; k++)
			if (l->lane[k].from == l->lane[i].to && l->lane[k].to == l->lane[i].from)
				break;
		l->lane[i].back = k < i;
		l->lane[i].link = k < i ? l->lane[k].link : l->nlinks++;
	}
}

static void
close_links(struct links *l)
{
	char name[32];
	unsigned int i;

	for (i = 0; i < l->nports; i++)
		if (l->started[i])
			ntb_port_stop(l->info[i].port);
	for (i = 0; i < ENDS * l->hosts; i++) {
		name_of(name, i / ENDS, i % ENDS);
		rte_vdev_uninit(name);
	}
	for (i = 0; i < l->nports; i++)
		if (l->started[i] && l->hosts > 0)
			munmap(l->region[i], l->len);
	for (i = 0; i < l->hosts; i++)
		if (l->cable[i] >= 0)
			close(l->cable[i]);
	free(l->src);
	free(l);
}

/* Ports of the EAL come first in the list; ports that were made here come last. */
static int
open_links(struct links *l, const struct ports *p, unsigned int hosts)
{
	int ret;

	memset(l->cable, -1, sizeof(l->cable));
	l->src = aligned_alloc(64, RTE_ALIGN_CEIL(l->len, (size_t)64));
	if (l->src == NULL)
		return fail_with(-ENOMEM, "no memory for a block");
	memset(l->src, 1, l->len);
	if (p->made) {
		ret = make_ring(l, hosts);
		if (ret < 0)
			return ret;
	}
	l->nports = ports_find(l->info, LINKS_PORTS, p->made ? "_h" : "");
	ret = start_ports(l, p);
	if (ret < 0)
		return ret;
	wait_links(l);
	find_lanes(l);
	return l->nlanes > 0 ? 0 : fail_with(-ENOLINK, "no two ports are at the ends of one cable");
}

/* ---- measuring ---- */

static int
drive_lane(void *arg)
{
	struct links *l = arg;
	unsigned int me = atomic_fetch_add(&l->ready, 1), looks, i;
	long n;

	/* pairs with the others' additions: no lane starts before all have arrived */
	for (looks = 0; atomic_load(&l->ready) < l->lcores; looks++) {
		rte_pause();
		if (looks % 4096 == 4095)
			sched_yield();
	}
	if (me == 0)
		l->begin = seconds_now();
	for (n = 0; n < l->blocks; n++) {
		for (i = me; i < l->nlanes; i += l->lcores) {
			memcpy(l->info[l->lane[i].from].port->window, l->src, l->size);
			rte_compiler_barrier(); /* each copy is done, although it is not read */
		}
	}
	for (i = me; i < l->nlanes; i += l->lcores) {
		port_flush(l->info[l->lane[i].from].port);
		l->lane[i].end = seconds_now();
	}
	return 0;
}

/* @return seconds until the last lane had finished */
static double
run_lanes(struct links *l, size_t size, long blocks)
{
	double last = 0;
	unsigned int id, i;

	l->size = size;
	l->blocks = blocks;
	l->lcores = 1;
	atomic_store(&l->ready, 0);
	RTE_LCORE_FOREACH_WORKER (id)
		l->lcores += l->lcores < l->nlanes;
	i = 1;
	RTE_LCORE_FOREACH_WORKER (id)
		if (i++ < l->lcores)
			rte_eal_remote_launch(drive_lane, l, id);
	drive_lane(l);
	rte_eal_mp_wait_lcore();
	for (i = 0; i < l->nlanes; i++)
		last = RTE_MAX(last, l->lane[i].end);
	return last - l->begin;
}

static long
calibrate_blocks(struct links *l, size_t size, double seconds)
{
	double t = 0;
	long n = 1;

	while (n < LOOKS_MOST << 8) {
		t = RTE_MIN(run_lanes(l, size, n), run_lanes(l, size, n));
		if (t >= seconds / 2)
			break;
		n *= t < seconds / 16 ? 8 : 2;
	}
	return n;
}

/* Samples of one size: by lane, then of the sum. */
static void
measure_size(struct links *l, const struct links_args *a, size_t size, struct report_samples *s)
{
	long n = calibrate_blocks(l, size, a->seconds);
	unsigned int i, k;

	for (i = 0; i <= l->nlanes; i++) {
		s[i].n = a->samples;
		s[i].ops = (double)n * (i == l->nlanes ? l->nlanes : 1);
		s[i].bytes = s[i].ops * (double)size;
	}
	for (k = 0; k < a->samples; k++) {
		s[l->nlanes].seconds[k] = run_lanes(l, size, n);
		for (i = 0; i < l->nlanes; i++)
			s[i].seconds[k] = l->lane[i].end - l->begin;
	}
}

/* An emulated one by the name that name_of() gave. */
static void
end_of(const struct links *l, unsigned int port, char out[48])
{
	const char *at = l->info[port].location, *h = strstr(at, "_h");

	if (l->hosts == 0 || h == NULL)
		snprintf(out, 48, "%s", at);
	else
		snprintf(out, 48, "Host %ld %s", strtol(h + 2, NULL, 10),
			 at[strlen(at) - 1] == 'l' ? "left" : "right");
}

static void
title_of(const struct links *l, unsigned int lane, const char *title, char out[160])
{
	const struct lane *at = &l->lane[lane];
	char from[48], to[48];

	if (lane == l->nlanes) {
		snprintf(out, 160, "%s, Sum of %u Links", title, l->nlinks);
		return;
	}
	end_of(l, at->from, from);
	end_of(l, at->to, to);
	snprintf(out, 160, "%s, Link %u: %s to %s", title, at->link, from, to);
}

/* A table for each lane, and one for all. */
static void
report_lanes(const struct links *l, const struct links_args *a, struct report *r,
	     struct report_samples *s)
{
	struct report_key key = {.bench = a->name, .hops = 1};
	char title[160], label[16];
	unsigned int i, k;

	for (i = 0; i <= l->nlanes; i++) {
		title_of(l, i, a->title, title);
		report_table(r, title, REPORT_MBS);
		snprintf(label, sizeof(label), "link%u%c", l->lane[i % l->nlanes].link,
			 l->lane[i % l->nlanes].back ? '<' : '>');
		key.buffer = i == l->nlanes ? "sum" : label;
		key.target = i == l->nlanes ? -1 : (int)i;
		for (k = 0; k < a->nsizes; k++) {
			key.size = a->sizes[k];
			report_row(r, &key, &s[k * (l->nlanes + 1) + i]);
		}
	}
}

int
links_measure(const struct ports *p, const struct links_args *a, struct report *r)
{
	struct links *l = calloc(1, sizeof(*l));
	struct report_samples *s = NULL;
	unsigned int k;
	int ret;

	if (l == NULL)
		return fail_with(-ENOMEM, "no memory");
	l->len = p->len;
	ret = open_links(l, p, a->hosts);
	if (ret < 0)
		goto close;
	s = calloc((size_t)a->nsizes * (l->nlanes + 1), sizeof(*s));
	if (s == NULL) {
		ret = fail_with(-ENOMEM, "no memory for samples");
		goto close;
	}
	for (k = 0; k < a->nsizes; k++) {
		report_progress(r, "%s %zu, %u directions", a->name, a->sizes[k], l->nlanes);
		measure_size(l, a, a->sizes[k], &s[k * (l->nlanes + 1)]);
	}
	report_progress(r, "%s", "");
	report_lanes(l, a, r, s);
	free(s);
close:
	close_links(l);
	return ret;
}
