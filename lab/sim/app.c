/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* The program of a host: op/put.c, op/get.c, op/order.c, op/barrier.c, with time. */

#include "app.h"
#include "gather.h"
#include "net.h"
#include "thread.h"

static bool
is_neighbour(const struct sim_app *a)
{
	const struct sim_host *h = a->thread.host;

	return rb_graph_hops(&h->s->graph, h->id, a->op.peer) == 1;
}

/* Does the CPU do it with a load, or an atomic of its own? */
static bool
is_load(const struct sim_app *a)
{
	bool can = a->op.kind == SIM_GET ? a->thread.s->p.memory : a->thread.s->p.atomics;

	return a->op.peer == a->thread.host->id ||
	       (a->op.kind != SIM_PUT && can && is_neighbour(a));
}

static void
load_memory(struct sim_app *a)
{
	struct sim *s = a->thread.s;
	uint64_t way = a->op.peer == a->thread.host->id ? 0 : s->p.latency,
		 time = way + sim_time(a->op.len, s->p.copy);

	if (a->op.kind == SIM_ATOMIC || a->op.kind == SIM_ATOMIC_NBI)
		sim_app_message(&s->host[a->op.peer].app, a->thread.host->id, s->q.now + time);
	sim_deliver(s, s->q.now + time, a->op.len);
	sim_thread_busy(&a->thread, time + s->p.turn);
}

static void
begin_transfer(struct sim_app *a)
{
	struct sim *s = a->thread.s;
	struct sim_host *h = a->thread.host;

	s->r.asked += a->op.len;
	if (is_load(a)) {
		load_memory(a);
		return;
	}
	a->done = 0;
	a->port = rb_graph_next(&s->graph, h->id, RB_PORT_NONE, a->op.peer);
	if (a->op.kind == SIM_PUT && is_neighbour(a)) {
		a->state = SIM_DIRECT;
		a->direct[a->port] = true;
		h->link[a->port].requests++;
		sim_thread_copy(&a->thread, a->port, a->op.len, s->p.store);
		return;
	}
	a->piece = rb_rule_piece(a->op.len, s->p.chunk, s->p.pieces);
	a->state = SIM_ISSUE;
	a->thread.step(&a->thread);
}

static void
issue_op(struct sim_app *a)
{
	struct sim_host *h = a->thread.host;
	uint64_t left = a->op.len - a->done;

	if (left == 0) {
		a->state = a->op.kind == SIM_PUT ? SIM_FETCH : SIM_WAIT;
		sim_thread_busy(&a->thread, 0);
		return;
	}
	if (sim_free(h, a->port, SIM_OWN) == 0) {
		sim_thread_park(&a->thread);
		return;
	}
	if (left < a->piece)
		a->piece = (uint32_t)left;
	a->state = SIM_WRITTEN;
	sim_thread_copy(&a->thread, a->port, a->op.kind == SIM_PUT ? a->piece : 0, h->s->p.frame);
}

static void
note_written(struct sim_app *a)
{
	bool put = a->op.kind == SIM_PUT;
	const struct sim_frame f = {
		.op = put ? SIM_F_PUT : SIM_F_GET,
		.src = a->thread.host->id,
		.dst = a->op.peer,
		.len = a->piece,
		.more = a->done + a->piece < a->op.len,
		.atomic = a->op.kind == SIM_ATOMIC,
		.word = !put && a->op.len <= 8 && a->pending == 0 && a->acked == a->issued,
	};

	sim_commit(&a->thread, a->port, SIM_OWN, &f);
	a->issued += put;
	a->pending += !put;
	a->done += a->piece;
	a->state = SIM_ISSUE;
	issue_op(a);
}

static void
quiet_step(struct sim_app *a)
{
	struct sim_host *h = a->thread.host;
	uint64_t now = h->s->q.now, behind = 0;
	bool flush = false;
	unsigned int port;

	for (port = 0; port < h->s->ports; port++) {
		flush |= a->direct[port] && !h->s->p.memory;
		if (a->direct[port] && h->link[port].free > now + behind)
			behind = h->link[port].free - now;
		a->direct[port] = false;
	}
	a->state = SIM_WAIT;
	/* stores into memory are complete when the copy is */
	sim_thread_busy(&a->thread, flush ? behind + 2 * h->s->p.latency : 0);
}

static void
wait_all(struct sim_app *a)
{
	if (a->acked > a->issued)
		sim_break(a->thread.s, "more acknowledged than was issued");
	if (a->acked != a->issued || a->pending != 0) {
		sim_thread_park(&a->thread);
		return;
	}
	a->state = SIM_FETCH;
	sim_thread_busy(&a->thread, 0);
}

static void
land_word(void *app, void *word, uint64_t v)
{
	struct sim_app *a = app;
	uint64_t *w = word;

	if (v > *w)
		*w = v;
	if (a->state == SIM_MEET)
		sim_thread_wake(&a->thread);
}

