/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* The service lcore of a host: relay/dispatch.c, relay/ack.c, with time. */

#include "app.h"
#include "gather.h"
#include "net.h"
#include "service.h"
#include "thread.h"

enum {
	NOWHERE = RB_MAX_PORTS,
};

static void
spend_frame(struct sim_service *sv)
{
	if (sv->within)
		sv->thread.more += sv->thread.s->p.frame;
	else
		sim_thread_busy(&sv->thread, sv->thread.s->p.frame);
}

/* Copy a frame out of its slot: over a port, or into this host's own memory. */
static void
copy_frame(struct sim_service *sv, unsigned int out, uint64_t len)
{
	if (sv->within)
		spend_frame(sv);
	else
		sim_thread_copy(&sv->thread, out, len, sv->thread.s->p.frame);
}

static uint32_t
slots_needed(const struct sim *s, uint32_t need)
{
	return need == RB_ENTER && s->p.enter != 0 ? s->p.enter : need;
}

static void
add_ack(struct sim_service *sv, unsigned int src)
{
	struct sim_host *h = sv->thread.host;
	struct sim_acks *d = &h->acks[src];

	d->count++;
	d->port = rb_graph_answer(&h->s->graph, h->id, src);
	if (!d->queued) {
		d->queued = true;
		h->ack_queue[h->acks_queued++] = src;
	}
}

/* Consume a frame that is for this host. @return false: it stays at the head of its ring */
static bool
take_frame(struct sim_service *sv, const struct sim_frame *f)
{
	struct sim_host *h = sv->thread.host;
	const struct sim_params *p = &h->s->p;
	unsigned int out;
	uint32_t i;

	sv->out = NOWHERE;
	switch (f->op) {
	case SIM_F_ACK:
		sim_app_acked(&h->app, f->count);
		spend_frame(sv);
		return true;
	case SIM_F_DATA:
		/* the neighbour stored its payload in the memory of the PE that asked */
		spend_frame(sv);
		return true;
	case SIM_F_GET:
		out = rb_graph_answer(&h->s->graph, h->id, f->src);
		sv->out_ring = f->word ? SIM_ANSWER : SIM_REPLY;
		if (sim_free(h, out, sv->out_ring) < slots_needed(h->s, RB_ENTER))
			return false;
		sv->out = out;
		sv->frame = (struct sim_frame){.op = SIM_F_DATA,
					       .src = h->id,
					       .dst = f->src,
					       .len = f->len,
					       .word = f->word,
					       .parts = f->parts};
		sv->thread.more += f->parts * p->store;
		copy_frame(sv, sv->out, f->word ? 0 : f->len);
		for (i = f->atomic && f->parts == 0 ? 1 : f->parts; i > 0; i--)
			sim_app_message(&h->app, f->src, h->s->q.now);
		return true;
	case SIM_F_PUT:
		break;
	}
	sim_break(h->s, "a put that its last relay did not place");
	return false;
}

/* A turn in which a request did not enter. */
static void
count_turn(struct sim *s, struct sim_rx *rx, uint32_t pos)
{
	rx->behind += rx->behind == 0 || pos != rx->before;
	rx->before = pos;
	if (rx->behind > s->r.behind)
		s->r.behind = rx->behind;
}

/* As relay/turns.c does it. */
static bool
has_turn(struct sim_service *sv, uint32_t need)
{
	struct sim_host *h = sv->thread.host;
	struct sim_rx *rx = &h->rx[sv->port][sv->ring];
	bool room, waits;

	sv->enters = need == RB_ENTER;
	if (sv->enters)
		need = h->s->p.enter != 0
			       ? h->s->p.enter
			       : rb_share_enter(&h->shares[sv->out], sv->turn, h->s->p.slots);
	room = sv->stored || sim_free(h, sv->out, SIM_TRANSIT) >= need;
	waits = rb_share_waits(&h->shares[sv->out], sv->enters, room, sv->stored, sv->turn);
	sv->holds |= waits; /* for a number of turns, which no event ends */
	if (sv->enters && !sv->stored && (!room || waits))
		count_turn(h->s, rx, h->tx[sv->out][SIM_TRANSIT].pos);
	if (room && !waits)
		sv->sends = sv->out;
	return room && !waits;
}

