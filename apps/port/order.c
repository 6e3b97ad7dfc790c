/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/*
 * Commands: the rules of order that Ringbell stands on.
 *
 * The sender stores the number of a round into a slot of the peer's region, and then announces it,
 * each rule by another way; the receiver looks at the slot as soon as it learns of it, the last
 * word first. A round is wrong where a word is not there yet. A slot is used again when the
 * receiver has stored how far it is.
 */
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include <rte_atomic.h>
#include <rte_common.h>
#include <rte_pause.h>

#include "agent.h"
#include "wait.h"

enum {
	WAIT_MS = 20000, /* without progress */
	LOST_MS = 1000,	 /* a doorbell that takes longer is lost */
	LOOKS = 1024,	 /* before the CPU is given away */
	STREAM = 64,	 /* words of non-temporal stores */
};

#define GIVEN_UP UINT64_MAX /* as a credit: the receiver waits for no more rounds */

enum order_way {
	BY_WORD,   /* a word of the slot, through the window */
	BY_THREAD, /* likewise, by another thread */
	BY_DOORBELL,
	BY_SCRATCHPAD,
	BY_FLUSH, /* a flush, then a word of the sender's own memory, which the receiver loads */
};

struct order_rule {
	const char *name;
	enum order_way way;
	uint16_t first, step, count; /* words of data in a slot */
	uint16_t flag;		     /* the word that announces */
	bool stream;		     /* non-temporal stores */
};

/* Of three words apart: an odd number, as a pair may change places unseen. */
#define FAR 8, 251, 3, 0

static const struct order_rule rules[] = {
	{"flag", BY_WORD, FAR, false},
	{"doorbell", BY_DOORBELL, FAR, false},
	{"pad", BY_SCRATCHPAD, FAR, false},
	{"flush", BY_FLUSH, FAR, false},
	{"threads", BY_THREAD, FAR, false},
	{"stream", BY_WORD, 8, 1, STREAM, 0, true},
	{"descriptor", BY_WORD, 0, 1, 7, 7, false}, /* a cache line */
};

struct play {
	struct agent *agent;
	struct ntb_port *port;
	struct region *in, *out; /* this side's; the peer's, through the window */
	const struct order_rule *rule;
	uint64_t rounds, base;
	/* for the thread that stores flags; written by the first one */
	_Alignas(LINE) port_word ready; /* rounds whose data are stored */
	port_word stop;			/* no more than these */
};

static port_word *
slot_of(struct region *r, uint64_t i)
{
	return (port_word *)((uint8_t *)r + DATA_AT + i % SLOTS * SLOT);
}

/* Rounds under way. A doorbell that rings twice before it is heard is heard once, and a scratchpad
 * keeps its last value. */
static uint64_t
depth_of(const struct play *p)
{
	if (p->rule->way == BY_SCRATCHPAD)
		return 1;
	return p->rule->way == BY_DOORBELL ? RTE_MIN((unsigned int)SLOTS, p->port->db_count)
					   : SLOTS;
}

/* ---- sender ---- */

static void
store_data(const struct order_rule *rule, port_word *slot, uint64_t value)
{
	uint64_t words[STREAM];
	unsigned int i;

	for (i = 0; i < rule->count; i++) {
		words[i] = value;
		if (!rule->stream)
			store_word(slot + rule->first + i * rule->step, value);
	}
	if (rule->stream)
		access_stream((volatile void *)(slot + rule->first), words, sizeof(words));
}

static void *
store_flags(void *arg)
{
	struct play *p = arg;
	unsigned int looks = 0;
	uint64_t i;

	for (i = 1; i <= p->rounds; i++) {
		/* Acquire: pairs with the release of send_round(), after the data and their fence.
		 * The other thread bounds the wait. */
		while (atomic_load_explicit(&p->ready, memory_order_acquire) < i) {
			if (atomic_load(&p->stop))
				return NULL;
			rte_pause();
			if (++looks % LOOKS == 0)
				sched_yield();
		}
		store_word(slot_of(p->out, i) + p->rule->flag, p->base + i);
		access_fence();
	}
	return NULL;
}

static bool
send_round(struct play *p, uint64_t i)
{
	const struct order_rule *rule = p->rule;
	struct ntb_port *port = p->port;
	port_word *slot = slot_of(p->out, i);

	store_data(rule, slot, p->base + i);
	access_fence();
	switch (rule->way) {
	case BY_WORD:
		store_word(slot + rule->flag, p->base + i);
		access_fence();
		break;
	case BY_THREAD:
		atomic_store_explicit(&p->ready, i, memory_order_release);
		break;
	case BY_DOORBELL:
		ntb_db_ring(port, 1u << i % depth_of(p));
		break;
	case BY_SCRATCHPAD:
		port->ops->peer_spad_write(port, i % port->spad_count, (uint32_t)(p->base + i));
		break;
	case BY_FLUSH:
		if (agent_flush(p->agent) != 0)
			return false;
		/* release: this CPU may not store it before the read above is done */
		atomic_store_explicit(&p->in->self[i % SLOTS], p->base + i, memory_order_release);
		break;
	}
	return true;
}

/* Rounds that the peer has taken, or GIVEN_UP. */
static uint64_t
taken_of(const struct play *p)
{
	uint64_t credit = atomic_load_explicit(&p->in->credit, memory_order_acquire);

	if (credit == GIVEN_UP)
		return credit;
	return credit > p->base ? credit - p->base : 0;
}