/* @p to: in the program at the other end of the cable. */
static void
store_word(struct sim_app *a, unsigned int port, uint64_t word, uint64_t *to)
{
	struct sim_host *h = a->thread.host;
	const struct event e = {
		.fn = land_word, .a = &h->s->host[sim_peer(h, port)].app, .v = word, .b = to};

	sim_store(&a->thread, port, &e);
}

static struct sim_app *
app_beyond(const struct sim_app *a, unsigned int port)
{
	const struct sim_host *h = a->thread.host;

	return &h->s->host[sim_peer(h, port)].app;
}

static void
leave_meeting(struct sim_app *a)
{
	a->state = SIM_FETCH;
	sim_thread_busy(&a->thread, 0);
}

static void
meet_in_ring(struct sim_app *a)
{
	struct sim_host *h = a->thread.host;
	const uint8_t *port = h->s->graph.port[h->id];
	const uint64_t words[RB_RING_PORTS] = {a->word[port[RB_PORT_PREV]],
					       a->word[port[RB_PORT_NEXT]]};
	unsigned int side, stored = 0;

	for (side = 0; side < RB_RING_PORTS; side++) {
		if (a->next[side] == 0)
			continue;
		store_word(a, port[side], a->next[side],
			   &app_beyond(a, port[side])->word[sim_peer_port(h, port[side])]);
		a->next[side] = 0;
		stored++;
	}
	if (a->leave) {
		leave_meeting(a);
	} else {
		a->leave = rb_rule_barrier(&a->seen, words, a->epoch, h->s->p.hosts, a->next);
		if (a->leave || a->next[RB_PORT_PREV] || a->next[RB_PORT_NEXT] || stored)
			sim_thread_busy(&a->thread, 0);
		else
			sim_thread_park(&a->thread);
	}
}

/* What the host at the other end has not been told. */
static void
tell_port(struct sim_app *a, unsigned int port)
{
	struct sim_host *h = a->thread.host;
	unsigned int i;

	for (i = 0; i < h->s->p.hosts; i++)
		if (a->told[port][i] < a->heard[i]) {
			a->told[port][i] = a->heard[i];
			store_word(a, port, a->heard[i],
				   &app_beyond(a, port)->arrived[sim_peer_port(h, port)][i]);
		}
}

/* Each host tells all its neighbours which hosts have arrived, as far as it knows. */
static void
meet_by_spread(struct sim_app *a)
{
	struct sim_host *h = a->thread.host;
	bool all = true;
	unsigned int port, i;

	for (i = 0; i < h->s->p.hosts; i++) {
		for (port = 0; port < h->s->ports; port++)
			if (a->arrived[port][i] > a->heard[i])
				a->heard[i] = a->arrived[port][i];
		all = all && a->heard[i] >= a->epoch;
	}
	for (port = 0; port < h->s->ports; port++)
		if (h->s->graph.end[h->id][port].port != RB_PORT_NONE)
			tell_port(a, port);
	if (all)
		leave_meeting(a);
	else
		sim_thread_park(&a->thread);
}

static bool
on_ring(const struct sim_app *a)
{
	return a->thread.s->graph.kind == RB_GRAPH_RING;
}

static void
meet_step(struct sim_app *a)
{
	if (on_ring(a))
		meet_in_ring(a);
	else
		meet_by_spread(a);
}

static void
begin_meeting(struct sim_app *a)
{
	unsigned int hosts = a->thread.s->p.hosts;

	a->epoch++;
	a->state = SIM_MEET;
	a->leave = false;
	if (hosts == 1) {
		leave_meeting(a);
		return;
	}
	a->heard[a->thread.host->id] = a->epoch;
	if (on_ring(a)) {
		a->seen = (struct rb_arrivals){0};
		a->next[RB_PORT_PREV] = a->next[RB_PORT_NEXT] = rb_rule_arrival(a->epoch, 1, hosts);
	}
	a->thread.step(&a->thread);
}

static uint32_t *
count_of(const struct sim_app *a, unsigned int src)
{
	const struct sim_host *h = a->thread.host;

	return &h->s->messages[(size_t)h->id * h->s->p.hosts + src];
}

static void
expect_step(struct sim_app *a)
{
	if (*count_of(a, a->op.peer) < a->op.len) {
		a->state = SIM_EXPECT;
		sim_thread_park(&a->thread);
		return;
	}
	a->state = SIM_FETCH;
	sim_thread_busy(&a->thread, 0);
}

static void
land_message(void *app, void *none, uint64_t src)
{
	struct sim_app *a = app;

	(void)none;
	(*count_of(a, (unsigned int)src))++;
	if (a->state == SIM_EXPECT)
		sim_thread_wake(&a->thread);
}

void
sim_app_message(struct sim_app *a, unsigned int src, uint64_t at)
{
	const struct event e = {.at = at, .fn = land_message, .a = a, .v = src};

	event_add(&a->thread.s->q, &e);
}

