/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdio.h>
#include <string.h>

#include "top.h"

/*
 * The ring in two rows: hosts 0, 1, .. from left to right above, the others back from right to left
 * below. Between two hosts stand the rates of both directions, with an arrow each. A line begins
 * with the host at one end of it, so that its last cable, which is lost, is the upright one on the
 * left.
 */
enum {
	BOX_W = 16,
	BOX_H = 4,
	GAP_W = 14,  /* at least: "> 1.23 GB/s" */
	WIDE_W = 24, /* with messages too */
	GAP_H = 2,
};

static int
rows_above(const struct top_job *job)
{
	return job->hosts <= 2 ? job->hosts : (job->hosts + 1) / 2;
}

static int
rows_below(const struct top_job *job)
{
	return job->hosts - rows_above(job);
}

int
top_ring_height(const struct top_job *job, int width)
{
	int n = rows_above(job);

	if (n * BOX_W + (n - 1) * GAP_W > width)
		return 0;
	if (job->hosts == 1)
		return BOX_H;
	return job->hosts == 2 ? BOX_H + GAP_H : 2 * BOX_H + GAP_H;
}

static void
format_rates(char *s, size_t len, struct top_flow f, bool wide)
{
	char bytes[24], messages[24];

	top_human(bytes, sizeof(bytes), f.bytes, "B/s");
	top_human(messages, sizeof(messages), f.messages, "/s");
	snprintf(s, len, wide ? "%s %s" : "%s", bytes, messages);
}

/** A place for rates on the canvas. */
struct spot {
	int x, y, w;
};

/* Rates between @p host and its neighbour on the right, which is drawn to the right or left. */
static void
draw_rates(struct top_canvas *c, struct spot at, const struct top_job *job, int host,
	   bool rightwards)
{
	char s[64];

	format_rates(s, sizeof(s), top_flow(job, host, rightwards), at.w >= WIDE_W);
	top_text(c, at.x, at.y, " > %s ", s);
	format_rates(s, sizeof(s), top_flow(job, host, !rightwards), at.w >= WIDE_W);
	top_text(c, at.x, at.y + 1, " < %s ", s);
}

static void
draw_upright(struct top_canvas *c, int x, int y, const struct top_job *job, int host, bool down)
{
	int side = x + WIDE_W > c->w ? -1 : 1, at;
	char s[64], t[64];

	format_rates(s, sizeof(s), top_flow(job, host, down), true);
	format_rates(t, sizeof(t), top_flow(job, host, !down), true);
	top_put(c, x, y, TOP_VLINE);
	top_put(c, x, y + 1, TOP_VLINE);
	at = side > 0 ? x + 2 : x - 3 - (int)strlen(s);
	top_text(c, at, y, "v %s", s);
	at = side > 0 ? x + 2 : x - 3 - (int)strlen(t);
	top_text(c, at, y + 1, "^ %s", t);
}

/* PEs of a host: the state of one, or how many wait. */
static void
pes_of(const struct top_job *job, int host, char *s, size_t len)
{
	int waiting, last, n = top_pes_of(job, host, &waiting, &last);

	if (job->now.host[host].fd < 0)
		snprintf(s, len, "no answer");
	else if (n == 1)
		snprintf(s, len, "PE %d %s", last, job->now.pe[last].state);
	else
		snprintf(s, len, "%d PEs %d wait", n, waiting);
}

static void
draw_host(struct top_canvas *c, int x, int y, const struct top_job *job, int host)
{
	char s[64];

	top_box(c, x, y, BOX_W, BOX_H);
	snprintf(s, sizeof(s), "host %d", host);
	if (top_queued(job, host) > 0)
		snprintf(s, sizeof(s), "host %d, q %llu", host,
			 (unsigned long long)top_queued(job, host));
	top_text(c, x + 1, y + 1, "%.*s", BOX_W - 2, s);
	pes_of(job, host, s, sizeof(s));
	top_text(c, x + 1, y + 2, "%.*s", BOX_W - 2, s);
}

static int
spread_over(int width, int n, int i)
{
	return n < 2 ? 0 : i * (width - BOX_W) / (n - 1);
}

static void
draw_row(struct top_canvas *c, int y, int n, const struct top_job *job, bool upper)
{
	int i, host, x, next;

	for (i = 0; i < n; i++) {
		host = top_host_at(job, upper ? i : job->hosts - 1 - i);
		x = spread_over(c->w, n, i);
		draw_host(c, x, y, job, host);
		if (i == n - 1)
			break;
		next = spread_over(c->w, n, i + 1);
		x += BOX_W;
		draw_rates(c, (struct spot){x, y + 1, next - x}, job,
			   upper ? host : top_host_at(job, job->hosts - 2 - i), upper);
	}
}

static void
draw_lost(struct top_canvas *c, int x, int y, const struct top_job *job)
{
	char s[32];

	top_lost_text(job, s, sizeof(s));
	top_text(c, x, y, "%s", s);
}

/* The second cable of two hosts, from the second one round to the first. */
static void
draw_second(struct top_canvas *c, int y, const struct top_job *job)
{
	int i, last = c->w - BOX_W / 2;

	if (top_lost(job) >= 0) {
		draw_lost(c, BOX_W + 1, y, job);
		return;
	}
	top_put(c, BOX_W / 2, y, TOP_LL);
	for (i = BOX_W / 2 + 1; i < last; i++)
		top_put(c, i, y, TOP_HLINE);
	top_put(c, last, y, TOP_LR);
	draw_rates(c, (struct spot){BOX_W, y, c->w - 2 * BOX_W}, job, 1, false);
}

void
top_ring(struct top_canvas *c, int y, const struct top_job *job)
{
	int n = rows_above(job), m = rows_below(job), low = y + BOX_H + GAP_H, i,
	    last = c->w - BOX_W / 2;

	draw_row(c, y, n, job, true);
	if (job->hosts == 1)
		return;
	if (job->hosts == 2) {
		draw_second(c, y + BOX_H, job);
		return;
	}
	draw_row(c, low, m, job, false);
	if (top_lost(job) >= 0)
		draw_lost(c, BOX_W / 2, y + BOX_H, job);
	else
		draw_upright(c, BOX_W / 2, y + BOX_H, job, job->hosts - 1, false);
	if (m > 1) {
		draw_upright(c, last, y + BOX_H, job, top_host_at(job, n - 1), true);
		return;
	}
	/* three hosts: the last cable goes down and then along the lower row */
	for (i = y + BOX_H; i < low + 1; i++)
		top_put(c, last, i, TOP_VLINE);
	for (i = BOX_W; i < last; i++)
		top_put(c, i, low + 1, TOP_HLINE);
	top_put(c, last, low + 1, TOP_LR);
	draw_rates(c, (struct spot){BOX_W + 2, low + 1, c->w - 2 * BOX_W}, job,
		   top_host_at(job, n - 1), false);
}
