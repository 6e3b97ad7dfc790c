/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <pthread.h>
#include <sched.h>

#include <rte_atomic.h>
#include <rte_common.h>
#include <rte_pause.h>

#include "access.h"
#include "order.h"

enum {
	LOST_MS = 1000, /* a doorbell that takes longer is lost */
	LOOKS = 1024,	/* before the CPU is given away */
	STREAM = 64,	/* words of non-temporal stores */
};

/* Of three words apart: an odd number, as a pair may change places unseen. */
#define FAR 8, 251, 3, 0

const struct order_rule order_rules[] = {
	{"flag", "data before flag, in one window", BY_WORD, FAR, false, false},
	{"doorbell", "data in the window before doorbell", BY_DOORBELL, FAR, false, false},
	{"pad", "data in the window before scratchpad", BY_SCRATCHPAD, FAR, false, false},
	{"flush", "a read flushes earlier stores", BY_FLUSH, FAR, false, false},
	{"threads", "data of one thread before the flag of another", BY_THREAD, FAR, false, false},
	{"stream", "non-temporal stores and a fence", BY_WORD, 8, 1, STREAM, 0, true, false},
	{"descriptor", "a descriptor of 64 bytes, its last word last", BY_WORD, 0, 1, 7, 7, false,
	 false},
	{"flag-unfenced", "data before flag without the fence", BY_WORD, FAR, false, true},
	{"descriptor-unfenced", "a descriptor of 64 bytes without the fence", BY_WORD, 0, 1, 7, 7,
	 false, true},
	{0},
};

struct play {
	const struct order_end *end;
	const struct order_rule *rule;
	uint64_t rounds, base;
	/* for the thread that stores flags; written by the first one */
	_Alignas(LINE) port_word ready; /* rounds whose data are stored */
	port_word stop;			/* no more than these */
};

/* Rounds under way. A doorbell that rings twice before it is heard is heard once, and a scratchpad
 * keeps its last value. */
static uint64_t
depth_of(const struct play *p)
{
	if (p->rule->way == BY_SCRATCHPAD)
		return 1;
	return p->rule->way == BY_DOORBELL ? RTE_MIN((unsigned int)SLOTS, p->end->port->db_count)
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
		 * The other thread bounds the wait, and watches the link. */
		while (atomic_load_explicit(&p->ready, memory_order_acquire) < i) {
			if (atomic_load(&p->stop))
				return NULL;
			rte_pause();
			if (++looks % LOOKS == 0)
				sched_yield();
		}
		store_word(slot_of(p->end->out, i) + p->rule->flag, p->base + i);
		access_fence();
	}
	return NULL;
}

static bool
send_round(struct play *p, uint64_t i)
{
	const struct order_end *e = p->end;
	const struct order_rule *rule = p->rule;
	struct ntb_port *port = e->port;
	port_word *slot = slot_of(e->out, i);

	store_data(rule, slot, p->base + i);
	if (!rule->control)
		access_fence();
	switch (rule->way) {
	case BY_WORD:
		store_word(slot + rule->flag, p->base + i);
		if (!rule->control)
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
		if (e->flush(e->watch.ctx) != 0)
			return false;
		/* release: this CPU may not store it before the read above is done */
		atomic_store_explicit(&e->in->self[i % SLOTS], p->base + i, memory_order_release);
		break;
	}
	return true;
}

/* Rounds that the peer has taken. */
static uint64_t
taken_of(const struct play *p)
{
	uint64_t credit = atomic_load_explicit(&p->end->in->credit, memory_order_acquire);

	return credit > p->base ? credit - p->base : 0;
}

static bool
await_credit(const struct play *p, uint64_t least)
{
	struct pause pause = {.watch = &p->end->watch, .what = "the peer to take what was sent"};
	uint64_t seen = 0, now;

	while ((now = taken_of(p)) < least) {
		if (now != seen)
			pause.end = 0; /* it moves */
		seen = now;
		if (!pause_once(&pause))
			return false;
	}
	return true;
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

uint64_t
order_send(const struct order_end *end, const struct order_rule *rule, uint64_t rounds,
	   uint64_t base)
{
	struct play p = {.end = end, .rule = rule, .rounds = rounds, .base = base};
	pthread_t thread;
	uint64_t sent;

	if (rule->way == BY_THREAD && pthread_create(&thread, NULL, store_flags, &p) != 0)
		return 0;
	sent = send_rounds(&p);
	/* the last flags of the second thread are under way */
	if (sent == rounds && (end->stays || rule->way == BY_THREAD) && !await_credit(&p, rounds))
		sent = end->stays ? rounds - 1 : rounds;
	if (rule->way == BY_THREAD) {
		atomic_store(&p.stop, 1);
		pthread_join(thread, NULL);
	}
	return sent;
}

/* ---- receiver ---- */

static bool
is_announced(const struct play *p, uint64_t i, uint32_t *bells)
{
	const struct order_end *e = p->end;
	uint64_t value = p->base + i;
	uint32_t bit, now;

	switch (p->rule->way) {
	case BY_DOORBELL:
		bit = 1u << i % depth_of(p);
		now = ntb_db_read(e->port);
		if (now != 0)
			ntb_db_clear(e->port, now);
		now |= *bells;
		*bells = now & ~bit;
		return (now & bit) != 0;
	case BY_SCRATCHPAD:
		return e->port->ops->spad_read(e->port, i % e->port->spad_count) == (uint32_t)value;
	case BY_FLUSH:
		rte_mb(); /* a CPU may keep what it has read of a window */
		return access_load(&e->out->self[i % SLOTS], sizeof(port_word)) == value;
	default:
		/* acquire: the data are looked at after it */
		return atomic_load_explicit(slot_of(e->in, i) + p->rule->flag,
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
	static const struct watch short_time = {.limit_ms = LOST_MS};
	struct pause pause = {.watch = is_register(p->rule) ? &short_time : &p->end->watch,
			      .what = "what the peer sends"};

	while (!is_announced(p, i, bells))
		if (!pause_once(&pause))
			return false;
	return true;
}

static bool
is_whole(const struct play *p, uint64_t i)
{
	const port_word *slot = slot_of(p->end->in, i) + p->rule->first;
	bool right = true;
	unsigned int w;

	/* backwards: what was stored last is looked at first */
	for (w = p->rule->count; w-- > 0;)
		right &= atomic_load_explicit(slot + w * p->rule->step, memory_order_relaxed) ==
			 p->base + i;
	return right;
}

bool
order_receive(const struct order_end *end, const struct order_rule *rule, uint64_t rounds,
	      uint64_t base, struct order_outcome *ret)
{
	const struct play p = {.end = end, .rule = rule, .rounds = rounds, .base = base};
	uint64_t i, each = RTE_MAX(depth_of(&p) / 4, (uint64_t)1);
	uint32_t bells = 0;

	*ret = (struct order_outcome){0};
	for (i = 1; i <= rounds; i++) {
		if (await_round(&p, i, &bells)) {
			ret->rounds++;
			ret->violations += !is_whole(&p, i);
		} else if (++ret->lost == ORDER_LOST_MOST || !is_register(rule)) {
			return false;
		}
		if (i % each == 0 || i == rounds) {
			store_word(&end->out->credit, base + i);
			access_fence();
		}
	}
	return true;
}
