/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdio.h>

#include "top.h"

/* --openmetrics: the counters of all hosts, links and PEs as Prometheus reads them. A family of
 * metrics stands together, so each goes through all links or PEs. */

enum unit {
	COUNT,
	BYTES,
	NANOSECONDS,
};

struct metric {
	const char *name, *help;
	enum unit unit;
	bool gauge;
	uint64_t (*link)(const struct top_link *l);
	uint64_t (*pe)(const struct top_pe *p);
};

#define LINK(field)                                            \
	static uint64_t link_##field(const struct top_link *l) \
	{                                                      \
		return l->field;                               \
	}
LINK(up)
LINK(lost)
LINK(bytes)
LINK(messages)
LINK(load_bytes)
LINK(loads)
LINK(relayed)
LINK(stored)
LINK(queued)
LINK(retries)
LINK(dropped)
#undef LINK

#define PE(field)                                          \
	static uint64_t pe_##field(const struct top_pe *p) \
	{                                                  \
		return p->field;                           \
	}
PE(puts)
PE(put_bytes)
PE(gets)
PE(get_bytes)
PE(atomics)
PE(barriers)
PE(wait_ns)
PE(blocked_ns)
#undef PE

static const struct metric metrics[] = {
	{"link_up", "1: the link is up", COUNT, true, link_up, NULL},
	{"link_lost", "1: the job goes on without this cable", COUNT, true, link_lost, NULL},
	{"link_sent_bytes", "Bytes that left by the link", BYTES, false, link_bytes, NULL},
	{"link_sent_messages", "Frames and stores that left by the link", COUNT, false,
	 link_messages, NULL},
	{"link_loaded_bytes", "Bytes fetched by loads through the link", BYTES, false,
	 link_load_bytes, NULL},
	{"link_loads", "Loads through the link", COUNT, false, link_loads, NULL},
	{"link_relayed_bytes", "Bytes that came in by the link and were passed on", BYTES, false,
	 link_relayed, NULL},
	{"link_relay_stored_bytes", "Bytes of other hosts stored through the link", BYTES, false,
	 link_stored, NULL},
	{"link_queued_frames", "Frames that wait for the link", COUNT, true, link_queued, NULL},
	{"link_retries", "Frames that had to wait for a slot", COUNT, false, link_retries, NULL},
	{"link_dropped_frames", "Frames that no host of this job sends", COUNT, false, link_dropped,
	 NULL},
	{"pe_puts", "Puts", COUNT, false, NULL, pe_puts},
	{"pe_put_bytes", "Bytes put", BYTES, false, NULL, pe_put_bytes},
	{"pe_gets", "Gets", COUNT, false, NULL, pe_gets},
	{"pe_get_bytes", "Bytes got", BYTES, false, NULL, pe_get_bytes},
	{"pe_atomics", "Atomics", COUNT, false, NULL, pe_atomics},
	{"pe_barriers", "Barriers", COUNT, false, NULL, pe_barriers},
	{"pe_wait_seconds", "Time in waits", NANOSECONDS, false, NULL, pe_wait_ns},
	{"pe_blocked_seconds", "How long the longest wait of now has lasted", NANOSECONDS, true,
	 NULL, pe_blocked_ns},
};

static void
print_head(const char *name, const char *help, enum unit unit, bool gauge)
{
	static const char *const units[] = {
		[BYTES] = "bytes",
		[NANOSECONDS] = "seconds",
	};

	printf("# TYPE ringbell_%s %s\n", name, gauge ? "gauge" : "counter");
	if (units[unit] != NULL)
		printf("# UNIT ringbell_%s %s\n", name, units[unit]);
	printf("# HELP ringbell_%s %s\n", name, help);
}

static void
print_value(const struct metric *m, uint64_t v)
{
	if (m->unit == NANOSECONDS)
		printf(" %llu.%09llu\n", (unsigned long long)(v / 1000000000u),
		       (unsigned long long)(v % 1000000000u));
	else
		printf(" %llu\n", (unsigned long long)v);
}

static void
print_links(const struct top_job *job, const struct metric *m)
{
	static const char *const names[] = {"left", "right"};
	int host, side;

	for (host = 0; host < job->hosts; host++)
		for (side = 0; side < 2; side++) {
			const struct top_link *l = &job->now.host[host].link[side];

			if (job->now.host[host].fd < 0 || !l->there)
				continue;
			printf("ringbell_%s%s{job_id=\"%s\",host=\"%d\",link=\"%s\"}", m->name,
			       m->gauge ? "" : "_total", job->id, host, names[side]);
			print_value(m, m->link(l));
		}
}

static void
print_pes(const struct top_job *job, const struct metric *m)
{
	int pe;

	for (pe = 0; pe < job->pes; pe++) {
		const struct top_pe *p = &job->now.pe[pe];

		if (!p->there)
			continue;
		printf("ringbell_%s%s{job_id=\"%s\",host=\"%d\",pe=\"%d\"}", m->name,
		       m->gauge ? "" : "_total", job->id, p->host, pe);
		print_value(m, m->pe(p));
	}
}

int
top_metrics(const struct top_job *job)
{
	unsigned int i;
	int host;

	print_head("host_answers", "1: the host answers", COUNT, true);
	for (host = 0; host < job->hosts; host++)
		printf("ringbell_host_answers{job_id=\"%s\",host=\"%d\"} %d\n", job->id, host,
		       job->now.host[host].fd >= 0);
	for (i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
		print_head(metrics[i].name, metrics[i].help, metrics[i].unit, metrics[i].gauge);
		(metrics[i].link != NULL ? print_links : print_pes)(job, &metrics[i]);
	}
	puts("# EOF");
	return fflush(stdout) == 0 ? 0 : -errno;
}
