/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Tests that both sides do in turn, as sender and as receiver.
 */
#include <rte_pause.h>

#include "direction.h"
#include "order.h"

enum {
	SLICES = 128, /* of the address lookup table */
	PLACES = 2 * SLICES + 48,
	DOORBELL_MS = 1000,
	CONTROL_SHARE = 10, /* without a fence, a test that proves nothing: so much less of it */
};

struct direction {
	struct session *s;
	const char *name, *title;
	bool (*send)(struct direction *d);
	bool (*receive)(struct direction *d);
	const struct order_rule *rule;
	uint64_t base; /* numbers of this test and direction are above it */
	uint64_t rounds, violations, lost;
};

/* The receiver knows what it found, the sender how long it took: both learn both. */
static bool
share_outcome(struct direction *d, bool sends, uint64_t ns)
{
	struct session *s = d->s;
	const uint64_t mine[VALUES] = {d->rounds, d->violations, d->lost, ns};
	bool control = d->rule != NULL && d->rule->control;
	uint64_t theirs[VALUES];
	const uint64_t *found = sends ? theirs : mine;

	if (!session_values(s, mine, theirs))
		return false;
	s->wrong |= !control && found[1] + found[2] > 0;
	json_array_append_new(
		s->tests,
		json_pack("{s:s,s:s,s:s,s:b,s:I,s:I,s:I,s:f}", "name", d->name, "title", d->title,
			  "direction", sends ? "out" : "in", "control", control, "rounds",
			  (json_int_t)found[0], "violations", (json_int_t)found[1], "lost",
			  (json_int_t)found[2], "seconds", (double)(sends ? ns : theirs[3]) / 1e9));
	return true;
}

static bool
both_directions(struct direction d)
{
	const uint64_t rounds = d.rounds;
	uint64_t from;
	bool sends, ok;
	int turn;

	for (turn = 0; turn < 2; turn++) {
		d.rounds = rounds;
		d.violations = d.lost = 0;
		d.base += 1ull << 40;
		sends = (turn == 0) == d.s->first;
		if (!session_step(d.s, d.title))
			return false;
		from = clock_ns();
		ok = sends ? d.send(&d) : d.receive(&d);
		from = clock_ns() - from;
		if (!ok || !session_step(d.s, d.title) || !share_outcome(&d, sends, from))
			return false;
	}
	return true;
}

static int
flush_session(void *ctx)
{
	struct session *s = ctx;

	if (ntb_flush(s->port) == 0)
		return 0;
	session_end(s, "a read through the window failed: the link is dead");
	return -1;
}

/* ---- places ---- */

/* Words whose places tell a wrong translation: all powers of two, both ends of each slice of the
 * table, the last word. The head of the region is in use. */
static port_word *
place_of(struct region *r, unsigned int i, size_t len)
{
	size_t slice = len / SLICES, at;

	if (i < 2 * SLICES)
		at = i / 2 * slice + (i % 2 ? slice - sizeof(port_word) : 0);
	else
		at = (size_t)1 << (i - 2 * SLICES);
	at = at < DATA_AT ? DATA_AT : at < len ? at : len - sizeof(port_word);
	return (port_word *)((uint8_t *)r + at);
}

static uint64_t
mark_of(const struct direction *d, const struct region *r, const port_word *at)
{
	return d->base + (uint64_t)((const uint8_t *)at - (const uint8_t *)r);
}

static bool
send_places(struct direction *d)
{
	struct region *out = d->s->out;
	unsigned int i;

	for (i = 0; i < PLACES; i++) {
		port_word *at = place_of(out, i, d->s->len);

		store_word(at, mark_of(d, out, at));
	}
	return flush_session(d->s) == 0 && session_step(d->s, "the peer to look");
}

static bool
receive_places(struct direction *d)
{
	struct region *in = d->s->in;

	if (!session_step(d->s, "the peer's stores to all places"))
		return false;
	for (d->rounds = 0; d->rounds < PLACES; d->rounds++) {
		port_word *at = place_of(in, (unsigned int)d->rounds, d->s->len);

		d->violations += atomic_load(at) != mark_of(d, in, at);
	}
	return true;
}

/* ---- doorbells ---- */

static bool
send_doorbells(struct direction *d)
{
	unsigned int i;

	for (i = 0; i < d->s->port->db_count; i++) {
		ntb_db_ring(d->s->port, 1u << i);
		if (!session_step(d->s, "the peer to hear a doorbell"))
			return false;
	}
	return true;
}

/* The bits that are pending, as soon as there are any. */
static uint32_t
await_doorbell(struct session *s)
{
	uint64_t end = clock_ns() + DOORBELL_MS * 1000000ull;
	uint32_t bits = 0;

	while (bits == 0 && clock_ns() < end) {
		bits = ntb_db_read(s->port);
		rte_pause();
	}
	ntb_db_clear(s->port, bits);
	return bits;
}

static bool
receive_doorbells(struct direction *d)
{
	uint32_t bits;

	for (d->rounds = 0; d->rounds < d->s->port->db_count; d->rounds++) {
		bits = await_doorbell(d->s);
		d->lost += bits == 0;
		d->violations += bits != 0 && bits != 1u << d->rounds;
		if (!session_step(d->s, "the peer's next doorbell"))
			return false;
	}
	return true;
}

/* ---- rules of order ---- */

static struct order_end
end_of(struct session *s)
{
	return (struct order_end){.port = s->port,
				  .in = s->in,
				  .out = s->out,
				  .watch = s->watch,
				  .flush = flush_session,
				  .stays = true};
}

static bool
send_rule(struct direction *d)
{
	const struct order_end end = end_of(d->s);

	return order_send(&end, d->rule, d->rounds, d->base) == d->rounds ||
	       session_end(d->s, "no second thread");
}

static bool
receive_rule(struct direction *d)
{
	const struct order_end end = end_of(d->s);
	struct order_outcome o;
	bool ok = order_receive(&end, d->rule, d->rounds, d->base, &o);

	d->violations = o.violations;
	d->lost = o.lost;
	return ok || session_end(d->s, "%d doorbells did not arrive", ORDER_LOST_MOST);
}

bool
check_directions(struct session *s, uint64_t rounds)
{
	struct direction places = {.s = s,
				   .name = "places",
				   .title = "each address of the window reaches its place in the "
					    "peer's region",
				   .send = send_places,
				   .receive = receive_places};
	struct direction doorbells = {.s = s,
				      .name = "doorbells",
				      .title = "each doorbell arrives, and no other",
				      .send = send_doorbells,
				      .receive = receive_doorbells};
	struct direction order = {.s = s, .send = send_rule, .receive = receive_rule};
	const uint64_t mine[VALUES] = {rounds};
	uint64_t theirs[VALUES];

	if (!session_values(s, mine, theirs))
		return false;
	if (theirs[0] == 0)
		return session_end(s, "the peer wants no rounds");
	if (theirs[0] < rounds)
		rounds = theirs[0];
	if (!both_directions(places) || !both_directions(doorbells))
		return false;
	for (order.rule = order_rules; order.rule->name != NULL; order.rule++) {
		order.name = order.rule->name;
		order.title = order.rule->title;
		order.rounds = order.rule->control ? rounds / CONTROL_SHARE + 1 : rounds;
		order.base += 2ull << 40;
		/* scratchpads may have words of an earlier run: "ringbell-port test" has their rule
		 */
		if (order.rule->way != BY_SCRATCHPAD && !both_directions(order))
			return false;
	}
	return true;
}
