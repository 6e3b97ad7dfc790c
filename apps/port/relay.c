/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Both lcores copy: at the same time, or one after the other as a source and relays do. The two
 * ends of one cable stand for a ring of any length: a block that came is sent back over the
 * other direction.
 */
#include <sched.h>
#include <string.h>

#include <rte_atomic.h>
#include <rte_pause.h>

#include "driver.h"

enum {
	POLLS = 64, /* before the CPU is yielded, if both lcores share one */
};

static uint64_t
stage_of(const struct drv *d, int s)
{
	/* pairs with the release stores of hop_done() */
	return atomic_load_explicit(&d->stage[s].n, memory_order_acquire);
}

static void
hop_done(struct drv *d, int s, uint64_t n)
{
	rte_wmb(); /* a write-combining window: data before its number */
	atomic_store_explicit(&d->stage[s].n, n, memory_order_release);
}

static bool
go_on(struct drv *d, unsigned int *polls)
{
	rte_pause();
	if (++*polls % POLLS == 0)
		sched_yield();
	return !atomic_load_explicit(&d->stop, memory_order_relaxed);
}

static void
write_blocks(struct drv *d, int end, const uint8_t *from, uint64_t n)
{
	for (; n > 0; n--) {
		memcpy(d->ports.port[end]->window, from, d->size);
		rte_compiler_barrier(); /* each copy is done, although it is not read */
	}
	port_flush(d->ports.port[end]);
}

/* Stage 0 says how many blocks are wanted, stage 1 how many the other lcore has written. */
void
drv_both(struct drv *d, int op, long n)
{
	unsigned int polls = 0;

	(void)op;
	d->seq += (uint64_t)n;
	hop_done(d, 0, d->seq);
	write_blocks(d, NEAR, d->src, (uint64_t)n);
	while (stage_of(d, 1) < d->seq && go_on(d, &polls))
		;
}

void
drv_both_answer(struct drv *d)
{
	unsigned int polls = 0;
	uint64_t seq = 0, upto;

	while (go_on(d, &polls)) {
		upto = stage_of(d, 0);
		if (upto == seq)
			continue;
		write_blocks(d, AWAY, d->dst, upto - seq);
		seq = upto;
		hop_done(d, 1, seq);
	}
}

/* Chunks that have come over hop @p s lie in a ring of slots of their own. */
static size_t
slot_of(int s, uint64_t chunk)
{
	return ((size_t)(s / ENDS) * DRV_SLOTS + chunk % DRV_SLOTS) * DRV_CHUNK;
}

/* One chunk of @p upto over hop @p s, if the hop before has delivered one and the hop after has
 * room. */
static bool
copy_hop(struct drv *d, int s, uint64_t upto)
{
	uint64_t per = (d->size + DRV_CHUNK - 1) / DRV_CHUNK, at = stage_of(d, s);
	size_t off = at % per * DRV_CHUNK;
	size_t len = d->size - off < DRV_CHUNK ? d->size - off : DRV_CHUNK;
	int end = s % ENDS == 0 ? NEAR : AWAY;
	const uint8_t *from = s == 0 ? d->src + off : d->ports.region[end] + slot_of(s - 1, at);

	if (at >= (s == 0 ? upto : stage_of(d, s - 1)))
		return false;
	if (s + 1 < d->hops && at >= stage_of(d, s + 1) + DRV_SLOTS)
		return false;
	memcpy((uint8_t *)d->ports.port[end]->window + slot_of(s, at), from, len);
	hop_done(d, s, at + 1);
	return true;
}

/* @return has any of every second hop moved a chunk? */
static bool
hops_from(struct drv *d, int first, uint64_t upto)
{
	bool moved = false;
	int s;

	for (s = first; s < d->hops; s += ENDS)
		moved |= copy_hop(d, s, upto);
	return moved;
}

void
drv_hops(struct drv *d, int op, long n)
{
	unsigned int polls = 0;

	(void)op;
	d->seq += (uint64_t)n * ((d->size + DRV_CHUNK - 1) / DRV_CHUNK);
	while (stage_of(d, d->hops - 1) < d->seq)
		if (!hops_from(d, 0, d->seq) && !go_on(d, &polls))
			break;
	port_flush(d->ports.port[NEAR]);
}

void
drv_hops_answer(struct drv *d)
{
	unsigned int polls = 0;

	while (hops_from(d, 1, 0) || go_on(d, &polls))
		;
}
