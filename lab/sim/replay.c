/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "match.h"
#include "replay.h"
#include "sim.h"

enum {
	CLASSES = 49,		/* of sizes, by powers of two */
	LARGE = 1024,		/* bytes of puts whose time is that of the copy */
	LINE_PS = 100 * SIM_NS, /* of a cache line from one CPU to another */
};

/* What a PE took longer than the ring needed, because a CPU of the machine that emulates the ring
 * was busy. Their order is drawn by lot, the same for all PEs: one busy CPU delays several of them.
 */
struct delays {
	double *us;
	size_t n, next;
};

/* Where a PE is in its trace. */
struct cursor {
	size_t span;
	unsigned int done; /* operations of the span; the computation before it is the first step */
	bool computed;
	double delay;	       /* us, before the next operation */
	unsigned int barriers; /* of a host without a PE */
};

struct player {
	const struct trace *t;
	const struct replay *r;
	struct match match;
	struct delays (*delays)[TRACE_KINDS]; /* by PE; NULL: another ring */
	double *met;			      /* by barrier: when its last PE came */
	struct cursor *cursor;		      /* by host */
	double least[TRACE_KINDS][CLASSES];   /* us of an operation of these sizes in a run */
	struct replay_result *result;
};

static unsigned int
class_of(const struct trace_span *s)
{
	uint64_t bytes = s->bytes / s->count;
	unsigned int rank = 0;

	for (; bytes > 0 && rank + 1 < CLASSES; bytes >>= 1)
		rank++;
	return rank;
}

/* Nothing waits for the operation in it: a run of them has computation between them. */
static bool
is_posted(const struct trace_span *s)
{
	return s->kind == TRACE_PUT || s->kind == TRACE_ATOMIC_NBI;
}

/* What the fastest of its kind and size did not need is computation. */
static void
find_least(struct player *pl)
{
	unsigned int pe, i;
	size_t n;

	for (i = 0; i < TRACE_KINDS * CLASSES; i++)
		pl->least[i / CLASSES][i % CLASSES] = HUGE_VAL;
	for (pe = 0; pe < pl->t->pes; pe++)
		for (n = 0; n < pl->t->pe[pe].n; n++) {
			const struct trace_span *s = &pl->t->pe[pe].span[n];
			double *least = &pl->least[s->kind][class_of(s)];

			if (is_posted(s))
				*least = fmin(*least, (s->end - s->begin) / s->count);
		}
}

static double
inner_computation(const struct player *pl, const struct trace_span *s)
{
	if (!is_posted(s) || s->count == 1)
		return 0;
	return s->end - s->begin - pl->least[s->kind][class_of(s)] * s->count;
}

/* The barriers of all PEs: when the last one came. */
static int
find_meetings(struct player *pl)
{
	unsigned int pe, n;
	size_t i;

	pl->met = calloc(pl->t->pe[0].barriers + 1, sizeof(*pl->met));
	if (!pl->met)
		return -ENOMEM;
	for (pe = 0; pe < pl->t->pes; pe++)
		for (i = 0, n = 0; i < pl->t->pe[pe].n; i++) {
			const struct trace_span *s = &pl->t->pe[pe].span[i];

			if (s->kind == TRACE_BARRIER) {
				pl->met[n] = fmax(pl->met[n], s->begin);
				n++;
			}
		}
	return 0;
}

/* How much longer a span took than the ring needed. */
static double
find_delay(const struct player *pl, unsigned int pe, size_t span, unsigned int barrier)
{
	const struct trace_span *s = &pl->t->pe[pe].span[span];
	const struct message *m = pl->match.wait[pe][span];

	switch (s->kind) {
	case TRACE_GET:
	case TRACE_ATOMIC:
		return s->end - s->begin;
	case TRACE_WAIT:
		return s->end - (m ? m->end : s->begin);
	case TRACE_BARRIER:
		return s->end - pl->met[barrier];
	default:
		return 0;
	}
}

static void
shuffle_delays(struct delays *d, uint64_t seed)
{
	size_t i, k;
	double us;

	for (i = d->n; i > 1; i--) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		k = (size_t)(seed >> 33) % i;
		us = d->us[k];
		d->us[k] = d->us[i - 1];
		d->us[i - 1] = us;
	}
}

static int
collect_delays(struct player *pl)
{
	unsigned int pe, kind, barrier;
	size_t i;

	pl->delays = calloc(pl->t->pes, sizeof(*pl->delays));
	if (!pl->delays || find_meetings(pl) < 0)
		return -ENOMEM;
	for (pe = 0; pe < pl->t->pes; pe++) {
		const struct trace_pe *of = &pl->t->pe[pe];

		for (kind = 0; kind < TRACE_KINDS; kind++) {
			pl->delays[pe][kind].us = calloc(of->n + 1, sizeof(double));
			if (!pl->delays[pe][kind].us)
				return -ENOMEM;
		}
		for (i = 0, barrier = 0; i < of->n; i++) {
			struct delays *d = &pl->delays[pe][of->span[i].kind];

			d->us[d->n++] = find_delay(pl, pe, i, barrier);
			barrier += of->span[i].kind == TRACE_BARRIER;
		}
		for (kind = 0; kind < TRACE_KINDS; kind++)
			shuffle_delays(&pl->delays[pe][kind], kind);
	}
	return 0;
}

