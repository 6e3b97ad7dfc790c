/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Litmus tests. The sender stores data into a slot of the peer's region and then says so, each time
 * by another way; the receiver looks at the data as soon as it learns of them. A round is wrong
 * when the data are not yet there. What is stored is the number of the round, so that an old
 * round's data are seen, too. A slot is used again once the receiver has said that it is done.
 */
#include <pthread.h>
#include <sched.h>

#include <rte_atomic.h>
#include <rte_pause.h>

#include "direction.h"
#include "order.h"

enum {
	BELLS = 16,	    /* rounds under way where each has a doorbell */
	CREDIT_EVERY = 8,   /* rounds */
	CONTROL_SHARE = 10, /* of the rounds, for a test that proves nothing */
	LOST_MS = 1000,	    /* a doorbell that takes longer is lost */
	LOST_MAX = 20,	    /* after so many the test ends */
	LOOKS = 1024,	    /* before the CPU is given away */
};

enum rule_way {
	BY_WORD, /* a word of the slot, through the window */
	BY_DOORBELL,
	BY_OWN_WORD, /* in the sender's memory, where the receiver reads it */
	BY_THREAD,   /* as BY_WORD, by another thread */
};

struct rule {
	const char *name, *title;
	enum rule_way way;
	uint16_t first, step, count; /* words of data in a slot */
	uint16_t flag;		     /* the word that tells */
	bool stream;		     /* non-temporal stores */
	bool control;		     /* without the fence: shows whether the test sees anything */
};

static const struct rule rules[] = {
	{"window", "data before flag, in one window", BY_WORD, 8, 251, 3, 0, false, false},
	{"doorbell", "data in the window before doorbell", BY_DOORBELL, 8, 251, 3, 0, false, false},
	{"flush", "a read flushes earlier stores", BY_OWN_WORD, 8, 251, 3, 0, false, false},
	{"threads", "data of one thread before the flag of another", BY_THREAD, 8, 251, 3, 0, false,
	 false},
	{"stream", "non-temporal stores and a fence", BY_WORD, 8, 1, 64, 0, true, false},
	{"descriptor", "a descriptor of 64 bytes, its last word last", BY_WORD, 0, 1, 7, 7, false,
	 false},
	{"window-unfenced", "data before flag without the fence", BY_WORD, 8, 251, 3, 0, false,
	 true},
	{"descriptor-unfenced", "a descriptor of 64 bytes without the fence", BY_WORD, 0, 1, 7, 7,
	 false, true},
};

static uint64_t
depth_of(const struct rule *rule)
{
	return rule->way == BY_DOORBELL ? BELLS : SLOTS;
}

/* ---- sender ---- */

/* The thread that stores flags for another one. */
struct second {
	struct direction *d;
	pthread_t thread;
	word ready; /* rounds whose data are stored; written by the first thread */
	word stop;  /* as above: no more than these */
};

static void
store_data(const struct rule *rule, word *slot, uint64_t value)
{
	unsigned int i;

	if (rule->stream) {
		store_stream(slot + rule->first, value, rule->count);
		return;
	}
	for (i = 0; i < rule->count; i++)
		store_word(slot + rule->first + i * rule->step, value);
}

static void *
second_main(void *arg)
{
	struct second *second = arg;
	struct direction *d = second->d;
	const struct rule *rule = d->rule;
	unsigned int looks = 0;
	uint64_t i;

	for (i = 1; i <= d->rounds; i++) {
		/* Acquire: pairs with the release of send_round(), after the data and their fence.
		 * The other thread bounds the wait, and watches the link. */
		while (atomic_load_explicit(&second->ready, memory_order_acquire) < i) {
			if (atomic_load(&second->stop))
				return NULL;
			rte_pause();
			if (++looks % LOOKS == 0)
				sched_yield();
		}
		store_word(slot_of(d->s->out, i) + rule->flag, d->base + i);
		store_fence();
	}
	return NULL;
}

static bool
send_round(struct direction *d, struct second *second, uint64_t i)
{
	const struct rule *rule = d->rule;
	struct session *s = d->s;
	word *slot = slot_of(s->out, i);

	store_data(rule, slot, d->base + i);
	if (!rule->control)
		store_fence();
	switch (rule->way) {
	case BY_WORD:
		store_word(slot + rule->flag, d->base + i);
		if (!rule->control)
			store_fence();
		break;
	case BY_DOORBELL:
		ntb_db_ring(s->port, 1u << i % BELLS);
		break;
	case BY_OWN_WORD:
		if (ntb_flush(s->port) != 0)
			return session_end(s, "a read through the window failed: the link is dead");
		/* release: this CPU may not store it before the read above is done */
		atomic_store_explicit(&s->in->self[i % SLOTS], d->base + i, memory_order_release);
		break;
	case BY_THREAD:
		atomic_store_explicit(&second->ready, i, memory_order_release);
		break;
	}
	return true;
}

