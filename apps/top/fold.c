/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdio.h>
#include <string.h>

#include "top.h"

/*
 * A ring of many hosts, in the same two rows, where there is no room for boxes:
 *
 *     [ 0] > 31M [ 1] > 1.2G[ 2]
 *     run  < 0   wait < 540k2w/4
 *      | v 31M                |
 *      | ^ 0                  |
 *     [ 5] < 12M [ 4] ...
 *
 * Bytes a second, without their unit.
 */
enum {
	HOST_W = 4,
	CELL_W = 10, /* with the rates after it */
	ROW_H = 2,
	LINK_H = 2,
};

int
top_fold_height(const struct top_job *job, int width)
{
	int n = (job->hosts + 1) / 2;

	return job->hosts > 3 && n * CELL_W - (CELL_W - HOST_W) <= width ? 2 * ROW_H + LINK_H : 0;
}

/* "1.2G": at most 4 characters. */
static void
format_rate(char *s, size_t len, double v)
{
	static const char prefix[] = " kMGTPE";
	unsigned int p = 0;

	while (v >= 999.5 && p + 2 < sizeof(prefix)) {
		v /= 1000;
		p++;
	}
	snprintf(s, len, "%.*f%.*s", v < 9.95 && p > 0, v, p > 0, &prefix[p]);
}

static void
draw_rate(struct top_canvas *c, int x, int y, char arrow, double v)
{
	char s[32];

	format_rate(s, sizeof(s), v);
	top_text(c, x, y, "%c%.4s", arrow, s);
}

/* The PEs of a host that wait, in the width of a host. */
static void
pes_of(const struct top_job *job, int host, char s[HOST_W + 1])
{
	int waiting, last, n = top_pes_of(job, host, &waiting, &last);
	char text[32];

	if (job->now.host[host].fd < 0)
		snprintf(text, sizeof(text), "gone");
	else if (n == 1)
		snprintf(text, sizeof(text), "%s", job->now.pe[last].state);
	else
		snprintf(text, sizeof(text), waiting < 10 && n < 10 ? "%dw/%d" : "%dw", waiting, n);
	snprintf(s, HOST_W + 1, "%.*s", strcmp(text, "running") == 0 ? 3 : HOST_W, text);
}

static int
column_of(int width, int n, int i)
{
	return i * (width - HOST_W) / (n - 1);
}

static void
draw_row(struct top_canvas *c, int y, int n, const struct top_job *job, bool upper)
{
	char state[HOST_W + 1];
	int i;

	for (i = 0; i < n; i++) {
		int host = top_host_at(job, upper ? i : job->hosts - 1 - i);
		int left = upper ? host : top_host_at(job, job->hosts - 2 - i);
		int x = column_of(c->w, n, i);

		top_text(c, x, y, "[%2d]", host);
		pes_of(job, host, state);
		top_text(c, x, y + 1, "%s", state);
		if (i == n - 1)
			break;
		draw_rate(c, x + HOST_W, y, '>', top_flow(job, left, upper).bytes);
		draw_rate(c, x + HOST_W, y + 1, '<', top_flow(job, left, !upper).bytes);
	}
}

/* The link of @p host to its right neighbour, at the side of the picture. */
static void
draw_side(struct top_canvas *c, int y, const struct top_job *job, int host, bool down)
{
	bool left = !down;
	int x = left ? 1 : c->w - HOST_W + 1, i;

	for (i = 0; i < LINK_H; i++)
		top_put(c, x, y + i, TOP_VLINE);
	x += left ? 2 : -6;
	draw_rate(c, x, y, 'v', top_flow(job, host, down).bytes);
	draw_rate(c, x, y + 1, '^', top_flow(job, host, !down).bytes);
}

/* The cable that would close the line. */
static void
draw_lost(struct top_canvas *c, int y, const struct top_job *job)
{
	char s[32];

	top_lost_text(job, s, sizeof(s));
	top_text(c, 1, y, "%s", s);
}

void
top_fold(struct top_canvas *c, int y, const struct top_job *job)
{
	int n = (job->hosts + 1) / 2;

	draw_row(c, y, n, job, true);
	if (top_lost(job) >= 0)
		draw_lost(c, y + ROW_H, job);
	else
		draw_side(c, y + ROW_H, job, job->hosts - 1, false);
	draw_side(c, y + ROW_H, job, top_host_at(job, n - 1), true);
	draw_row(c, y + ROW_H + LINK_H, job->hosts - n, job, false);
	top_text(c, c->w / 2 - 12, y + ROW_H + (LINK_H - 1) / 2, "bytes a second each way");
}
