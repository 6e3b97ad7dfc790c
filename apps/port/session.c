/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "session.h"

enum {
	/* scratchpads; magic last, as it makes the others count */
	PAD_MAGIC,
	PAD_NONCE,
	PAD_SEEN,   /* the peer's nonce */
	PAD_LEN,    /* of the region, in units */
	PAD_STORES, /* do the peer's stores arrive? */
	PADS,
	MAGIC = 0x4c4d5402, /* with a version */
	LEN_UNIT = 65536,
	STORES_S = 5, /* that a store may take to arrive */
	/* a side's verdict about the peer's stores, and whether it has read that of the peer */
	ARRIVE = 1,
	VANISH = 2,
	READ = 4,
};

#define GONE UINT32_MAX /* scratchpads of a peer whose port has stopped */

bool
session_end(struct session *s, const char *fmt, ...)
{
	va_list ap;

	if (s->ended[0] == '\0') {
		va_start(ap, fmt);
		vsnprintf(s->ended, sizeof(s->ended), fmt, ap);
		va_end(ap);
	}
	store_word(&s->out->step, GIVEN_UP);
	access_fence();
	return false;
}

static bool
link_broke(struct session *s)
{
	return s->port->ops->link_breaks(s->port) != s->breaks;
}

/* The look of a session's waits. */
static bool
look_around(void *ctx, const char *what, bool late)
{
	struct session *s = ctx;
	bool broke = link_broke(s);

	/* A peer that gives up says so, and then stops its port, which flushes the word. So the
	 * link is looked at first and the word second: acquire. */
	if (atomic_load_explicit(&s->in->step, memory_order_acquire) == GIVEN_UP)
		return session_end(s, "the peer gave up while this side waited for %s", what);
	if (broke)
		return session_end(s, "the link broke while this side waited for %s", what);
	return !late || session_end(s, "waited %d s for %s", WAIT_S, what);
}

bool
wait_word(struct session *s, const port_word *at, uint64_t value, const char *what)
{
	struct pause p = {.watch = &s->watch, .what = what, .sleeps = true};

	/* acquire: what the peer stored before it is looked at after it */
	while (atomic_load_explicit(at, memory_order_acquire) != value)
		if (!pause_once(&p))
			return false;
	return true;
}

bool
session_step(struct session *s, const char *what)
{
	struct pause p = {.watch = &s->watch, .what = what, .sleeps = true};

	access_fence();
	store_word(&s->out->step, ++s->step);
	access_fence();
	/* the peer may be a step ahead, never two; acquire as in wait_word() */
	while (atomic_load_explicit(&s->in->step, memory_order_acquire) < s->step)
		if (!pause_once(&p))
			return false;
	return atomic_load(&s->in->step) != GIVEN_UP || look_around(s, what, false);
}

void
session_close(struct session *s)
{
	uint64_t end = clock_ns() + WAIT_S * 1000000000ull;

	store_word(&s->out->step, ++s->step);
	ntb_flush(s->port);
	/* The peer comes here as well once it has read all that it wants, and may be gone then. */
	while (atomic_load(&s->in->step) < s->step && !link_broke(s) && clock_ns() < end)
		nap();
}

bool
session_values(struct session *s, const uint64_t mine[VALUES], uint64_t ret_theirs[VALUES])
{
	unsigned int i;

	for (i = 0; i < VALUES; i++)
		store_word(&s->out->value[i], mine[i]);
	if (!session_step(s, "the peer's values"))
		return false;
	for (i = 0; i < VALUES; i++)
		ret_theirs[i] = atomic_load(&s->in->value[i]);
	return session_step(s, "the peer to have read this side's values");
}

/* ---- who is there ---- */

/* Again and again, as the peer's region may be open only now. */
static void
store_token(struct session *s)
{
	store_word(&s->out->token, s->peer_nonce);
	ntb_flush(s->port);
}

static uint32_t
peer_pad(struct session *s, unsigned int i)
{
	return s->port->ops->peer_spad_read(s->port, i);
}

static void
tell_pads(struct session *s, uint32_t seen, size_t len)
{
	const struct ntb_port_ops *ops = s->port->ops;

	ops->spad_write(s->port, PAD_NONCE, s->nonce);
	ops->spad_write(s->port, PAD_SEEN, seen);
	ops->spad_write(s->port, PAD_LEN, (uint32_t)(len / LEN_UNIT));
	ops->spad_write(s->port, PAD_MAGIC, MAGIC);
}

/* Is a peer there that has seen this run? The registers may keep words of an earlier one. */
static bool
is_met(struct session *s, size_t len, bool *ret_up)
{
	uint32_t nonce;

	*ret_up = ntb_link_poll(s->port) == NTB_LINK_UP;
	if (!*ret_up || peer_pad(s, PAD_MAGIC) != MAGIC)
		return false;
	nonce = peer_pad(s, PAD_NONCE);
	s->peer_nonce = nonce;
	tell_pads(s, nonce, len);
	return peer_pad(s, PAD_SEEN) == s->nonce && nonce != s->nonce;
}

