/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Both lcores copy: at the same time, or one after the other as a source and a relay do.
 */
#include <sched.h>
#include <string.h>

#include <rte_atomic.h>
#include <rte_pause.h>

#include "driver.h"

enum {
	POLLS = 4096, /* before giving the CPU away, if both lcores share one */
	CHUNK = 32768,
};

typedef _Atomic(uint64_t) word;

static bool
wait_for(struct drv *d, word *at, uint64_t value)
{
	unsigned int polls = 0;

	/* pairs with the release stores of say() */
	while (atomic_load_explicit(at, memory_order_acquire) < value) {
		if (atomic_load_explicit(&d->stop, memory_order_relaxed))
			return false;
		rte_pause();
		if (++polls % POLLS == 0)
			sched_yield();
	}
	return true;
}

static void
say(word *at, uint64_t value)
{
	atomic_store_explicit(at, value, memory_order_release);
}

void
drv_both(struct drv *d, int op, long n)
{
	long i;

	(void)op;
	say(&d->asked, d->seq + (uint64_t)n);
	for (i = 0; i < n; i++) {
		memcpy(d->ports.port[NEAR]->window, d->src, d->size);
		rte_compiler_barrier();
	}
	ntb_flush(d->ports.port[NEAR]);
	d->seq += (uint64_t)n;
	wait_for(d, &d->done, d->seq);
}

void
drv_both_answer(struct drv *d)
{
	uint64_t seq = 0, upto;

	while (wait_for(d, &d->asked, seq + 1)) {
		upto = atomic_load_explicit(&d->asked, memory_order_acquire);
		for (; seq < upto; seq++) {
			memcpy(d->ports.port[AWAY]->window, d->dst, d->size);
			rte_compiler_barrier();
		}
		ntb_flush(d->ports.port[AWAY]);
		say(&d->done, seq);
	}
}

/* A block goes to the other end in chunks, and the relay there sends each on as soon as it has
 * come, back over the other direction of the cable. Each place is used again one block later: a
 * block is sent when the last one is through. */
static size_t
chunk_at(const struct drv *d, size_t off)
{
	return d->size - off < CHUNK ? d->size - off : CHUNK;
}

void
drv_relay(struct drv *d, int op, long n)
{
	size_t off, len;
	long i;

	(void)op;
	for (i = 0; i < n; i++) {
		for (off = 0; off < d->size; off += len) {
			len = chunk_at(d, off);
			memcpy((uint8_t *)d->ports.port[NEAR]->window + off, d->src + off, len);
			rte_wmb(); /* a write-combining window: chunk before its number */
			say(&d->asked, ++d->seq);
		}
		wait_for(d, &d->done, d->seq);
	}
}

void
drv_relay_answer(struct drv *d)
{
	uint64_t seq = 0;
	size_t off = 0, len;

	while (wait_for(d, &d->asked, seq + 1)) {
		len = chunk_at(d, off);
		memcpy((uint8_t *)d->ports.port[AWAY]->window + off, d->ports.region[AWAY] + off,
		       len);
		off = off + len == d->size ? 0 : off + len;
		if (off == 0)
			ntb_flush(d->ports.port[AWAY]);
		say(&d->done, ++seq);
	}
}
