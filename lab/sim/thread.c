/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdlib.h>

#include "thread.h"

enum {
	/* A thread yields after this time; the scheduler runs a thread soon after its wake-up. */
	SLICE = 100 * 1000 * SIM_NS,
};

uint64_t
sim_random(struct sim *s)
{
	uint64_t z = s->random += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

int
sim_cpus_init(struct sim *s)
{
	s->queue_end = &s->queue;
	if (s->p.cpus == 0)
		return 0;
	s->cpu = calloc(s->p.cpus, sizeof(*s->cpu));
	s->cpu_last = calloc(s->p.cpus, sizeof(*s->cpu_last));
	return s->cpu && s->cpu_last ? 0 : -ENOMEM;
}

static void run_next(void *thread, void *none, uint64_t v);

static void
run_at(struct sim_thread *t, uint64_t at)
{
	const struct event e = {.at = at, .fn = run_next, .a = t};

	event_add(&t->s->q, &e);
}

static void
enqueue_thread(struct sim_thread *t)
{
	t->queued = true;
	t->next = NULL;
	*t->s->queue_end = t;
	t->s->queue_end = &t->next;
}

static void
take_cpu(struct sim_thread *t, int cpu, uint64_t delay)
{
	t->cpu = cpu;
	t->since = t->s->q.now;
	t->s->cpu[cpu] = t;
	t->s->cpu_last[cpu] = t;
	run_at(t, t->s->q.now + delay);
}

/* The next one in the queue gets the CPU of @p t. */
static void
hand_over(struct sim_thread *t)
{
	struct sim *s = t->s;
	struct sim_thread *next = s->queue;
	int cpu = t->cpu;

	t->cpu = -1;
	s->cpu[cpu] = NULL;
	if (!next)
		return;
	s->queue = next->next;
	if (!s->queue)
		s->queue_end = &s->queue;
	next->queued = false;
	take_cpu(next, cpu, s->p.wake);
}

/* A thread that polls on an idle CPU sees an event at once; a sleeping one has to be woken. */
static void
find_cpu(struct sim_thread *t)
{
	struct sim *s = t->s;
	int cpu, idle = -1;

	for (cpu = 0; cpu < (int)s->p.cpus; cpu++) {
		if (s->cpu[cpu])
			continue;
		if (s->cpu_last[cpu] == t && s->q.now - t->since < SLICE) {
			take_cpu(t, cpu, sim_random(s) % (s->p.turn + 1));
			return;
		}
		idle = cpu;
	}
	if (idle >= 0)
		take_cpu(t, idle, s->p.wake);
	else
		enqueue_thread(t);
}

static void
run_next(void *thread, void *none, uint64_t v)
{
	struct sim_thread *t = thread;

	(void)none;
	(void)v;
	if (t->cpu >= 0 && t->s->queue && t->s->q.now - t->since >= SLICE) {
		hand_over(t);
		enqueue_thread(t);
		return;
	}
	t->step(t);
}

void
sim_thread_start(struct sim_thread *t)
{
	t->cpu = -1;
	if (t->s->p.cpus)
		find_cpu(t);
	else
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
	t->since = t->s->q.now;
	if (t->cpu >= 0)
		hand_over(t);
}

void
sim_thread_wake(struct sim_thread *t)
{
	if (!t->parked) {
		t->news = true;
		return;
	}
	t->parked = false;
	if (t->s->p.cpus)
		find_cpu(t);
	else /* somewhere in the turn of its poll */
		run_at(t, t->s->q.now + sim_random(t->s) % (t->s->p.turn + 1));
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
	uint64_t now = t->s->q.now, n = t->left < p->segment ? t->left : p->segment;
	uint64_t core = now + sim_time(n, p->copy), wire = sim_time(n, p->bandwidth);
	uint64_t ahead = sim_time(p->posted, p->bandwidth);
	struct sim_link *l = t->link;
	struct event e = {.fn = copy_segment, .a = t};

	(void)none;
	(void)v;
	l->free = (l->free > now ? l->free : now) + wire;
	l->bytes += n;
	t->lands = l->free + p->latency;
	e.at = l->free > ahead + core ? l->free - ahead : core;
	t->left -= n;
	if (t->left > 0)
		event_add(&t->s->q, &e);
	else
		run_at(t, e.at);
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