static bool
send_rounds(struct direction *d, struct second *second)
{
	struct pause p = {.s = d->s, .what = "the peer to take what was sent"};
	uint64_t i, depth = depth_of(d->rule), taken, seen = 0;

	for (i = 1; i <= d->rounds; i++) {
		for (;;) {
			taken = atomic_load_explicit(&d->s->in->credit, memory_order_acquire);
			taken = taken > d->base ? taken - d->base : 0;
			if (taken != seen)
				p.end = 0; /* it moves */
			seen = taken;
			if (i <= taken + depth)
				break;
			if (!pause_once(&p))
				return false;
		}
		if (!send_round(d, second, i))
			return false;
	}
	return true;
}

static bool
send_rule(struct direction *d)
{
	const struct rule *rule = d->rule;
	struct second second = {.d = d};
	bool ok;

	if (rule->way == BY_THREAD &&
	    pthread_create(&second.thread, NULL, second_main, &second) != 0)
		return session_end(d->s, "no second thread");
	ok = send_rounds(d, &second);
	if (ok)
		ok = wait_word(d->s, &d->s->in->credit, d->base + d->rounds, "the last credit");
	if (rule->way == BY_THREAD) {
		atomic_store(&second.stop, 1);
		pthread_join(second.thread, NULL);
	}
	return ok;
}

/* ---- receiver ---- */

struct receiver {
	struct direction *d;
	uint32_t bells; /* heard, and not yet used */
};

/* The doorbell of round @p i. @return false: it does not come */
static bool
hear_bell(struct receiver *r, uint64_t i)
{
	struct session *s = r->d->s;
	uint64_t end = 0;
	uint32_t bit = 1u << i % BELLS, now;
	unsigned int looks = 0;

	while (!(r->bells & bit)) {
		now = ntb_db_read(s->port);
		if (now)
			ntb_db_clear(s->port, now);
		r->bells |= now;
		if (++looks % LOOKS == 0) {
			end = end == 0 ? clock_ns() + LOST_MS * 1000000ull : end;
			sched_yield();
			if (clock_ns() > end)
				return false;
		}
	}
	r->bells &= ~bit;
	return true;
}

static bool
await_word(struct session *s, const word *at, uint64_t value, bool far)
{
	struct pause p = {.s = s, .what = "what the peer sends"};

	/* acquire: the data are looked at after it */
	while (atomic_load_explicit(at, memory_order_acquire) != value) {
		if (far)
			rte_mb(); /* the CPU may keep what it read of a window */
		if (!pause_once(&p))
			return false;
	}
	return true;
}

static bool
await_round(struct receiver *r, uint64_t i)
{
	const struct rule *rule = r->d->rule;
	struct session *s = r->d->s;

	switch (rule->way) {
	case BY_DOORBELL:
		if (hear_bell(r, i))
			return true;
		r->d->test.lost++;
		return r->d->test.lost < LOST_MAX ||
		       session_end(s, "%d doorbells did not arrive", LOST_MAX);
	case BY_OWN_WORD:
		return await_word(s, &s->out->self[i % SLOTS], r->d->base + i, true);
	default:
		return await_word(s, slot_of(s->in, i) + rule->flag, r->d->base + i, false);
	}
}

static bool
data_are_there(const struct rule *rule, const word *slot, uint64_t value)
{
	bool right = true;
	unsigned int i;

	/* backwards: what was stored last is looked at first */
	for (i = rule->count; i-- > 0;)
		right &= atomic_load_explicit(slot + rule->first + i * rule->step,
					      memory_order_relaxed) == value;
	return right;
}

static bool
receive_rule(struct direction *d)
{
	const struct rule *rule = d->rule;
	struct receiver r = {.d = d};
	uint64_t i, lost;

	for (i = 1; i <= d->rounds; i++) {
		lost = d->test.lost;
		if (!await_round(&r, i))
			return false;
		if (d->test.lost == lost)
			d->test.violations +=
				!data_are_there(rule, slot_of(d->s->in, i), d->base + i);
		if (i % CREDIT_EVERY == 0 || i == d->rounds) {
			store_word(&d->s->out->credit, d->base + i);
			store_fence();
		}
	}
	d->test.rounds = d->rounds;
	return true;
}

bool
check_order(struct session *s, struct result *r, uint64_t rounds)
{
	unsigned int i;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		struct direction d = {
			.s = s,
			.r = r,
			.test = {.name = rules[i].name,
				 .title = rules[i].title,
				 .control = rules[i].control},
			.send = send_rule,
			.receive = receive_rule,
			.rule = &rules[i],
			.rounds = rules[i].control ? rounds / CONTROL_SHARE + 1 : rounds,
			.base = (2ull * i + 2) << 40,
		};

		if (!both_directions(&d))
			return false;
	}
	return true;
}