static void
note_shares(struct sim *s)
{
	uint64_t least = s->host->placed, most = 1;
	const struct sim_host *h;

	for (h = s->host; h < s->host + s->p.hosts; h++) {
		least = h->placed < least ? h->placed : least;
		most = h->placed > most ? h->placed : most;
		s->r.placed[h->id] = h->placed;
	}
	s->r.share = (double)least / (double)most;
	s->r.until = s->q.now;
}

static void
held_step(struct sim_app *a)
{
	if (sim_free(a->thread.host, a->port, SIM_OWN) == 0) {
		sim_thread_park(&a->thread);
		return;
	}
	a->state = SIM_SENT;
	sim_thread_busy(&a->thread, a->thread.s->p.frame);
}

static void
send_gathered(struct sim_app *a, unsigned int dst)
{
	const struct sim_host *h = a->thread.host;

	a->to = dst;
	a->port = rb_graph_next(&h->s->graph, h->id, RB_PORT_NONE, dst);
	a->state = SIM_HELD;
	held_step(a);
}

static void
begin_gather(struct sim_app *a)
{
	if (is_load(a)) {
		begin_transfer(a);
		return;
	}
	a->thread.s->r.asked += a->op.len;
	if (sim_gather_add(a))
		send_gathered(a, a->op.peer);
	else
		sim_thread_busy(&a->thread, a->thread.s->p.store);
}

static void
begin_op(struct sim_app *a)
{
	unsigned int before = sim_gather_before(a);
	struct sim *s = a->thread.s;

	if (before < RB_MAX_HOSTS) {
		send_gathered(a, before);
		return;
	}
	if (a->op.kind == SIM_BARRIER && a->pending > 0) {
		sim_thread_park(&a->thread);
		return;
	}
	a->state = SIM_FETCH;
	switch (a->op.kind) {
	case SIM_PUT:
	case SIM_GET:
	case SIM_ATOMIC:
		begin_transfer(a);
		return;
	case SIM_ATOMIC_NBI:
		begin_gather(a);
		return;
	case SIM_COMPUTE:
		sim_thread_busy(&a->thread, a->op.len);
		return;
	case SIM_AWAIT:
		expect_step(a);
		return;
	case SIM_QUIET:
		quiet_step(a);
		return;
	case SIM_BARRIER:
		begin_meeting(a);
		return;
	case SIM_END:
	case SIM_KINDS:
		break;
	}
	a->state = SIM_OVER;
	if (s->running-- == s->p.hosts)
		note_shares(s);
	s->r.end = s->q.now;
	if (a->thread.host->id == 0)
		s->r.first = s->q.now;
	sim_thread_park(&a->thread);
}

static void
fetch_step(struct sim_app *a)
{
	struct sim *s = a->thread.s;

	if (a->i > 0 && s->program->took)
		s->program->took(s->program->ctx, a->thread.host->id, a->op.kind,
				 s->q.now - a->began);
	a->began = s->q.now;
	a->op = s->program->op(s->program->ctx, a->thread.host->id, a->i++);
	a->state = SIM_BEGIN;
	begin_op(a);
}

void
sim_app_acked(struct sim_app *a, uint32_t count)
{
	a->acked += count;
	if (a->state == SIM_WAIT)
		sim_thread_wake(&a->thread);
}

void
sim_app_got(struct sim_app *a, const struct sim_frame *f)
{
	if (a->pending-- == 0)
		sim_break(a->thread.s, "a reply without a request");
	if (f->parts > 0)
		a->gather[f->src].under_way--;
	if (a->state == SIM_WAIT || a->state == SIM_BEGIN)
		sim_thread_wake(&a->thread);
}

void
sim_app_step(struct sim_thread *t)
{
	struct sim_app *a = &t->host->app;

	switch (a->state) {
	case SIM_FETCH:
		fetch_step(a);
		break;
	case SIM_BEGIN:
		begin_op(a);
		break;
	case SIM_HELD:
		held_step(a);
		break;
	case SIM_SENT:
		sim_gather_send(a, t, a->port, a->to);
		a->state = a->op.kind == SIM_ATOMIC_NBI ? SIM_FETCH : SIM_BEGIN;
		sim_thread_busy(t, 0);
		break;
	case SIM_ISSUE:
		issue_op(a);
		break;
	case SIM_WRITTEN:
		note_written(a);
		break;
	case SIM_DIRECT:
		sim_deliver(t->s, t->lands, a->op.len);
		t->host->placed += a->op.len;
		sim_app_message(&t->s->host[a->op.peer].app, t->host->id, t->lands);
		a->state = SIM_FETCH;
		fetch_step(a);
		break;
	case SIM_WAIT:
		wait_all(a);
		break;
	case SIM_EXPECT:
		expect_step(a);
		break;
	case SIM_MEET:
		meet_step(a);
		break;
	case SIM_OVER:
		sim_thread_park(t); /* for good */
		break;
	}
}
