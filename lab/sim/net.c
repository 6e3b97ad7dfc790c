/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/wire.h"
#include "net.h"
#include "thread.h"

/* The bandwidth of a link is that of payload in large packets. Small packets take as long as these
 * bytes: their payload, at the raw rate of the link, and their head. */
enum {
	WORD = 3,  /**< a store of one word */
	LINE = 50, /**< a descriptor */
};

void
sim_break(struct sim *s, const char *rule)
{
	if (!s->broken)
		s->broken = rule;
}

static uint64_t
small_arrival(struct sim_thread *t, unsigned int port, uint64_t bytes)
{
	struct sim *s = t->s;
	struct sim_link *l = &t->host->link[port];
	uint64_t now = s->q.now + t->more, wire;

	bytes += s->p.head;
	wire = sim_time(bytes, s->p.bandwidth);
	t->more += s->p.store;
	l->free = (l->free > now ? l->free : now) + wire;
	l->bytes += bytes;
	return now + s->p.store + wire + s->p.latency;
}

void
sim_store(struct sim_thread *t, unsigned int port, const struct event *landing)
{
	struct event e = *landing;

	e.at = small_arrival(t, port, WORD);
	event_add(&t->s->q, &e);
}

uint32_t
sim_free(const struct sim_host *h, unsigned int port, enum sim_ring ring)
{
	const struct sim_tx *tx = &h->tx[port][ring];

	if (tx->pos - tx->credit > h->s->p.slots)
		sim_break(h->s, "more slots in use than there are");
	return rb_rule_free(tx->pos, tx->credit, h->s->p.slots);
}

static void
land_frame(void *host, void *rx, uint64_t v)
{
	struct sim_host *h = host;

	(void)v;
	((struct sim_rx *)rx)->tail++;
	sim_thread_wake(&h->service.thread);
}

void
sim_commit(struct sim_thread *t, unsigned int port, enum sim_ring ring, const struct sim_frame *f)
{
	struct sim *s = t->s;
	struct sim_host *to = &s->host[sim_peer(t->host, port)];
	struct sim_tx *tx = &t->host->tx[port][ring];
	struct sim_rx *rx = &to->rx[sim_peer_port(t->host, port)][ring];
	struct event e = {.fn = land_frame, .a = to, .b = rx};

	if (sim_free(t->host, port, ring) == 0)
		sim_break(s, "a frame without a slot");
	if (tx->pos - rx->head >= s->p.slots)
		sim_break(s, "a slot filled before it was read");
	rx->slot[tx->pos % s->p.slots] = *f;
	tx->pos++;
	t->host->link[port].requests += ring != SIM_REPLY && ring != SIM_ANSWER;
	e.at = small_arrival(t, port,
			     LINE + (f->op == SIM_F_GET && f->parts > 1 ? f->parts * RB_PART : 0));
	if (e.at < t->lands)
		e.at = t->lands;
	if (e.at < tx->lands)
		e.at = tx->lands;
	tx->lands = e.at;
	event_add(&s->q, &e);
}

static void
land_credit(void *host, void *tx, uint64_t credit)
{
	struct sim_host *h = host;
	struct sim_tx *to = tx;
	bool own = (to - h->tx[0]) % SIM_RINGS == SIM_OWN;

	if ((uint32_t)credit - to->credit > to->pos - to->credit)
		sim_break(h->s, "credit for slots that were not used");
	to->credit = (uint32_t)credit;
	if (own && (h->app.state == SIM_ISSUE || h->app.state == SIM_HELD))
		sim_thread_wake(&h->app.thread);
	else if (!own || h->app.gathered > 0)
		sim_thread_wake(&h->service.thread);
}

void
sim_credit(struct sim_thread *t, unsigned int port, enum sim_ring ring, bool turn_ends)
{
	struct sim *s = t->s;
	struct sim_rx *rx = &t->host->rx[port][ring];
	struct event e = {.fn = land_credit, .v = rx->head};
	struct sim_host *to;

	if (!rb_rule_credit_due(rx->head - rx->returned, s->p.slots, turn_ends))
		return;
	to = &s->host[sim_peer(t->host, port)];
	e.a = to;
	e.b = &to->tx[sim_peer_port(t->host, port)][ring];
	rx->returned = rx->head;
	sim_store(t, port, &e);
}

static void
land_bytes(void *sim, void *none, uint64_t bytes)
{
	(void)none;
	((struct sim *)sim)->r.delivered += bytes;
}

void
sim_deliver(struct sim *s, uint64_t at, uint64_t bytes)
{
	const struct event e = {.at = at, .fn = land_bytes, .a = s, .v = bytes};

	event_add(&s->q, &e);
}