static bool
await_credit(const struct play *p, uint64_t least)
{
	struct pause pause = {.limit_ms = WAIT_MS};
	uint64_t seen = 0, now;

	while ((now = taken_of(p)) < least) {
		if (now != seen)
			pause.end = 0; /* it moves */
		seen = now;
		if (!pause_once(&pause))
			return false;
	}
	return now != GIVEN_UP;
}

static uint64_t
send_rounds(struct play *p)
{
	uint64_t i, depth = depth_of(p);

	for (i = 1; i <= p->rounds; i++)
		if ((i > depth && !await_credit(p, i - depth)) || !send_round(p, i))
			return i - 1;
	return p->rounds;
}

/* With the second thread, which stores the flags. */
static uint64_t
send_by_two(struct play *p)
{
	pthread_t thread;
	uint64_t sent;

	if (pthread_create(&thread, NULL, store_flags, p) != 0)
		return 0;
	sent = send_rounds(p);
	/* its last flags are under way */
	if (sent == p->rounds)
		await_credit(p, sent);
	atomic_store(&p->stop, 1);
	pthread_join(thread, NULL);
	return sent;
}

/* ---- receiver ---- */

static bool
is_announced(const struct play *p, uint64_t i, uint32_t *bells)
{
	uint64_t value = p->base + i;
	uint32_t bit, now;

	switch (p->rule->way) {
	case BY_DOORBELL:
		bit = 1u << i % depth_of(p);
		now = ntb_db_read(p->port);
		if (now != 0)
			ntb_db_clear(p->port, now);
		now |= *bells;
		*bells = now & ~bit;
		return (now & bit) != 0;
	case BY_SCRATCHPAD:
		return p->port->ops->spad_read(p->port, i % p->port->spad_count) == (uint32_t)value;
	case BY_FLUSH:
		rte_mb(); /* a CPU may keep what it has read of a window */
		return access_load(&p->out->self[i % SLOTS], sizeof(port_word)) == value;
	default:
		/* acquire: the data are looked at after it */
		return atomic_load_explicit(slot_of(p->in, i) + p->rule->flag,
					    memory_order_acquire) == value;
	}
}

static bool
is_register(const struct order_rule *rule)
{
	return rule->way == BY_DOORBELL || rule->way == BY_SCRATCHPAD;
}

static bool
await_round(const struct play *p, uint64_t i, uint32_t *bells)
{
	struct pause pause = {.limit_ms = is_register(p->rule) ? LOST_MS : WAIT_MS};

	while (!is_announced(p, i, bells))
		if (!pause_once(&pause))
			return false;
	return true;
}

static bool
is_whole(const struct play *p, uint64_t i)
{
	const port_word *slot = slot_of(p->in, i) + p->rule->first;
	bool right = true;
	unsigned int w;

	/* backwards: what was stored last is looked at first */
	for (w = p->rule->count; w-- > 0;)
		right &= atomic_load_explicit(slot + w * p->rule->step, memory_order_relaxed) ==
			 p->base + i;
	return right;
}

/* ---- commands ---- */

/* @return false: the port has no such rule */
static bool
begin_play(struct agent *a, struct play *ret)
{
	const struct order_rule *r = NULL;
	unsigned int i;

	for (i = 0; i < RTE_DIM(rules); i++)
		if (strcmp(a->word, rules[i].name) == 0)
			r = &rules[i];
	if (r == NULL || (r->way == BY_DOORBELL && a->port->db_count == 0) ||
	    (r->way == BY_SCRATCHPAD && a->port->spad_count == 0)) {
		a->no = "no such rule here";
		return false;
	}
	*ret = (struct play){a,
			     a->port,
			     agent_region(a, false),
			     agent_region(a, true),
			     r,
			     .rounds = a->arg[0],
			     .base = a->arg[1]};
	return true;
}

/* How many rounds were sent. */
static void
run_send(struct agent *a)
{
	struct play p;

	if (begin_play(a, &p))
		agent_say(a,
			  (int64_t)(p.rule->way == BY_THREAD ? send_by_two(&p) : send_rounds(&p)));
}

static void
give_credit(const struct play *p, uint64_t credit)
{
	store_word(&p->out->credit, credit);
	access_fence();
}

/* Rounds that came, wrong ones, those that were not announced. */
static void
run_receive(struct agent *a)
{
	int64_t came = 0, wrong = 0, lost = 0;
	uint32_t bells = 0;
	struct play p;
	uint64_t i, each;

	if (!begin_play(a, &p))
		return;
	each = RTE_MAX(depth_of(&p) / 4, (uint64_t)1);
	for (i = 1; i <= p.rounds; i++) {
		if (!await_round(&p, i, &bells)) {
			lost++;
			give_credit(&p, GIVEN_UP);
			break;
		}
		came++;
		wrong += !is_whole(&p, i);
		if (i % each == 0 || i == p.rounds)
			give_credit(&p, p.base + i);
	}
	agent_say(a, came);
	agent_say(a, wrong);
	agent_say(a, lost);
}

const struct agent_command rule_commands[] = {
	{"send", 2, AGENT_WORD | AGENT_REGION, run_send},
	{"receive", 2, AGENT_WORD | AGENT_REGION, run_receive},
	{NULL, 0, 0, NULL},
};
