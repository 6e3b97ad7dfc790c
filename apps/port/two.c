/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The measuring lcore sends, the other one receives and answers. An operation of a ping-pong is one
 * way. Numbers continue from loop to loop, so that no word must be reset between them; the
 * answering side starts each row with zeroed memory.
 */
#include <sched.h>
#include <string.h>

#include <rte_pause.h>

#include "driver.h"

enum {
	SLOTS = 64,
	SLOT = 64, /* bytes */
	WORDS = SLOT / sizeof(uint64_t),
	INDEX_AT = 8192, /* consumer index: after the ring */
	POLLS = 4096,	 /* before the CPU is yielded, if both lcores share one */
};

typedef _Atomic(uint64_t) word;

static void
pause_poll(unsigned int *polls)
{
	rte_pause();
	if (++*polls % POLLS == 0)
		sched_yield();
}

/** @return whether it came before the end of the measurement */
static bool
wait_word(struct drv *d, word *at, uint64_t value)
{
	unsigned int polls = 0;

	/* pairs with the release store of the other lcore */
	while (atomic_load_explicit(at, memory_order_acquire) < value) {
		if (atomic_load_explicit(&d->stop, memory_order_relaxed))
			return false;
		pause_poll(&polls);
	}
	return true;
}

static void
set_word(word *at, uint64_t value)
{
	/* pairs with the acquire load of wait_word() */
	atomic_store_explicit(at, value, memory_order_release);
}

static word *
word_at(uint8_t *base, size_t off)
{
	return (word *)(void *)(base + off);
}

/* Two cache lines of plain memory: no way through a bridge can be faster. */
void
drv_line(struct drv *d, int op, long n)
{
	uint64_t last = d->seq + (uint64_t)(n + 1) / 2;

	(void)op;
	while (d->seq < last) {
		set_word(word_at(d->dst, 0), ++d->seq);
		wait_word(d, word_at(d->dst, SLOT * 4), d->seq);
	}
}

void
drv_line_answer(struct drv *d)
{
	uint64_t seq = 1;

	for (; wait_word(d, word_at(d->dst, 0), seq); seq++)
		set_word(word_at(d->dst, SLOT * 4), seq);
}

/* A doorbell is seen when it was read from the register and cleared there, as a service lcore
 * does. */
static bool
wait_doorbell(struct drv *d, struct ntb_port *port)
{
	unsigned int polls = 0;

	while (!(ntb_db_read(port) & 1)) {
		if (atomic_load_explicit(&d->stop, memory_order_relaxed))
			return false;
		pause_poll(&polls);
	}
	ntb_db_clear(port, 1);
	return true;
}

void
drv_doorbell(struct drv *d, int op, long n)
{
	long i;

	(void)op;
	for (i = 0; i < n; i += 2) {
		ntb_db_ring(d->ports.port[NEAR], 1);
		wait_doorbell(d, d->ports.port[NEAR]);
	}
}

void
drv_doorbell_answer(struct drv *d)
{
	while (wait_doorbell(d, d->ports.port[AWAY]))
		ntb_db_ring(d->ports.port[AWAY], 1);
}

static bool
wait_spad(struct drv *d, struct ntb_port *port, uint32_t value)
{
	unsigned int polls = 0;

	while (port->ops->spad_read(port, 0) != value) {
		if (atomic_load_explicit(&d->stop, memory_order_relaxed))
			return false;
		pause_poll(&polls);
	}
	return true;
}

void
drv_spad(struct drv *d, int op, long n)
{
	struct ntb_port *port = d->ports.port[NEAR];
	uint64_t last = d->seq + (uint64_t)(n + 1) / 2;

	(void)op;
	while (d->seq < last) {
		port->ops->peer_spad_write(port, 0, (uint32_t)++d->seq);
		wait_spad(d, port, (uint32_t)d->seq);
	}
}

void
drv_spad_answer(struct drv *d)
{
	struct ntb_port *port = d->ports.port[AWAY];
	uint32_t seq = 1;

	for (; wait_spad(d, port, seq); seq++)
		port->ops->peer_spad_write(port, 0, seq);
}

/* A descriptor has arrived when its last word has: the release orders the stores before it. */
static void
send_desc(struct ntb_port *port, uint64_t seq)
{
	uint64_t body[WORDS - 1] = {seq, seq, seq, seq, seq, seq, seq};
	uint8_t *slot = (uint8_t *)port->window + seq % SLOTS * SLOT;

	memcpy(slot, body, sizeof(body));
	set_word(word_at(slot, sizeof(body)), seq);
}

static bool
wait_desc(struct drv *d, int end, uint64_t seq)
{
	uint8_t *slot = d->ports.region[end] + seq % SLOTS * SLOT;

	return wait_word(d, word_at(slot, SLOT - sizeof(uint64_t)), seq);
}

void
drv_desc(struct drv *d, int op, long n)
{
	uint64_t last = d->seq + (uint64_t)(n + 1) / 2;

	(void)op;
	while (d->seq < last) {
		send_desc(d->ports.port[NEAR], ++d->seq);
		wait_desc(d, NEAR, d->seq);
	}
}

void
drv_desc_answer(struct drv *d)
{
	uint64_t seq = 1;

	for (; wait_desc(d, AWAY, seq); seq++)
		send_desc(d->ports.port[AWAY], seq);
}

/* One way, as fast as credits come back; ends when the last descriptor was taken. */
void
drv_stream(struct drv *d, int op, long n)
{
	word *taken = word_at(d->ports.region[NEAR], INDEX_AT);
	uint64_t last = d->seq + (uint64_t)n, known = d->seq;

	(void)op;
	while (d->seq < last) {
		if (d->seq == known + SLOTS) {
			wait_word(d, taken, known + 1);
			known = atomic_load_explicit(taken, memory_order_relaxed);
		}
		send_desc(d->ports.port[NEAR], ++d->seq);
	}
	wait_word(d, taken, last);
}

void
drv_stream_answer(struct drv *d)
{
	word *taken = word_at(d->ports.port[AWAY]->window, INDEX_AT);
	uint64_t seq = 1;

	for (; wait_desc(d, AWAY, seq); seq++)
		set_word(taken, seq);
}
