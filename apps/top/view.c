/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdio.h>

#include "top.h"

/* A wait that has a line of its own. */
#define TOP_BLOCKED_NS 1000000000u

/** The place for lines of the tables: those before @p skip are scrolled away. */
struct pen {
	struct top_canvas *c;
	int y, skip, unseen;
};

static int
next_line(struct pen *p)
{
	if (p->skip > 0) {
		p->skip--;
		return -1;
	}
	if (p->y >= p->c->h)
		p->unseen++;
	return p->y++;
}

static double
rate_of(const struct top_job *job, int host, bool to, bool bytes)
{
	struct top_flow f = top_flow(job, host, to);

	return bytes ? f.bytes : f.messages;
}

static void
draw_links(struct pen *p, const struct top_job *job)
{
	char s[4][24];
	int host, y = next_line(p);

	top_text(p->c, 0, y, "%-9s %22s %22s %8s %6s", "link", "to the right", "to the left",
		 "relayed", "queued");
	top_bold(p->c, y);
	for (host = 0; host < job->hosts; host++) {
		int right = (host + 1) % job->hosts;

		y = next_line(p);
		if (job->hosts == 1)
			continue;
		if (host == top_lost(job)) {
			top_lost_text(job, s[0], sizeof(s[0]));
			top_text(p->c, 0, y, "%2d - %-2d   %12s", host, right, s[0]);
			continue;
		}
		top_human(s[0], sizeof(s[0]), rate_of(job, host, true, true), "B/s");
		top_human(s[1], sizeof(s[1]), rate_of(job, host, true, false), "/s");
		top_human(s[2], sizeof(s[2]), rate_of(job, host, false, true), "B/s");
		top_human(s[3], sizeof(s[3]), rate_of(job, host, false, false), "/s");
		top_text(p->c, 0, y, "%2d - %-2d   %12s %9s %12s %9s %6.0f %% %6llu", host, right,
			 s[0], s[1], s[2], s[3], 100 * top_relayed(job, host),
			 (unsigned long long)top_queued(job, host));
	}
}

static void
draw_pes(struct pen *p, const struct top_job *job)
{
	int pe, y = next_line(p);
	char s[4][24];

	top_text(p->c, 0, y, "%4s %4s %-9s %12s %12s %11s %10s %6s", "PE", "host", "state", "puts",
		 "gets", "atomics", "barriers", "waits");
	top_bold(p->c, y);
	for (pe = 0; pe < job->pes; pe++) {
		const struct top_pe *n = &job->now.pe[pe], *b = &job->before.pe[pe];

		if (!n->there)
			continue;
		y = next_line(p);
		top_human(s[0], sizeof(s[0]), top_rate(job, n->put_bytes, b->put_bytes), "B/s");
		top_human(s[1], sizeof(s[1]), top_rate(job, n->get_bytes, b->get_bytes), "B/s");
		top_human(s[2], sizeof(s[2]), top_rate(job, n->atomics, b->atomics), "/s");
		top_human(s[3], sizeof(s[3]), top_rate(job, n->barriers, b->barriers), "/s");
		top_text(p->c, 0, y, "%4d %4d %-9s %12s %12s %11s %10s %4.0f %%", pe, n->host,
			 n->state, s[0], s[1], s[2], s[3],
			 top_rate(job, n->wait_ns, b->wait_ns) / 1e7);
		if (n->blocked_ns >= TOP_BLOCKED_NS)
			top_text(p->c, 10, next_line(p), "in %s for %.0f s, for %s", n->call,
				 (double)n->blocked_ns / 1e9, n->whom);
	}
}

int
top_draw(struct top_canvas *c, const struct top_job *job, int scroll)
{
	int ring = top_ring_height(job, c->w);
	bool fold = ring == 0;
	struct pen p = {.c = c, .y = 1, .skip = scroll};
	char s[128];
	int i;

	if (fold)
		ring = top_fold_height(job, c->w);
	top_text(c, 0, 0, "ringbell-top  job %s  %d host%s  %d PE%s", job->id, job->hosts,
		 job->hosts > 1 ? "s" : "", job->pes, job->pes > 1 ? "s" : "");
	top_text(c, c->w - 22, 0, "q: quit  arrows: move");
	top_bold(c, 0);
	for (i = 0; top_warning(job, i, s, sizeof(s)); i++) {
		top_bold(c, p.y);
		top_text(c, 0, p.y++, "! %s", s);
	}
	if (ring > 0 && p.y + ring + 4 <= c->h) {
		(fold ? top_fold : top_ring)(c, p.y, job);
		p.y += ring;
	}
	draw_links(&p, job);
	draw_pes(&p, job);
	return p.unseen;
}
