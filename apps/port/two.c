/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The measuring lcore sends, the other one receives and answers. An operation of a ping-pong is one
 * way. Numbers continue from loop to loop, so that no word must be reset between them; the
 * answering side starts each row with zeroed memory.
 */
#include <sched.h>
#include <string.h>

#include <rte_atomic.h>
#include <rte_common.h>
#include <rte_pause.h>

#include "driver.h"

enum {
	SLOTS = 64,
	SLOT = 64, /* bytes */
	WORDS = SLOT / sizeof(uint64_t),
	APART = 256,  /* bytes between two lines that no prefetcher takes for neighbours */
	POLLS = 1024, /* before the CPU is yielded, if both lcores share one */
};

typedef _Atomic(uint64_t) word;

/* Once more, before the end of the measurement? */
static bool
go_on(struct drv *d, unsigned int *polls)
{
	rte_pause();
	if (++*polls % POLLS == 0)
		sched_yield();
	return !atomic_load_explicit(&d->stop, memory_order_relaxed);
}

static word *
word_at(uint8_t *base, size_t off)
{
	return (word *)(void *)(base + off);
}

static void
set_word(word *at, uint64_t value)
{
	/* pairs with the acquire load of has_word() */
	atomic_store_explicit(at, value, memory_order_release);
}

static bool
has_word(word *at, uint64_t value)
{
	/* pairs with the release store of the other lcore */
	return atomic_load_explicit(at, memory_order_acquire) >= value;
}

/* ---- ping-pong ---- */

/* Two cache lines of plain memory: no way through a bridge can be faster. */
static void
send_line(struct drv *d, int end, uint64_t seq)
{
	set_word(word_at(d->dst, (size_t)end * APART), seq);
}

static bool
has_line(struct drv *d, int end, uint64_t seq)
{
	return has_word(word_at(d->dst, (size_t)!end * APART), seq);
}

static void
send_bell(struct drv *d, int end, uint64_t seq)
{
	(void)seq;
	ntb_db_ring(d->ports.port[end], 1);
}

/* A doorbell is seen when it was read from the register and cleared there, as a service lcore
 * does. */
static bool
has_bell(struct drv *d, int end, uint64_t seq)
{
	bool pending = ntb_db_read(d->ports.port[end]) & 1;

	(void)seq;
	if (pending)
		ntb_db_clear(d->ports.port[end], 1);
	return pending;
}

static void
send_pad(struct drv *d, int end, uint64_t seq)
{
	struct ntb_port *port = d->ports.port[end];

	port->ops->peer_spad_write(port, 0, (uint32_t)seq);
}

static bool
has_pad(struct drv *d, int end, uint64_t seq)
{
	struct ntb_port *port = d->ports.port[end];

	return port->ops->spad_read(port, 0) == (uint32_t)seq;
}

/* A descriptor has arrived when its last word has: the release orders the stores before it. */
static void
send_desc(struct drv *d, int end, uint64_t seq)
{
	uint64_t body[WORDS - 1] = {seq, seq, seq, seq, seq, seq, seq};
	uint8_t *slot = (uint8_t *)d->ports.port[end]->window + seq % SLOTS * SLOT;

	memcpy(slot, body, sizeof(body));
	set_word(word_at(slot, sizeof(body)), seq);
}

static bool
has_desc(struct drv *d, int end, uint64_t seq)
{
	uint8_t *slot = d->ports.region[end] + seq % SLOTS * SLOT;

	return has_word(word_at(slot, SLOT - sizeof(uint64_t)), seq);
}

static const struct medium {
	void (*send)(struct drv *d, int end, uint64_t seq);
	bool (*has)(struct drv *d, int end, uint64_t seq);
} media[] = {
	[DRV_LINE] = {send_line, has_line},
	[DRV_BELL] = {send_bell, has_bell},
	[DRV_PAD] = {send_pad, has_pad},
	[DRV_DESC] = {send_desc, has_desc},
};

static bool
await_seq(struct drv *d, int op, int end, uint64_t seq)
{
	unsigned int polls = 0;

	while (!media[op].has(d, end, seq))
		if (!go_on(d, &polls))
			return false;
	return true;
}

void
drv_bounce(struct drv *d, int op, long n)
{
	uint64_t last = d->seq + (uint64_t)(n + 1) / 2;

	while (d->seq < last) {
		media[op].send(d, NEAR, ++d->seq);
		await_seq(d, op, NEAR, d->seq);
	}
}

void
drv_bounce_back(struct drv *d, int op)
{
	uint64_t seq = 1;

	for (; await_seq(d, op, AWAY, seq); seq++)
		media[op].send(d, AWAY, seq);
}

/* ---- blocks that lcores relay in turns ---- */

static uint64_t
stage_of(const struct drv *d, int s)
{
	/* pairs with the release store of copy_hop() */
	return atomic_load_explicit(&d->stage[s].n, memory_order_acquire);
}

/* One chunk of @p upto over hop @p s of @p hops, if the hop before has delivered one and the hop
 * after has room: there over the cable, and back over its other direction. */
static bool
copy_hop(struct drv *d, int hops, int s, uint64_t upto)
{
	uint64_t per = (d->size + DRV_CHUNK - 1) / DRV_CHUNK, at = stage_of(d, s);
	size_t off = at % per * DRV_CHUNK, len = RTE_MIN(d->size - off, (size_t)DRV_CHUNK);
	size_t slot = at % DRV_SLOTS * DRV_CHUNK;
	const uint8_t *from = s == 0 ? d->src + off : d->ports.region[AWAY] + slot;

	if (at >= (s == 0 ? upto : stage_of(d, s - 1)) ||
	    (s + 1 < hops && at >= stage_of(d, s + 1) + DRV_SLOTS))
		return false;
	memcpy((uint8_t *)d->ports.port[s == 0 ? NEAR : AWAY]->window + slot, from, len);
	rte_wmb(); /* a write-combining window: data before its number */
	atomic_store_explicit(&d->stage[s].n, at + 1, memory_order_release);
	return true;
}

void
drv_hops(struct drv *d, int op, long n)
{
	unsigned int polls = 0;

	d->seq += (uint64_t)n * ((d->size + DRV_CHUNK - 1) / DRV_CHUNK);
	while (stage_of(d, op - 1) < d->seq)
		if (!copy_hop(d, op, 0, d->seq) && !go_on(d, &polls))
			break;
	ntb_flush(d->ports.port[NEAR]);
}

void
drv_hops_relay(struct drv *d, int op)
{
	unsigned int polls = 0;

	while ((op == DRV_HOPS && copy_hop(d, op, 1, 0)) || go_on(d, &polls))
		;
}
