/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Commands: rules of order. The sender stores the number of a round into a slot of the peer's
 * region, and then says so; the receiver looks at the slot as soon as it learns of it, the last
 * word first. A round is wrong where a word is not there yet. A slot is used again when the
 * receiver has stored how far it is.
 */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>

#include <rte_atomic.h>
#include <rte_common.h>
#include <rte_pause.h>

#include "access.h"
#include "agent.h"
#include "order.h"

enum {
	WORD = 8,
	CREDIT_AT = 4096, /* in the head of a region, stored by the peer */
	OWN_AT = 8192,	  /* words of this side, which the peer loads */
	PAD_DEPTH = 1,
	LOOKS = 1024, /* before the CPU is given away */
	WAIT_S = 20,  /* without progress */
	LOST_MS = 1000,
	LOST_MOST = 5,
	SPREAD = 3, /* words of data, an odd number: a pair may change places unseen */
};

enum way {
	BY_WORD,
	BY_THREAD,
	BY_DOORBELL,
	BY_SCRATCHPAD,
	BY_FLUSH, /* a flush, then a word of the sender's own memory */
};

struct rule {
	const char *name;
	enum way way;
	uint16_t first, step, count, flag; /* words of a slot */
	bool stream;
	uint64_t depth; /* rounds under way, at most */
};

static const struct rule rules[] = {
	{"flag", BY_WORD, 8, 251, SPREAD, 0, false, AGENT_SLOTS},
	{"descriptor", BY_WORD, 0, 1, 7, 7, false, AGENT_SLOTS},
	{"stream", BY_WORD, 8, 1, 64, 0, true, AGENT_SLOTS},
	{"threads", BY_THREAD, 8, 251, SPREAD, 0, false, AGENT_SLOTS},
	{"bell", BY_DOORBELL, 8, 251, SPREAD, 0, false, AGENT_SLOTS},
	{"pad", BY_SCRATCHPAD, 8, 251, SPREAD, 0, false, PAD_DEPTH},
	{"flush", BY_FLUSH, 8, 251, SPREAD, 0, false, AGENT_SLOTS},
};

struct play {
	struct agent *a;
	const struct rule *rule;
	uint64_t rounds, base, depth;
	/* for the thread that stores flags; released by the first thread */
	_Alignas(64) uint64_t ready;
	uint64_t stop;
};

struct wait {
	uint64_t end;
	unsigned int looks;
};

static bool
go_on(struct wait *w, uint64_t ms)
{
	rte_pause();
	if (++w->looks % LOOKS != 0)
		return true;
	sched_yield();
	if (w->end == 0)
		w->end = agent_clock_ns() + ms * 1000000;
	return agent_clock_ns() < w->end;
}

static volatile uint8_t *
slot_of(void *base, uint64_t round, unsigned int word)
{
	return (volatile uint8_t *)base + AGENT_DATA_AT + round % AGENT_SLOTS * AGENT_SLOT +
	       (size_t)word * WORD;
}

/* A word of this side's region, with what was stored before it: acquire. */
static uint64_t
look_at(struct agent *a, uint64_t at)
{
	return __atomic_load_n((uint64_t *)(void *)(agent_region(a) + at), __ATOMIC_ACQUIRE);
}

/* ---- sender ---- */

static void *
store_flags(void *arg)
{
	struct play *p = arg;
	unsigned int looks = 0;
	uint64_t i;

	for (i = 1; i <= p->rounds; i++) {
		/* pairs with the release in send_round(), after the data and their fence */
		while (__atomic_load_n(&p->ready, __ATOMIC_ACQUIRE) < i) {
			if (__atomic_load_n(&p->stop, __ATOMIC_RELAXED) != 0)
				return NULL;
			rte_pause();
			if (++looks % LOOKS == 0)
				sched_yield();
		}
		access_store(slot_of(p->a->port->window, i, p->rule->flag), p->base + i, WORD);
		access_fence();
	}
	return NULL;
}

static bool
send_round(struct play *p, uint64_t i)
{
	const struct rule *rule = p->rule;
	struct ntb_port *port = p->a->port;
	unsigned int w;

	if (rule->stream)
		access_stream(slot_of(port->window, i, rule->first), p->base + i, rule->count);
	else
		for (w = 0; w < rule->count; w++)
			access_store(slot_of(port->window, i, rule->first + w * rule->step),
				     p->base + i, WORD);
	access_fence();
	switch (rule->way) {
	case BY_WORD:
		access_store(slot_of(port->window, i, rule->flag), p->base + i, WORD);
		access_fence();
		break;
	case BY_THREAD:
		__atomic_store_n(&p->ready, i, __ATOMIC_RELEASE);
		break;
	case BY_DOORBELL:
		ntb_db_ring(port, 1u << i % port->db_count);
		break;
	case BY_SCRATCHPAD:
		port->ops->peer_spad_write(port, i % port->spad_count, (uint32_t)(p->base + i));
		break;
	case BY_FLUSH:
		if (agent_flush(p->a) != 0)
			return false;
		__atomic_store_n(
			(uint64_t *)(void *)(agent_region(p->a) + OWN_AT + i % AGENT_SLOTS * WORD),
			p->base + i, __ATOMIC_RELEASE);
		break;
	}
	return true;
}