static double
draw_delay(struct player *pl, unsigned int pe, enum trace_kind kind)
{
	struct delays *d = pl->delays ? &pl->delays[pe][kind] : NULL;

	return d && d->next < d->n ? d->us[d->next++] : 0;
}

static struct sim_op
compute_op(const struct player *pl, double us)
{
	return (struct sim_op){.kind = SIM_COMPUTE,
			       .len = us > 0 ? (uint64_t)(us * 1e6 / pl->r->cpu) : 0};
}

/* Operation number @p i of a span: all of them have its bytes. */
static struct sim_op
transfer_op(const struct player *pl, unsigned int pe, size_t span, unsigned int i)
{
	static const enum sim_kind kinds[TRACE_KINDS] = {
		[TRACE_PUT] = SIM_PUT,
		[TRACE_GET] = SIM_GET,
		[TRACE_ATOMIC] = SIM_ATOMIC,
		[TRACE_ATOMIC_NBI] = SIM_ATOMIC_NBI,
	};
	const struct trace_span *s = &pl->t->pe[pe].span[span];
	struct sim_op op = {
		.kind = kinds[s->kind],
		.peer = s->pe,
		.len = s->bytes / s->count + (i < s->bytes % s->count),
	};

	if (op.len == 0)
		op.len = 1;
	return op;
}

static struct sim_op
wait_op(const struct message *m)
{
	if (!m)
		return (struct sim_op){.kind = SIM_QUIET};
	return (struct sim_op){SIM_AWAIT, m->from, m->number};
}

/* A host without a PE only takes part in barriers. */
static struct sim_op
idle_op(const struct player *pl, struct cursor *c)
{
	if (c->barriers++ < pl->t->pe[0].barriers)
		return (struct sim_op){.kind = SIM_BARRIER};
	return (struct sim_op){.kind = SIM_END};
}

static struct sim_op
next_op(void *ctx, unsigned int host, uint64_t i)
{
	struct player *pl = ctx;
	struct cursor *c = &pl->cursor[host];
	const struct trace_pe *of = &pl->t->pe[host];
	const struct trace_span *s = &of->span[c->span];
	struct sim_op op;

	(void)i;
	if (host >= pl->t->pes)
		return idle_op(pl, c);
	if (c->span == of->n)
		return (struct sim_op){.kind = SIM_END};
	if (!c->computed) {
		double before = c->span == 0 ? pl->t->begin : of->span[c->span - 1].end;

		c->computed = true;
		return compute_op(pl, s->begin - before + inner_computation(pl, s) +
					      c->delay * pl->r->cpu);
	}
	if (s->kind == TRACE_BARRIER) {
		op = (struct sim_op){.kind = SIM_BARRIER};
	} else if (s->kind == TRACE_WAIT) {
		op = wait_op(pl->match.wait[host][c->span]);
	} else {
		op = transfer_op(pl, host, c->span, c->done++);
		if (c->done < s->count)
			return op;
	}
	c->delay = draw_delay(pl, host, s->kind);
	c->span++;
	c->done = 0;
	c->computed = false;
	return op;
}

static void
note_time(void *ctx, unsigned int host, enum sim_kind kind, uint64_t ps)
{
	struct player *pl = ctx;

	if (host < pl->t->pes)
		pl->result->spent[host][kind] += (double)ps / 1e6;
}

static int
init_player(struct player *pl, unsigned int hosts)
{
	int ret;

	pl->cursor = calloc(hosts, sizeof(*pl->cursor));
	if (!pl->cursor)
		return -ENOMEM;
	ret = match_waits(pl->t, &pl->match);
	find_least(pl);
	if (ret == 0 && pl->r->delayed)
		ret = collect_delays(pl);
	return ret;
}

static void
free_player(struct player *pl)
{
	unsigned int pe, kind;

	for (pe = 0; pe < pl->t->pes; pe++)
		for (kind = 0; pl->delays && kind < TRACE_KINDS; kind++)
			free(pl->delays[pe][kind].us);
	free(pl->delays);
	free(pl->met);
	match_free(&pl->match);
	free(pl->cursor);
}

int
replay_run(const struct trace *t, const struct sim_params *p, const struct replay *r,
	   struct replay_result *ret, const char **what)
{
	struct player pl = {.t = t, .r = r, .result = ret};
	const struct sim_program program = {.op = next_op, .ctx = &pl, .took = note_time};
	struct sim_result result;
	int error;

	memset(ret, 0, sizeof(*ret));
	error = init_player(&pl, p->hosts);
	*what = error == -E2BIG ? "too many operations" : "memory";
	if (error == 0)
		error = sim_run(p, &program, &result, what);
	if (error == 0) {
		ret->us = (double)result.end / 1e6;
		ret->busiest = result.busiest;
	}
	free_player(&pl);
	return error;
}

void
replay_own_ring(const struct trace *t, struct sim_params *p)
{
	double bytes = 0, time = 0;
	unsigned int pe;
	size_t i;

	p->memory = true;
	p->pieces = false;
	p->latency = LINE_PS;
	for (pe = 0; pe < t->pes; pe++)
		for (i = 0; i < t->pe[pe].n; i++) {
			const struct trace_span *s = &t->pe[pe].span[i];

			if (s->kind == TRACE_PUT && s->bytes / s->count >= LARGE) {
				bytes += (double)s->bytes;
				time += s->end - s->begin;
			}
		}
	if (time > 0)
		p->copy = p->bandwidth = fmax(1e6, bytes / time * 1e6);
}