static bool
meet_peer(struct session *s, size_t len, unsigned int timeout)
{
	uint64_t end = clock_ns() + timeout * 1000000000ull;
	bool up = false;
	size_t theirs;

	s->port->ops->spad_write(s->port, PAD_STORES, 0);
	tell_pads(s, 0, len);
	while (!is_met(s, len, &up)) {
		if (clock_ns() > end)
			return session_end(
				s,
				up ? "the link is up, but no ringbell-port order answered at "
				     "its other end within %u s"
				   : "no link within %u s: no cable, or nothing runs at "
				     "its other end",
				timeout);
		nap();
	}
	s->breaks = s->port->ops->link_breaks(s->port);
	s->first = s->nonce > s->peer_nonce;
	theirs = (size_t)peer_pad(s, PAD_LEN) * LEN_UNIT;
	s->len = theirs < len ? theirs : len;
	if (s->len > s->port->window_size)
		s->len = s->port->window_size;
	if (s->len < REGION_MIN)
		return session_end(s, "the peer has a region of %zu bytes", s->len);
	return true;
}

/* Each side says what arrives, and leaves when the peer has read that: the peer may leave before
 * this side looks again, and its scratchpads go with it. @return the peer's verdict, 0: none came
 */
static uint32_t
exchange_verdicts(struct session *s, uint32_t mine)
{
	uint64_t end = clock_ns() + 2 * STORES_S * 1000000000ull;
	uint32_t pad, theirs = 0;
	bool broke;

	s->port->ops->spad_write(s->port, PAD_STORES, mine);
	for (;; nap()) {
		broke = link_broke(s);
		pad = peer_pad(s, PAD_STORES);
		if (pad != GONE && (pad & (ARRIVE | VANISH)) != 0) {
			theirs = pad & (ARRIVE | VANISH);
			s->port->ops->spad_write(s->port, PAD_STORES, mine | READ);
		}
		if (pad == GONE || (pad & READ) != 0 || broke || clock_ns() > end)
			return theirs;
		store_token(s);
	}
}

/* Stores may vanish although registers answer, in one direction or both. So each side reports what
 * it found in a scratchpad register, which the peer can read in that case too. */
static bool
prove_stores(struct session *s)
{
	uint64_t end = clock_ns() + STORES_S * 1000000000ull;
	uint32_t mine = VANISH, theirs;

	while (clock_ns() < end && mine != ARRIVE) {
		store_token(s);
		if (atomic_load(&s->in->token) == s->nonce)
			mine = ARRIVE;
		else
			nap();
	}
	theirs = exchange_verdicts(s, mine);
	if (mine == ARRIVE && theirs == ARRIVE)
		return true;
	if (mine == ARRIVE && theirs == 0)
		return session_end(s, "%s before the peer said whether this side's stores arrive",
				   link_broke(s) ? "the link broke" : "time ran out");
	snprintf(s->stores, sizeof(s->stores), "%s%s%s",
		 theirs != VANISH ? "" : "what this side stores does not arrive at the peer",
		 theirs == VANISH && mine != ARRIVE ? "; " : "",
		 mine == ARRIVE ? "" : "what the peer stores does not arrive here");
	return session_end(s, "stores do not pass both ways");
}

bool
session_open(struct session *s, struct ntb_port *port, void *region, size_t len,
	     unsigned int timeout)
{
	s->port = port;
	s->in = region;
	s->out = port->window;
	s->watch = (struct watch){WAIT_S * 1000, look_around, s};
	while (s->nonce == 0)
		if (getrandom(&s->nonce, sizeof(s->nonce), 0) != sizeof(s->nonce))
			return session_end(s, "no random number");
	return meet_peer(s, len, timeout) && prove_stores(s);
}

bool
session_notes(struct session *s, const char *note)
{
	size_t len = strnlen(note, NOTE_MAX - 1), i;
	uint64_t words[NOTE_MAX / sizeof(uint64_t)] = {0};

	memcpy(words, note, len);
	for (i = 0; i < NOTE_MAX / sizeof(uint64_t); i++)
		store_word(&s->out->note[i], words[i]);
	store_word(&s->out->note_len, len);
	if (!session_step(s, "the peer's note"))
		return false;
	for (i = 0; i < NOTE_MAX / sizeof(uint64_t); i++)
		words[i] = atomic_load(&s->in->note[i]);
	len = atomic_load(&s->in->note_len);
	if (len >= NOTE_MAX)
		len = NOTE_MAX - 1;
	memcpy(s->note, words, len);
	/* it goes into a file of text */
	for (i = 0; i < len; i++)
		if ((unsigned char)s->note[i] > '~')
			s->note[i] = '?';
	return session_step(s, "the peer to have read this side's note");
}