static enum sim_ring
ring_onwards(enum sim_ring ring, bool word)
{
	if (ring == SIM_REPLY || ring == SIM_ANSWER)
		return ring;
	return word ? SIM_WORD : SIM_TRANSIT;
}

static bool
forward_frame(struct sim_service *sv, const struct sim_frame *f)
{
	struct sim_host *h = sv->thread.host;
	const struct rb_graph *g = &h->s->graph;
	uint8_t in = (uint8_t)sv->port, out = rb_graph_next(g, h->id, in, f->dst);
	uint32_t need = rb_graph_need(g, h->id, sv->ring == SIM_OWN ? RB_PORT_NONE : in, out);

	sv->out = out;
	sv->out_ring = ring_onwards(sv->ring, f->word);
	sv->frame = *f;
	sv->stored = f->op == SIM_F_PUT && sim_peer(h, out) == f->dst;
	if (sv->out_ring != SIM_TRANSIT ? sim_free(h, out, sv->out_ring) < slots_needed(h->s, need)
					: !has_turn(sv, need))
		return false;
	h->s->r.relayed++;
	copy_frame(sv, out, f->op == SIM_F_PUT || (f->op == SIM_F_DATA && !f->word) ? f->len : 0);
	return true;
}

/* The head of the ring has been executed, or copied onwards. */
static void
note_copied(struct sim_service *sv)
{
	struct sim_host *h = sv->thread.host;
	struct sim_rx *rx = &h->rx[sv->port][sv->ring];
	const struct sim_frame *f = &rx->slot[rx->head % rx->room];

	if (sv->out != NOWHERE && sv->out_ring == SIM_TRANSIT)
		rb_share_went(&h->shares[sv->out], sv->enters, sv->stored, f->src,
			      f->op == SIM_F_PUT ? f->len : 0, sv->turn);
	if (sv->out == NOWHERE) {
		if (f->op == SIM_F_DATA) {
			sim_deliver(h->s, h->s->q.now, f->len);
			sim_app_got(&h->app, f);
		}
	} else if (sv->stored) {
		sim_deliver(h->s, sv->thread.lands, f->len);
		h->s->host[f->src].placed += f->len;
		h->link[sv->out].requests++;
		if (!f->more)
			sim_app_message(&h->s->host[f->dst].app, f->src, sv->thread.lands);
		add_ack(sv, f->src);
		sv->more = f->more;
	} else {
		sim_commit(&sv->thread, sv->out, sv->out_ring, &sv->frame);
	}
	rx->behind = 0;
	sv->stored = false;
	rx->head++;
	sv->n++;
	sv->bytes += f->len;
	sv->worked = true;
	sim_credit(&sv->thread, sv->port, sv->ring, sv->within);
}

static void
land_ack(void *app, void *none, uint64_t count)
{
	(void)none;
	sim_app_acked(app, (uint32_t)count);
}

/* @return false: no room for a frame */
static bool
flush_one(struct sim_service *sv, unsigned int src)
{
	struct sim_host *h = sv->thread.host;
	struct sim_acks *d = &h->acks[src];
	const struct event e = {.fn = land_ack, .a = &h->s->host[src].app, .v = d->count};
	const struct sim_frame f = {.op = SIM_F_ACK, .src = h->id, .dst = src, .count = d->count};

	if (sim_peer(h, d->port) == src) {
		sim_store(&sv->thread, d->port, &e);
	} else {
		if (sim_free(h, d->port, SIM_REPLY) < slots_needed(h->s, RB_ENTER))
			return false;
		sv->thread.lands = 0;
		sim_commit(&sv->thread, d->port, SIM_REPLY, &f);
	}
	d->count = 0;
	d->queued = false;
	return true;
}

static void
flush_acks(struct sim_service *sv)
{
	struct sim_host *h = sv->thread.host;
	unsigned int i, kept = 0, n = h->acks_queued;

	for (i = 0; i < n; i++)
		if (!flush_one(sv, h->ack_queue[i]))
			h->ack_queue[kept++] = h->ack_queue[i];
	h->acks_queued = kept;
	sv->worked |= n > kept;
}

