/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* One guest stays, the other one comes and ends in several ways. The guest that stays must notice
 * that, must not reach memory that is gone, and must connect to the next guest as to the first. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <rte_common.h>
#include <rte_rawdev.h>

#include "pair.h"

enum {
	BOOT = 240, /* seconds that a guest may take */
	VISIT = 120,
};

static void
say(const char *mark)
{
	printf("@@%s\n", mark);
	fflush(stdout);
}

static void
judged(struct pair *p)
{
	if (p->check != NULL)
		printf("ok %s\n", p->check);
	fflush(stdout);
}

static void
visit(struct pair *p)
{
	pair_window(p);
	pair_dma(p);
	judged(p);
	say("met");
}

static void
expect_nothing(struct pair *p)
{
	const uint64_t at[] = {0, 8, PAIR_REGION - 8};

	for (unsigned int i = 0; i < RTE_DIM(at); i++) {
		uint64_t got = *pair_at(p->port->window, at[i]);

		pair_expect(p, got == UINT64_MAX, "0x%llx of the window reads 0x%llx",
			    (unsigned long long)at[i], (unsigned long long)got);
	}
}

static void
expect_down(struct pair *p)
{
	pair_expect(p, pair_wait_link(p, NTB_LINK_DOWN, VISIT), "still up after %d s", VISIT);
	pair_expect(p, p->port->ops->peer_spad_read(p->port, 0) == UINT32_MAX,
		    "a scratchpad of nobody answers");
	pair_expect(p, ntb_flush(p->port) == -EIO, "a flush to nobody succeeds");
	expect_nothing(p);
}

/* A program that is killed leaves its chip as it is, but its kernel takes bus mastering away. */
static void
expect_dark(struct pair *p)
{
	time_t end = time(NULL) + VISIT;

	while (*pair_at(p->port->window, 0) != UINT64_MAX && time(NULL) < end)
		continue;
	expect_nothing(p);
	pair_expect(p, ntb_link_poll(p->port) == NTB_LINK_UP, "link lost with a program");
}

static const struct ending {
	const char *name, *check;
	void (*expect)(struct pair *p);
} endings[] = {
	{"down", "the other guest ends: link down, and nothing of its memory", expect_down},
	{"dark", "the other program is killed: link up, and nothing of its memory", expect_dark},
	{"gone", "the adapter itself goes: link down, all ones, no hang", expect_down},
};

static const struct ending *
ending_of(const char *name)
{
	for (unsigned int i = 0; i < RTE_DIM(endings); i++)
		if (strcmp(name, endings[i].name) == 0)
			return &endings[i];
	return NULL;
}

void
pair_stay(struct pair *p, int n, char *const names[])
{
	for (int i = 0; i < n; i++) {
		const struct ending *e = ending_of(names[i]);

		if (e == NULL) {
			printf("not ok %s -- no way to end\n", names[i]);
			p->failed++;
			return;
		}
		p->check = i == 0 ? "window and dma: with the first guest"
				  : "window and dma: with one that came after";
		pair_expect(p, pair_wait_link(p, NTB_LINK_UP, BOOT), "no link after %d s", BOOT);
		if (p->check == NULL)
			return;
		visit(p);
		p->check = e->check;
		e->expect(p);
		judged(p);
		say(e->name);
		p->epoch++;
		p->step = 0;
	}
	p->check = "stop: and the run ends in order";
	rte_rawdev_stop(p->port->dev_id);
	judged(p);
}

void
pair_visit(struct pair *p)
{
	p->check = "window and dma: with the guest that stays";
	pair_expect(p, pair_wait_link(p, NTB_LINK_UP, VISIT), "no link after %d s", VISIT);
	if (p->check == NULL)
		return;
	visit(p);
	p->check = endings[RTE_DIM(endings) - 1].check; /* others are survived by no program */
	expect_down(p);
	judged(p);
	rte_rawdev_stop(p->port->dev_id);
}
