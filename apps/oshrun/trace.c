/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "oshrun.h"
#include "observe/trace_file.h"

/*
 * --trace: the threads of all PEs write records into memory that they share with oshrun
 * (observe/trace_file.h). When all have ended, in whatever way, oshrun writes one file of it, in
 * the trace event format that chrome://tracing and ui.perfetto.dev read: a process for each host, a
 * thread for each track. All of that memory is untrusted.
 */

enum {
	CHUNK = 512, /* records read at once */
};

static const char *const names[RB_TRACE_KINDS] = {
	[RB_TRACE_PUT] = "put",	    [RB_TRACE_GET] = "get",
	[RB_TRACE_AMO] = "atomic",  [RB_TRACE_AMO_NBI] = "atomic_nbi",
	[RB_TRACE_RELAY] = "relay", [RB_TRACE_SERVE] = "serve",
	[RB_TRACE_WAIT] = "wait",   [RB_TRACE_BARRIER] = "barrier",
};

static struct {
	FILE *out;
	uint64_t tick[2];    /* rb_trace_clock() before the job and after it */
	int64_t ns[2];	     /* CLOCK_MONOTONIC at the same times */
	uint64_t events;     /* written, names included */
	uint64_t lost;	     /* that did not fit into a ring */
	uint64_t wrong;	     /* that no PE writes */
	const struct pe *pe; /* whose track it is */
	unsigned int track;
} t;

static void
look_at_clocks(int i)
{
	t.tick[i] = rb_trace_clock();
	t.ns[i] = now_ns();
}

int
trace_open(const struct options *opt)
{
	if (opt->trace == NULL)
		return 0;
	t.out = fopen(opt->trace, "we");
	if (t.out == NULL)
		return -errno;
	look_at_clocks(0);
	return 0;
}

