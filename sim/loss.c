/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdlib.h>

#include "loss.h"
#include "net.h"
#include "thread.h"

/* What hosts tell each other: the cable is lost, and each end of it has stopped. */
enum {
	LOST = 1,
	STOPPED = 2, /* shifted by the side of that end's port */
};

static unsigned int
other_stopped(const struct sim_loss *l)
{
	return STOPPED << (l->port ^ 1u);
}

static void learn_bits(void *host, void *none, uint64_t bits);

static void
tell_neighbour(struct sim_host *h, unsigned int side)
{
	struct sim *s = h->s;
	const struct event e = {.fn = learn_bits,
				.a = &s->host[sim_peer(h, side)],
				.v = h->loss.known,
				.at = s->q.now + s->p.store + s->p.latency +
				      sim_random(s) % (s->p.look + 1)};

	event_add(&s->q, &e);
}

static void
change_ways(struct sim_host *h)
{
	struct sim *s = h->s;
	unsigned int n = s->p.hosts, dst, side;

	for (side = 0; side < RB_SIDES; side++) {
		if (rb_rule_cable(h->id, side, n) != s->p.cable)
			continue;
		h->loss.end = true;
		h->loss.port = side;
	}
	for (dst = 0; dst < n; dst++)
		if (dst != h->id && rb_rule_route_without(s->p.cable, h->id, dst, n).side !=
					    topo_first(&s->topo, h->id, dst, 0))
			h->loss.moved |= 1ull << dst;
	s->r.told = s->q.now - s->p.cut_at;
}

static void
learn_bits(void *host, void *none, uint64_t bits)
{
	struct sim_host *h = host;
	unsigned int before = h->loss.known, side;

	(void)none;
	h->loss.known |= (unsigned int)bits;
	if (h->loss.known == before)
		return;
	if (before == 0)
		change_ways(h);
	for (side = 0; side < RB_SIDES; side++)
		if (!sim_is_lost(h, side))
			tell_neighbour(h, side);
	sim_thread_wake(&h->service.thread);
	sim_thread_wake(&h->app.thread);
}

static int
init_rx(struct sim_rx *rx, size_t room)
{
	rx->slot = calloc(room, sizeof(*rx->slot));
	rx->room = (uint32_t)room;
	return rx->slot ? 0 : -ENOMEM;
}

int
sim_loss_init(struct sim *s)
{
	size_t hosts = s->p.hosts;
	unsigned int side;

	if (!s->p.cut)
		return 0;
	s->sent = calloc(2 * hosts * hosts, sizeof(*s->sent));
	if (!s->sent)
		return -ENOMEM;
	s->arrived = s->sent + hosts * hosts;
	for (side = 0; side < RB_SIDES; side++) {
		struct sim_host *h =
			&s->host[side == RB_RIGHT ? s->p.cable : (s->p.cable + 1) % hosts];
		const struct event e = {.fn = learn_bits,
					.a = h,
					.v = LOST,
					.at = s->p.cut_at + sim_random(s) % (s->p.look + 1)};

		/* all slots of the line, and a request of each sender, by channel and transit */
		if (init_rx(&h->loss.mirror, s->p.slots) < 0 ||
		    init_rx(&h->loss.held, (hosts - 1) * (s->p.slots + 1) * 2) < 0)
			return -ENOMEM;
		event_add(&s->q, &e);
	}
	return 0;
}

void
sim_loss_free(struct sim *s)
{
	unsigned int i;

	for (i = 0; s->host && i < s->p.hosts; i++) {
		free(s->host[i].loss.mirror.slot);
		free(s->host[i].loss.held.slot);
	}
	free(s->sent);
}

unsigned int
sim_loss_first(const struct sim_host *h, unsigned int dst, unsigned int deal)
{
	const struct sim *s = h->s;

	if (h->loss.known)
		return rb_rule_route_without(s->p.cable, h->id, dst, s->p.hosts).side;
	return topo_first(&s->topo, h->id, dst, deal);
}

unsigned int
sim_loss_hops(const struct sim_host *h, unsigned int dst)
{
	const struct sim *s = h->s;

	if (h->loss.known)
		return rb_rule_route_without(s->p.cable, h->id, dst, s->p.hosts).hops;
	return topo_hops(&s->topo, h->id, dst);
}

bool
sim_loss_settled(struct sim_app *a, unsigned int dst)
{
	struct sim_host *h = a->thread.host;
	uint64_t now = h->s->q.now;

	if ((h->loss.moved >> dst & 1) == 0)
		return true;
	if (!a->settles)
		a->settles_since = now;
	a->settles = a->acked != a->issued;
	if (a->settles)
		return false;
	h->loss.moved &= ~(1ull << dst);
	if (now - a->settles_since > h->s->r.pause)
		h->s->r.pause = now - a->settles_since;
	return true;
}

/* Nothing has been sent over the cable that this host has not passed on. */
static bool
is_passed_on(const struct sim_host *h)
{
	unsigned int port = h->loss.port;
	const struct sim_host *peer = &h->s->host[sim_peer(h, port)];

	return peer->tx[port ^ 1u][SIM_TRANSIT].pos == h->rx[port][SIM_TRANSIT].head;
}

static void
send_mark(struct sim_host *h)
{
	unsigned int out = h->loss.port ^ 1u;
	const struct sim_frame f = {
		.op = SIM_F_MARK, .src = h->id, .dst = sim_peer(h, h->loss.port)};

	if ((h->loss.known & other_stopped(&h->loss)) == 0 || !is_passed_on(h) ||
	    sim_free(h, out, SIM_TRANSIT) < h->s->p.enter)
		return;
	h->loss.mark_sent = true;
	h->service.thread.lands = 0;
	sim_commit(&h->service.thread, out, SIM_TRANSIT, &f);
}

void
sim_loss_turn(struct sim_host *h)
{
	struct sim_loss *l = &h->loss;

	if (!l->end)
		return;
	if (!l->mirrored) {
		l->mirrored = true;
		h->tx[l->port][SIM_REPLY] = (struct sim_tx){.pos = 0};
		learn_bits(h, NULL, STOPPED << l->port);
	}
	if (!l->mark_sent)
		send_mark(h);
}

bool
sim_loss_holds(const struct sim_host *h)
{
	return (h->loss.known & other_stopped(&h->loss)) != 0;
}

void
sim_loss_hold(struct sim_host *h, const struct sim_frame *f)
{
	sim_turn_back(h, &h->loss.held, f);
	h->s->r.held++;
}

void
sim_loss_marked(struct sim_host *h)
{
	h->loss.mark_came = true;
	h->s->r.drained = h->s->q.now - h->s->p.cut_at;
}

uint32_t
sim_loss_number(struct sim *s, unsigned int src, unsigned int dst)
{
	return s->sent ? s->sent[(size_t)src * s->p.hosts + dst]++ : 0;
}

void
sim_loss_arrived(struct sim *s, const struct sim_frame *f)
{
	if (s->sent && s->arrived[(size_t)f->src * s->p.hosts + f->dst]++ != f->number)
		sim_break(s, "a put overtook another one");
}

const char *
sim_loss_judge(const struct sim_host *h)
{
	const struct sim_loss *l = &h->loss;

	if (h->s->p.cut && l->known == 0)
		return "a host does not know of the loss";
	if (!l->end)
		return NULL;
	if (!l->mirrored || !l->mark_sent || !l->mark_came)
		return "an end of the line has not changed over";
	if (l->mirror.head != l->mirror.tail || l->held.head != l->held.tail)
		return "frames are left at an end of the line";
	return NULL;
}
