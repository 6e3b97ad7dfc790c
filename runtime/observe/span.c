/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "observe/span.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/limit.h"
#include "base/state.h"
#include "base/thread.h"
#include "observe/stats.h"
#include "observe/trace_file.h"

__thread struct rb_trace_track *rb_trace_self;

static struct rb_trace_file *file;

int
rb_trace_open(void)
{
	int fd = rb.env.trace.fd;
	void *va;

	if (fd < 0)
		return 0;
	if (rb_limit_check(sizeof(*file)) < 0)
		return -EFBIG;
	/* a sparse file: only written pages take memory */
	if (ftruncate(fd, sizeof(*file)) < 0)
		return rb_fail(-errno, "RINGBELL_TRACE_FD=%d: %s", fd, strerror(errno));
	va = mmap(NULL, sizeof(*file), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (va == MAP_FAILED)
		return rb_fail(-errno, "RINGBELL_TRACE_FD=%d: %s", fd, strerror(errno));
	rb_file_close(&rb.env.trace);
	file = va;
	file->records = RB_TRACE_RECORDS;
	file->magic = RB_TRACE_MAGIC;
	rb.instrument |= RB_INSTRUMENT_TRACE;
	return 0;
}

/* The track of the calling thread. NULL: all tracks are taken. */
static struct rb_trace_track *
own_track(void)
{
	unsigned int slot;

	if (likely(rb_trace_self != NULL))
		return rb_trace_self;
	slot = rb_stats_slot();
	if (slot >= RB_TRACE_TRACKS) {
		__atomic_fetch_add(&file->lost, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	rb_trace_self = &file->track[slot];
	rb_trace_self->service = rb_thread_is_service();
	return rb_trace_self;
}

static void
add_record(struct rb_trace_track *t, const struct rb_trace_record *r)
{
	t->record[t->head % RB_TRACE_RECORDS] = *r;
	/* release, after the record: the launcher may read the file of a killed PE */
	__atomic_store_n(&t->head, t->head + 1, __ATOMIC_RELEASE);
}

static void
end_run(struct rb_trace_track *t)
{
	if (t->run.kind == RB_TRACE_NONE)
		return;
	add_record(t, &t->run);
	t->run.kind = RB_TRACE_NONE;
}

/* Adds an operation to the run; the clock was read for it. */
static void
extend_run(struct rb_trace_track *t, uint64_t bytes, uint64_t now)
{
	struct rb_trace_record *run = &t->run;
	uint32_t n = run->count + 1u;

	run->count = (uint16_t)n;
	run->bytes += bytes;
	run->end = now;
	n += RTE_MIN(n, (uint32_t)RB_TRACE_BLIND) - 1;
	t->blind = RTE_MIN(n, (uint32_t)RB_TRACE_RUN);
}

struct rb_span
rb_span_start(enum rb_trace_kind kind, int peer, uint64_t bytes)
{
	struct rb_trace_track *t = own_track();
	struct rb_trace_record *run;
	struct rb_span span = {.bytes = bytes, .peer = (uint32_t)peer, .kind = (uint16_t)kind};
	uint64_t now = rb_trace_clock();

	if (unlikely(t == NULL))
		return span;
	run = &t->run;
	span.begin = now;
	/* nested: the thread relays a frame while its own operation waits for credits */
	if (t->open != 0)
		return span;
	if (run->kind == kind && run->peer == span.peer && bytes < RB_TRACE_LONG &&
	    run->count < RB_TRACE_RUN && now - run->end < RB_TRACE_CLOSE) {
		extend_run(t, bytes, now);
		span.begin = 0;
		return span;
	}
	end_run(t);
	*run = (struct rb_trace_record){.begin = now,
					.end = now,
					.bytes = bytes,
					.peer = span.peer,
					.count = 1,
					.kind = span.kind};
	t->open = now;
	t->blind = 0;
	return span;
}

void
rb_span_stop(const struct rb_span *span)
{
	struct rb_trace_track *t = own_track();
	uint64_t now = rb_trace_clock();

	if (t->open == span->begin) {
		t->run.end = now;
		t->open = 0;
		t->blind = 1;
		if (span->bytes >= RB_TRACE_LONG)
			end_run(t);
		return;
	}
	add_record(t, &(struct rb_trace_record){.begin = span->begin,
						.end = now,
						.bytes = span->bytes,
						.peer = span->peer,
						.count = 1,
						.kind = span->kind});
}

void
rb_span_drop(const struct rb_span *span)
{
	struct rb_trace_track *t = rb_trace_self;

	if ((rb.instrument & RB_INSTRUMENT_TRACE) == 0 || t == NULL)
		return;
	if (span->begin == 0) {
		t->run.count--;
		t->run.bytes -= span->bytes;
	} else if (t->open == span->begin) {
		t->run.kind = RB_TRACE_NONE;
		t->open = 0;
	}
}

uint64_t
rb_span_enter(void)
{
	struct rb_trace_track *t = (rb.instrument & RB_INSTRUMENT_TRACE) != 0 ? own_track() : NULL;

	if (t != NULL && t->open == 0)
		end_run(t);
	return rb_trace_clock();
}

uint64_t
rb_span_leave(enum rb_trace_kind kind, uint64_t begin)
{
	struct rb_trace_track *t = (rb.instrument & RB_INSTRUMENT_TRACE) != 0 ? own_track() : NULL;
	uint64_t now = rb_trace_clock();

	if (t == NULL)
		return now - begin;
	if (t->open == 0)
		end_run(t);
	add_record(t, &(struct rb_trace_record){.begin = begin,
						.end = now,
						.peer = (uint32_t)rb.pe,
						.count = 1,
						.kind = (uint16_t)kind});
	return now - begin;
}