int
trace_memory(const struct pe *pe)
{
	char name[32];
	int fd;

	if (t.out == NULL)
		return -1;
	snprintf(name, sizeof(name), "ringbell-trace-%d", pe->id);
	fd = memfd_create(name, MFD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Microseconds since the start of the job. */
static double
microseconds_of(uint64_t tick)
{
	double per_tick = (double)(t.ns[1] - t.ns[0]) / (double)(t.tick[1] - t.tick[0]);

	return (double)(tick - t.tick[0]) * per_tick / 1000;
}

static unsigned int
thread_id(void)
{
	return (unsigned int)t.pe->id * RB_TRACE_TRACKS + t.track;
}

static void
begin_event(void)
{
	fputs(t.events++ == 0 ? "\n" : ",\n", t.out);
}

static void
write_event(const struct rb_trace_record *r)
{
	if (r->kind == RB_TRACE_NONE || r->kind >= RB_TRACE_KINDS || r->begin < t.tick[0] ||
	    r->end < r->begin || r->end > t.tick[1]) {
		t.wrong++;
		return;
	}
	begin_event();
	fprintf(t.out,
		"{\"name\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%u,\"ts\":%.3f,\"dur\":%.3f",
		names[r->kind], t.pe->host, thread_id(), microseconds_of(r->begin),
		microseconds_of(r->end) - microseconds_of(r->begin));
	if (r->kind < RB_TRACE_WAIT)
		fprintf(t.out, ",\"args\":{\"pe\":%u,\"bytes\":%" PRIu64 ",\"count\":%u}", r->peer,
			r->bytes, r->count);
	fputs("}", t.out);
}

static void
write_name(const char *what, unsigned int tid, const char *name)
{
	begin_event();
	fprintf(t.out,
		"{\"name\":\"%s\",\"ph\":\"M\",\"pid\":%d,\"tid\":%u,\"args\":{\"name\":\"%s\"}}",
		what, t.pe->host, tid, name);
}

static bool
read_at(int fd, void *to, size_t len, size_t at)
{
	return pread(fd, to, len, (off_t)at) == (ssize_t)len;
}

/* Records @p from .. @p to of the ring at @p at. */
static void
write_records(int fd, size_t at, uint64_t from, uint64_t to)
{
	struct rb_trace_record r[CHUNK];

	while (from < to) {
		size_t first = from % RB_TRACE_RECORDS, n = RB_TRACE_RECORDS - first, i;

		n = n < CHUNK ? n : CHUNK;
		n = to - from < n ? to - from : n;
		if (!read_at(fd, r, n * sizeof(r[0]), at + first * sizeof(r[0])))
			return;
		for (i = 0; i < n; i++)
			write_event(&r[i]);
		from += n;
	}
}

static void
write_track(int fd, size_t at)
{
	struct {
		uint64_t head;
		uint32_t service, unused;
		struct rb_trace_record run;
	} head;
	char name[64];
	uint64_t from = 0;

	_Static_assert(offsetof(struct rb_trace_track, run) == 16, "as read here");
	if (!read_at(fd, &head, sizeof(head), at) ||
	    (head.head == 0 && head.run.kind == RB_TRACE_NONE))
		return;
	if (head.service == 1)
		snprintf(name, sizeof(name), "service lcore of host %d", t.pe->host);
	else if (t.track == 0)
		snprintf(name, sizeof(name), "PE %d", t.pe->id);
	else
		snprintf(name, sizeof(name), "PE %d thread %u", t.pe->id, t.track);
	write_name("thread_name", thread_id(), name);
	/* the oldest of a full ring may be half overwritten */
	if (head.head >= RB_TRACE_RECORDS) {
		from = head.head - RB_TRACE_RECORDS + 1;
		t.lost += from;
	}
	write_records(fd, at + offsetof(struct rb_trace_track, record), from, head.head);
	if (head.run.kind != RB_TRACE_NONE)
		write_event(&head.run);
}

static void
write_pe(const struct pe *pe)
{
	struct {
		uint32_t magic, records;
		uint64_t lost;
	} head;
	char name[32];

	t.pe = pe;
	/* a program that never started the library wrote nothing */
	if (pe->trace < 0 || !read_at(pe->trace, &head, sizeof(head), 0) ||
	    head.magic != RB_TRACE_MAGIC || head.records != RB_TRACE_RECORDS)
		return;
	t.lost += head.lost;
	snprintf(name, sizeof(name), "host %d", pe->host);
	write_name("process_name", 0, name);
	for (t.track = 0; t.track < RB_TRACE_TRACKS; t.track++)
		write_track(pe->trace, offsetof(struct rb_trace_file, track) +
					       t.track * sizeof(struct rb_trace_track));
}

/* No reader can use a partial file, so it is removed. A pipe or a device stays. */
static void
remove_part(const char *name)
{
	struct stat st;

	if (fstat(fileno(t.out), &st) == 0 && S_ISREG(st.st_mode))
		unlink(name);
}

int
trace_write(const struct job *job)
{
	bool whole;
	int ret = 0, i;

	if (t.out == NULL)
		return 0;
	look_at_clocks(1);
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", t.out);
	for (i = 0; i < job->n_pes; i++)
		write_pe(&job->pe[i]);
	fprintf(t.out, "\n],\"otherData\":{\"lost\":%" PRIu64 ",\"wrong\":%" PRIu64 "}}\n", t.lost,
		t.wrong);
	whole = fflush(t.out) == 0 && !ferror(t.out);
	if (!whole) {
		ret = errno == 0 ? -EIO : -errno;
		cli_say("cannot write %s: %s", job->opt->trace, strerror(-ret));
		remove_part(job->opt->trace);
	}
	fclose(t.out);
	if (t.lost != 0)
		fprintf(stderr,
			"oshrun: %s lacks the first %" PRIu64
			" records: a thread keeps its last %d\n",
			job->opt->trace, t.lost, RB_TRACE_RECORDS);
	if (t.wrong != 0)
		fprintf(stderr, "oshrun: %s lacks %" PRIu64 " records that make no sense\n",
			job->opt->trace, t.wrong);
	return ret;
}