/* Reads through the windows flush earlier stores; the reads are sent together. */
static uint64_t
flush_time(const struct sim_host *h)
{
	uint64_t now = h->s->q.now, behind = 0;
	unsigned int port;

	if (h->s->p.memory)
		return 0;
	for (port = 0; port < h->s->ports; port++)
		if (h->link[port].free > now + behind)
			behind = h->link[port].free - now;
	return behind + 2 * h->s->p.latency;
}

static void
begin_turn(struct sim_service *sv)
{
	sv->port = 0;
	sv->ring = SIM_RINGS - 1;
	sv->n = 0;
	sv->worked = false;
	sv->holds = false;
	sv->state = SIM_SCAN;
}

static void
end_turn(struct sim_service *sv)
{
	struct sim_host *h = sv->thread.host;
	bool worked = sim_gather_turn(&sv->thread) || sv->worked, waits;

	sv->late = h->acks_queued > 0 ? sv->late + 1 : 0;
	if (sv->state == SIM_SCAN && h->acks_queued > 0 &&
	    rb_rule_ack_due(!worked, sv->more, sv->late, !h->s->p.memory)) {
		sv->state = SIM_PAYING;
		sim_thread_busy(&sv->thread, flush_time(h));
		return;
	}
	waits = sv->holds || (sv->state == SIM_SCAN && h->acks_queued > 0);
	begin_turn(sv);
	sv->turn++;
	if (worked || waits)
		sim_thread_busy(&sv->thread, h->s->p.turn);
	else
		sim_thread_park(&sv->thread);
}

static bool
handle_head(struct sim_service *sv, const struct sim_frame *f)
{
	return f->dst == sv->thread.host->id ? take_frame(sv, f) : forward_frame(sv, f);
}

void
sim_service_words(struct sim_thread *t)
{
	struct sim_service *sv = &t->host->service;
	const struct sim_service outer = *sv;
	unsigned int at, rings = t->s->ports * SIM_RINGS;
	const struct sim_rx *rx;
	uint64_t more;

	sv->within = true;
	for (at = 0; at < rings; at++) {
		sv->port = at / SIM_RINGS;
		sv->ring = at % SIM_RINGS;
		rx = &t->host->rx[sv->port][sv->ring];
		sv->stored = false;
		t->lands = 0;
		if (rx->head != rx->tail && rx->slot[rx->head % rx->room].word &&
		    handle_head(sv, &rx->slot[rx->head % rx->room]))
			note_copied(sv);
	}
	more = t->more;
	*sv = outer;
	t->more = more;
}

/* Bytes behind which the turn of its ring ends. */
static uint32_t
turn_bytes(const struct sim_service *sv, const struct sim_frame *f)
{
	const struct sim_host *h = sv->thread.host;

	if (sv->ring != SIM_TRANSIT || f->dst == h->id)
		return RB_LONG;
	return rb_share_turn(
		&h->shares[rb_graph_next(&h->s->graph, h->id, (uint8_t)sv->port, f->dst)]);
}

static bool
serve_head(struct sim_service *sv)
{
	struct sim_host *h = sv->thread.host;
	const struct sim_rx *rx = &h->rx[sv->port][sv->ring];
	const struct sim_frame *f = &rx->slot[rx->head % rx->room];

	if (rx->head != rx->tail && sv->n < RB_BUDGET && sv->bytes < turn_bytes(sv, f) &&
	    handle_head(sv, f))
		return true;
	sv->stored = false;
	sim_credit(&sv->thread, sv->port, sv->ring, true);
	return false;
}

static void
next_ring(struct sim_service *sv)
{
	if (sv->ring-- == 0) {
		sv->ring = SIM_RINGS - 1;
		sv->port++;
	}
	sv->n = 0;
	sv->bytes = 0;
}

static void
scan_rings(struct sim_service *sv)
{
	for (; sv->port < sv->thread.s->ports; next_ring(sv))
		if (serve_head(sv)) {
			sv->state = SIM_COPIED;
			return;
		}
	end_turn(sv);
}

void
sim_service_step(struct sim_thread *t)
{
	struct sim_service *sv = &t->host->service;

	if (sv->state == SIM_COPIED) {
		note_copied(sv);
		sv->state = SIM_SCAN;
	} else if (sv->state == SIM_PAYING) {
		flush_acks(sv);
		end_turn(sv);
		return;
	} else {
		begin_turn(sv);
	}
	scan_rings(sv);
}
