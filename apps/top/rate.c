/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdio.h>
#include <string.h>

#include "top.h"

double
top_rate(const struct top_job *job, uint64_t now, uint64_t before)
{
	if (job->before.ns == 0 || job->now.ns <= job->before.ns || now < before)
		return 0;
	return (double)(now - before) * 1e9 / (double)(job->now.ns - job->before.ns);
}

/* Stores and frames are counted by their sender; loads by the host that reads. */
struct top_flow
top_flow(const struct top_job *job, int host, bool to)
{
	int right = (host + 1) % job->hosts;
	int from = to ? host : right, at = to ? right : host;
	int from_side = to ? TOP_RIGHT : TOP_LEFT, at_side = to ? TOP_LEFT : TOP_RIGHT;
	const struct top_link *n = &job->now.host[from].link[from_side];
	const struct top_link *b = &job->before.host[from].link[from_side];
	const struct top_link *ln = &job->now.host[at].link[at_side];
	const struct top_link *lb = &job->before.host[at].link[at_side];

	return (struct top_flow){
		.bytes = top_rate(job, n->bytes, b->bytes) +
			 top_rate(job, ln->load_bytes, lb->load_bytes),
		.messages = top_rate(job, n->messages, b->messages) +
			    top_rate(job, ln->loads, lb->loads),
	};
}

double
top_relayed(const struct top_job *job, int host)
{
	const struct top_link *n = job->now.host[host].link, *b = job->before.host[host].link;
	double all = 0, relayed = 0;
	int side;

	for (side = 0; side < 2; side++) {
		all += top_rate(job, n[side].bytes, b[side].bytes);
		relayed += top_rate(job, n[side].relayed, b[side].relayed) +
			   top_rate(job, n[side].stored, b[side].stored);
	}
	return all == 0 ? 0 : relayed > all ? 1 : relayed / all;
}

int
top_pes_of(const struct top_job *job, int host, int *ret_waiting, int *ret_last)
{
	int pe, n = 0;

	*ret_waiting = 0;
	*ret_last = 0;
	for (pe = 0; pe < job->pes; pe++) {
		const struct top_pe *p = &job->now.pe[pe];

		if (!p->there || p->host != host)
			continue;
		n++;
		*ret_last = pe;
		*ret_waiting += strcmp(p->state, "running") != 0;
	}
	return n;
}

uint64_t
top_queued(const struct top_job *job, int host)
{
	const struct top_link *l = job->now.host[host].link;

	return l[TOP_LEFT].queued + l[TOP_RIGHT].queued;
}

static bool
cable_lost(const struct top_job *job, int host)
{
	const struct top_host *h = job->now.host;

	return h[host].link[TOP_RIGHT].lost || h[(host + 1) % job->hosts].link[TOP_LEFT].lost;
}

int
top_lost(const struct top_job *job)
{
	int host;

	for (host = 0; host < job->hosts && job->hosts > 1; host++)
		if (cable_lost(job, host))
			return host;
	return -1;
}

void
top_lost_text(const struct top_job *job, char *s, size_t len)
{
	int a = top_lost(job), b = (a + 1) % job->hosts;
	const struct top_host *h = job->now.host;
	uint64_t ns = a < 0 ? 0 : h[a].lost_ns > h[b].lost_ns ? h[a].lost_ns : h[b].lost_ns;

	snprintf(s, len, "lost %.0f s", (double)ns / 1e9);
}

int
top_host_at(const struct top_job *job, int place)
{
	return (top_lost(job) + 1 + place) % job->hosts;
}

static bool
warn_cable(const struct top_job *job, int *i, char *s, size_t len)
{
	int lost = top_lost(job);
	char text[32];

	if (lost < 0 || (*i)-- != 0)
		return false;
	top_lost_text(job, text, sizeof(text));
	snprintf(s, len, "the cable between host %d and host %d is %s: the ring is a line", lost,
		 (lost + 1) % job->hosts, text);
	return true;
}

static bool
warn_host(const struct top_job *job, int host, int *i, char *s, size_t len)
{
	static const char *const names[] = {"left", "right"};
	const struct top_host *h = &job->now.host[host];
	int side;

	if (h->fd < 0 && (*i)-- == 0) {
		snprintf(s, len, "host %d does not answer", host);
		return true;
	}
	for (side = 0; side < 2 && h->fd >= 0; side++) {
		const struct top_link *l = &h->link[side];

		if (l->there && !l->up && !l->lost && (*i)-- == 0) {
			snprintf(s, len, "host %d: its %s link is down", host, names[side]);
			return true;
		}
		if (l->dropped > 0 && (*i)-- == 0) {
			snprintf(s, len, "host %d: %llu frames from the %s make no sense", host,
				 (unsigned long long)l->dropped, names[side]);
			return true;
		}
	}
	return false;
}

bool
top_warning(const struct top_job *job, int i, char *s, size_t len)
{
	int host;

	if (warn_cable(job, &i, s, len))
		return true;
	for (host = 0; host < job->hosts; host++)
		if (warn_host(job, host, &i, s, len))
			return true;
	return false;
}

void
top_human(char *s, size_t len, double v, const char *unit)
{
	static const char prefix[] = " kMGT";
	unsigned int p = 0;
	int digits;

	while (v >= 999.5 && p + 2 < sizeof(prefix)) {
		v /= 1000;
		p++;
	}
	if (v == 0 || (p == 0 && v >= 10))
		digits = 0;
	else
		digits = v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
	snprintf(s, len, "%.*f %.*s%s", digits, v, p > 0 ? 1 : 0, &prefix[p], unit);
}