/** @return rounds that were sent */
static uint64_t
send_rounds(struct play *p)
{
	uint64_t i, taken = 0, now;

	for (i = 1; i <= p->rounds; i++) {
		struct wait w = {0};

		while (i > taken + p->depth) {
			now = look_at(p->a, CREDIT_AT);
			taken = now > p->base ? now - p->base : 0;
			if (i > taken + p->depth && !go_on(&w, WAIT_S * 1000))
				return i - 1;
		}
		if (!send_round(p, i))
			return i - 1;
	}
	return p->rounds;
}

/* ---- receiver ---- */

/* Has the round been announced? A wait of its own for each: false after a time. */
static bool
await_round(struct play *p, uint64_t i, uint32_t *bells, bool *ret_lost)
{
	struct ntb_port *port = p->a->port;
	struct wait w = {0};
	bool there = false;
	uint32_t bit, now;

	*ret_lost = false;
	for (;;) {
		switch (p->rule->way) {
		case BY_DOORBELL:
			bit = 1u << i % port->db_count;
			now = ntb_db_read(port);
			if (now != 0)
				ntb_db_clear(port, now);
			*bells |= now;
			there = (*bells & bit) != 0;
			*bells &= ~(there ? bit : 0);
			break;
		case BY_SCRATCHPAD:
			there = port->ops->spad_read(port, i % port->spad_count) ==
				(uint32_t)(p->base + i);
			break;
		case BY_FLUSH:
			/* a CPU may keep what it has read of a window */
			rte_mb();
			there = access_load((uint8_t *)port->window + OWN_AT +
						    i % AGENT_SLOTS * WORD,
					    WORD) == p->base + i;
			break;
		case BY_WORD:
		case BY_THREAD:
			there = look_at(p->a, AGENT_DATA_AT + i % AGENT_SLOTS * AGENT_SLOT +
						      (uint64_t)p->rule->flag * WORD) ==
				p->base + i;
			break;
		}
		if (there)
			return true;
		if (!go_on(&w, p->rule->way == BY_DOORBELL || p->rule->way == BY_SCRATCHPAD
				       ? LOST_MS
				       : WAIT_S * 1000)) {
			*ret_lost = true;
			return false;
		}
	}
}

static bool
is_whole(struct play *p, uint64_t i)
{
	bool right = true;
	unsigned int w;

	/* backwards: what was stored last is looked at first */
	for (w = p->rule->count; w-- > 0;)
		right &= look_at(p->a, AGENT_DATA_AT + i % AGENT_SLOTS * AGENT_SLOT +
					       (uint64_t)(p->rule->first + w * p->rule->step) *
						       WORD) == p->base + i;
	return right;
}

/* ---- commands ---- */

static bool
take_play(struct agent *a, struct play *ret)
{
	size_t i;

	*ret = (struct play){.a = a, .rounds = a->arg[0], .base = a->arg[1]};
	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (strcmp(a->word, rules[i].name) == 0)
			ret->rule = &rules[i];
	if (ret->rule == NULL || (ret->rule->way == BY_DOORBELL && a->port->db_count == 0) ||
	    (ret->rule->way == BY_SCRATCHPAD && a->port->spad_count == 0))
		return agent_no(a, "no such rule here");
	/* a doorbell that rings twice before it is heard is heard once */
	ret->depth = ret->rule->way == BY_DOORBELL ? RTE_MIN(ret->rule->depth, a->port->db_count)
						   : ret->rule->depth;
	return agent_region_len(a) != 0 || agent_no(a, "no region");
}

static bool
run_send(struct agent *a)
{
	struct play p;
	pthread_t thread;
	uint64_t sent;

	if (!take_play(a, &p))
		return false;
	if (p.rule->way == BY_THREAD && pthread_create(&thread, NULL, store_flags, &p) != 0)
		return agent_no(a, "no second thread");
	sent = send_rounds(&p);
	if (p.rule->way == BY_THREAD) {
		struct wait w = {0};

		/* the last flags are under way */
		while (sent == p.rounds && look_at(a, CREDIT_AT) != p.base + p.rounds &&
		       go_on(&w, WAIT_S * 1000))
			;
		__atomic_store_n(&p.stop, 1, __ATOMIC_RELAXED);
		pthread_join(thread, NULL);
	}
	return agent_ok(a, "%" PRIu64, sent);
}

/* Rounds that came, wrong ones, those that were not announced. */
static bool
run_receive(struct agent *a)
{
	uint64_t i, came = 0, wrong = 0, lost = 0;
	uint32_t bells = 0;
	bool gone;
	struct play p;

	if (!take_play(a, &p))
		return false;
	for (i = 1; i <= p.rounds && lost < LOST_MOST; i++) {
		if (await_round(&p, i, &bells, &gone)) {
			came++;
			wrong += !is_whole(&p, i);
		}
		lost += gone;
		if (gone && p.rule->way != BY_DOORBELL && p.rule->way != BY_SCRATCHPAD)
			break;
		access_store((volatile uint8_t *)a->port->window + CREDIT_AT, p.base + i, WORD);
		access_fence();
	}
	return agent_ok(a, "%" PRIu64 " %" PRIu64 " %" PRIu64, came, wrong, lost);
}

const struct agent_command order_commands[] = {
	{"send", 2, true, run_send},
	{"receive", 2, true, run_receive},
	{NULL, 0, false, NULL},
};
