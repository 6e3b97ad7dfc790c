/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stddef.h>

#include "thread.h"

uint64_t
sim_random(struct sim *s)
{
	uint64_t z = s->random += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static void
run_step(void *thread, void *none, uint64_t v)
{
	struct sim_thread *t = thread;

	(void)none;
	(void)v;
	t->step(t);
}

static void
run_at(struct sim_thread *t, uint64_t at)
{
	const struct event e = {.at = at, .fn = run_step, .a = t};

	event_add(&t->s->q, &e);
}

void
sim_thread_start(struct sim_thread *t)
{
	run_at(t, t->s->q.now);
}

void
sim_thread_busy(struct sim_thread *t, uint64_t time)
{
	time += t->more;
	t->more = 0;
	run_at(t, t->s->q.now + time);
}

void
sim_thread_park(struct sim_thread *t)
{
	if (t->news || t->more) {
		t->news = false;
		sim_thread_busy(t, t->s->p.turn);
		return;
	}
	t->parked = true;
}

void
sim_thread_wake(struct sim_thread *t)
{
	if (!t->parked) {
		t->news = true;
		return;
	}
	t->parked = false;
	/* somewhere in the turn of its poll */
	run_at(t, t->s->q.now + sim_random(t->s) % (t->s->p.turn + 1));
}

enum {
	POLL = 200 * SIM_NS, /* of a program that waits */
};

static void next_segment(void *thread, void *none, uint64_t v);

/* What a program stores before it looks at its share, as op/put.c does; of others all. */
static uint32_t
next_part(const struct sim_thread *t)
{
	const struct sim_app *a = &t->host->app;

	if (t != &a->thread || a->state != SIM_DIRECT || t->left < RB_SHARE_PART)
		return (uint32_t)t->left;
	return RB_SHARE_PART;
}

/* A program leaves its share of the cable to those that its host relays for. */
static bool
has_to_wait(struct sim_thread *t)
{
	struct sim_host *h = t->host;
	unsigned int port = (unsigned int)(t->link - h->link);
	const struct rb_shares *s = &h->shares[port];
	bool busy = h->service.turn - s->sent < 2 && h->service.sends == port;

	return t == &h->app.thread && !t->s->p.memory &&
	       rb_share_paces(&h->sent[port], s->served, busy, t->part);
}

/*
 * A core writes faster than a link sends, until the buffers of posted writes on the way are full;
 * then it waits. So its copy ends when the link has sent all but the content of these buffers.
 */
static void
copy_segment(void *thread, void *none, uint64_t v)
{
	struct sim_thread *t = thread;
	const struct sim_params *p = &t->s->p;
	uint64_t now = t->s->q.now, core, ahead = sim_time(p->posted, p->bandwidth);
	struct sim_link *l = t->link;
	struct event e = {.fn = next_segment, .a = t};
	uint32_t n;

	(void)none;
	(void)v;
	if (t->part == 0) {
		t->part = next_part(t);
		if (has_to_wait(t)) {
			t->part = 0;
			e = (struct event){.fn = copy_segment, .a = t, .at = now + POLL};
			event_add(&t->s->q, &e);
			return;
		}
	}
	n = t->part < p->segment ? t->part : p->segment;
	core = now + sim_time(n, p->copy);
	l->free = (l->free > now ? l->free : now) + sim_time(n, p->bandwidth);
	l->bytes += n;
	t->lands = l->free + p->latency;
	e.at = l->free > ahead + core ? l->free - ahead : core;
	t->left -= n;
	t->part -= n;
	event_add(&t->s->q, &e);
}

static void
next_segment(void *thread, void *none, uint64_t v)
{
	struct sim_thread *t = thread;
	struct event e = {.fn = copy_segment, .a = t};

	if (t->between != NULL && t->left % RB_SPLIT == 0) /* words have a turn */
		t->between(t);
	e.at = t->s->q.now + t->more;
	if (t->left == 0)
		sim_thread_busy(t, 0);
	else if (t->more == 0)
		copy_segment(t, none, v);
	else
		event_add(&t->s->q, &e);
	t->more = 0;
}

void
sim_thread_copy(struct sim_thread *t, unsigned int port, uint64_t len, uint64_t time)
{
	struct event e = {.at = t->s->q.now + time + t->more, .fn = copy_segment, .a = t};

	t->link = &t->host->link[port];
	t->left = len;
	t->lands = 0;
	if (len == 0) {
		sim_thread_busy(t, time);
		return;
	}
	t->more = 0;
	event_add(&t->s->q, &e);
}
