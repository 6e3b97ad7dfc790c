/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "trace.h"

enum {
	TRACKS = 16, /* of a PE; the first is that of its program */
	MAX_COUNT = 65535,
};

/* What times of picoseconds in 64 bits can hold also where a CPU is a hundred times slower, and
 * bytes that a run ends with: hours, and more than a heap has. */
static const double max_us = 5e10, max_bytes = 0x1p36;

static const char *const kinds[TRACE_KINDS] = {
	[TRACE_PUT] = "put",	   [TRACE_GET] = "get",
	[TRACE_ATOMIC] = "atomic", [TRACE_ATOMIC_NBI] = "atomic_nbi",
	[TRACE_WAIT] = "wait",	   [TRACE_BARRIER] = "barrier",
};

static const char no_memory[] = "no memory";

static enum trace_kind
kind_of(const char *name)
{
	unsigned int kind;

	for (kind = 0; kind < TRACE_KINDS; kind++)
		if (name && strcmp(name, kinds[kind]) == 0)
			break;
	return kind;
}

static const char *
add_span(struct trace_pe *pe, const struct trace_span *span)
{
	struct trace_span *more;

	if (pe->n == pe->room) {
		pe->room = pe->room ? 2 * pe->room : 64;
		more = realloc(pe->span, pe->room * sizeof(*more));
		if (!more)
			return no_memory;
		pe->span = more;
	}
	pe->span[pe->n++] = *span;
	return NULL;
}

static bool
read_number(const json_t *dict, const char *name, double max, double *ret)
{
	const json_t *v = json_object_get(dict, name);

	*ret = json_number_value(v);
	return json_is_number(v) && *ret >= 0 && *ret <= max;
}

/* The span of a transfer has the PE at the other end. */
static bool
read_transfer(const json_t *event, struct trace_span *span)
{
	const json_t *args = json_object_get(event, "args");
	double pe, bytes, count;

	span->count = 1;
	if (span->kind >= TRACE_WAIT)
		return true;
	if (!read_number(args, "pe", TRACE_PES - 1, &pe) ||
	    !read_number(args, "bytes", max_bytes, &bytes) ||
	    !read_number(args, "count", MAX_COUNT, &count) || count < 1)
		return false;
	span->pe = (unsigned int)pe;
	span->bytes = (uint64_t)bytes;
	span->count = (unsigned int)count;
	return true;
}

/* @return what is wrong with an event, or NULL */
static const char *
read_event(struct trace *t, const json_t *event)
{
	const char *phase = json_string_value(json_object_get(event, "ph"));
	struct trace_span span = {
		.kind = kind_of(json_string_value(json_object_get(event, "name")))};
	double tid, length;
	unsigned int pe;

	if (!json_is_object(event) || !phase)
		return "an event without a phase";
	/* other events do not belong to the program: a relay, a name, a cable */
	if (strcmp(phase, "X") != 0 || span.kind == TRACE_KINDS)
		return NULL;
	if (!read_number(event, "tid", TRACE_PES * TRACKS - 1, &tid) ||
	    !read_number(event, "ts", max_us, &span.begin) ||
	    !read_number(event, "dur", max_us, &length) || !read_transfer(event, &span))
		return "a span whose numbers make no sense";
	pe = (unsigned int)tid / TRACKS;
	if (pe >= t->pes)
		t->pes = pe + 1;
	if (span.kind < TRACE_WAIT && span.pe >= t->pes)
		t->pes = span.pe + 1;
	if ((unsigned int)tid % TRACKS != 0)
		return "a PE with several threads";
	span.end = span.begin + length;
	return add_span(&t->pe[pe], &span);
}

/* Longer ones first where two begin together: they contain the others. */
static int
compare_spans(const void *a, const void *b)
{
	const struct trace_span *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->end > y->end ? -1 : x->end < y->end;
}

/* Keep the spans that lie in no other one, after the first barrier. */
static void
trim_spans(struct trace *t, struct trace_pe *pe)
{
	size_t i, n = 0;
	double until = 0;

	qsort(pe->span, pe->n, sizeof(*pe->span), compare_spans);
	for (i = 0; i < pe->n && pe->span[i].kind != TRACE_BARRIER; i++)
		;
	if (i < pe->n) {
		until = pe->span[i].end;
		t->begin = fmax(t->begin, until);
	}
	for (i = i < pe->n ? i + 1 : 0; i < pe->n; i++) {
		if (pe->span[i].begin < until)
			continue;
		until = pe->span[i].end;
		pe->barriers += pe->span[i].kind == TRACE_BARRIER;
		pe->span[n++] = pe->span[i];
	}
	pe->n = n;
	t->end = fmax(t->end, until);
}

static const char *
read_events(struct trace *t, const json_t *all)
{
	const json_t *events = json_object_get(all, "traceEvents"), *event;
	const char *wrong = NULL;
	unsigned int i;
	size_t n;

	if (!json_is_array(events))
		return "not a trace of oshrun --trace";
	if (json_integer_value(json_object_get(json_object_get(all, "otherData"), "lost")) != 0)
		return "the trace lacks its first records: trace a shorter run";
	json_array_foreach(events, n, event)
	{
		wrong = read_event(t, event);
		if (wrong)
			return wrong;
	}
	for (i = 0; i < t->pes; i++)
		trim_spans(t, &t->pe[i]);
	for (i = 0; i < t->pes; i++)
		if (t->pe[i].barriers != t->pe[0].barriers)
			return "PEs have passed different numbers of barriers";
	return t->pes == 0 || t->end <= t->begin ? "no program in it" : NULL;
}

int
trace_load(struct trace *ret, const char *name)
{
	json_error_t error;
	json_t *all = json_load_file(name, JSON_REJECT_DUPLICATES, &error);
	const char *wrong = no_memory;

	*ret = (struct trace){.pe = calloc(TRACE_PES, sizeof(*ret->pe))};
	if (!all) {
		fprintf(stderr, "ringbell-sim: %s: %s\n", name, error.text);
		trace_free(ret);
		return -EINVAL;
	}
	if (ret->pe)
		wrong = read_events(ret, all);
	json_decref(all);
	if (!wrong)
		return 0;
	fprintf(stderr, "ringbell-sim: %s: %s\n", name, wrong);
	trace_free(ret);
	return wrong == no_memory ? -ENOMEM : -EINVAL;
}

void
trace_free(struct trace *t)
{
	unsigned int i;

	for (i = 0; t->pe && i < TRACE_PES; i++)
		free(t->pe[i].span);
	free(t->pe);
	t->pe = NULL;
}
