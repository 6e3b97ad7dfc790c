/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <rte_pause.h>

#include "direction.h"
#include "path.h"

enum {
	SLICES = 128, /* of the address lookup table */
	DOORBELL_MS = 1000,
};

/* ---- places ---- */

/* Words whose places tell a wrong translation: all powers of two, both ends of each slice of the
 * table, the last word. The head of the region is in use. */
static size_t
place_of(unsigned int i, size_t len)
{
	size_t slice = len / SLICES, at;

	if (i < 2 * SLICES) {
		at = i / 2 * slice + (i % 2 ? slice - sizeof(port_word) : 0);
		return at < DATA_AT ? DATA_AT : at;
	}
	at = (size_t)1 << (i - 2 * SLICES);
	return at < DATA_AT ? DATA_AT : at < len ? at : len - sizeof(port_word);
}

enum {
	PLACES = 2 * SLICES + 48
};

static port_word *
word_at(struct region *r, size_t at)
{
	return (port_word *)((uint8_t *)r + at);
}

static bool
send_places(struct direction *d)
{
	unsigned int i;
	size_t at;

	for (i = 0; i < PLACES; i++) {
		at = place_of(i, d->s->len);
		store_word(word_at(d->s->out, at), d->base + at);
	}
	return ntb_flush(d->s->port) == 0 ||
	       session_end(d->s, "a read through the window failed: the link is dead");
}

static bool
receive_places(struct direction *d)
{
	unsigned int i;
	size_t at;

	if (!session_step(d->s, "the peer's stores to all places"))
		return false;
	for (i = 0; i < PLACES; i++) {
		at = place_of(i, d->s->len);
		d->test.violations += atomic_load(word_at(d->s->in, at)) != d->base + at;
	}
	d->test.rounds = PLACES;
	return true;
}

static bool
send_and_step(struct direction *d)
{
	return send_places(d) && session_step(d->s, "the peer to look");
}

bool
check_places(struct session *s, struct result *r)
{
	struct direction d = {
		.s = s,
		.r = r,
		.test = {.name = "places",
			 .title = "each address of the window reaches its place in the peer's "
				  "region"},
		.send = send_and_step,
		.receive = receive_places,
	};

	return both_directions(&d);
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
	unsigned int i;
	uint32_t bits;

	for (i = 0; i < d->s->port->db_count; i++) {
		bits = await_doorbell(d->s);
		d->test.lost += bits == 0;
		d->test.violations += bits != 0 && bits != 1u << i;
		if (!session_step(d->s, "the peer's next doorbell"))
			return false;
	}
	d->test.rounds = i;
	return true;
}

bool
check_doorbells(struct session *s, struct result *r)
{
	struct direction d = {
		.s = s,
		.r = r,
		.test = {.name = "doorbells", .title = "each doorbell arrives, and no other"},
		.send = send_doorbells,
		.receive = receive_doorbells,
	};

	return both_directions(&d);
}
