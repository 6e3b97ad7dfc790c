/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A port that misbehaves, in place of apps/port/access.c. The variable PORT_FAULT says how, or
 * names a file, with a slash, that says so at each moment; test_port_test.py lists the faults, with
 * the checks that find them.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <rte_atomic.h>

#include "access.h"
#include "rte_pmd_ntb_port.h"

enum {
	HELD = 256,	/* stores that a bridge may keep back */
	FOLD = 1 << 20, /* the bit that a wrong translation loses */
	PAGE = 4096,
	CONTROL = 64 << 10, /* words before it tell how far the peer is */
	BELL_EACH = 4,	    /* of so many doorbells one is lost */
	WAIT_EACH = 16,
};

static struct ntb_port_ops real, broken;
static struct ntb_port port;
static uint8_t *window;
static struct {
	volatile uint8_t *at;
	uint64_t v;
	unsigned int width;
} held[HELD];
static unsigned int n_held, rings, waits;
static bool started;

static bool
is(const char *name)
{
	static const char *fault;
	int fd;

	if (fault == NULL)
		fault = getenv("PORT_FAULT") == NULL ? "" : getenv("PORT_FAULT");
	if (fault[0] == '/') {
		fd = open(fault, O_RDONLY | O_CLOEXEC);
		fault = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
		if (fault == MAP_FAILED)
			abort();
	}
	return strcmp(fault, name) == 0;
}

/* ---- stores and loads ---- */

/* The peer sees what came first. */
static void
linger(const char *fault)
{
	const struct timespec time = {.tv_nsec = 1000000};

	if (is(fault))
		nanosleep(&time, NULL);
}

static void
store_now(volatile uint8_t *at, uint64_t v, unsigned int width)
{
	memcpy((void *)(uintptr_t)at, &v, width);
}

static void
let_go(void)
{
	for (unsigned int i = 0; i < n_held; i++)
		store_now(held[i].at, held[i].v, held[i].width);
	n_held = 0;
}

static void
hold(volatile uint8_t *at, uint64_t v, unsigned int width)
{
	if (n_held == HELD)
		let_go();
	held[n_held].at = at;
	held[n_held].v = v;
	held[n_held].width = width;
	n_held++;
}

/* Stores that registers or a flush overtake; among themselves they are in order. */
static bool
keeps_back(void)
{
	return is("doorbell-first") || is("scratchpad-first") || is("flush-nothing") ||
	       is("stop-loses");
}

static volatile uint8_t *
translate(const volatile void *at)
{
	uint64_t off = (uint64_t)((const volatile uint8_t *)at - window);

	if (is("folded"))
		off &= ~(uint64_t)FOLD;
	return window + off;
}

void
access_store(volatile void *to, uint64_t v, unsigned int width)
{
	volatile uint8_t *at = translate(to);
	uint64_t off = (uint64_t)(at - window);

	if (is("tail") && off >= port.window_size - PAGE)
		return;
	if (is("bytes-whole") && width == 1)
		memset((void *)(uintptr_t)(window + (off & ~3ull)), (int)v, 4);
	else if (is("halves-swapped") && width == 2)
		store_now(at, (v & 0xff) << 8 | (v >> 8 & 0xff), 2);
	else if (is("words-cut") && width == 8)
		store_now(at, v, 4);
	else if (is("words-twice") && width == 4)
		store_now((volatile uint8_t *)(window + (off & ~7ull)), v | v << 32, 8);
	else if (is("flag-first") && n_held == 0) {
		/* each store waits for the next one, and comes after it */
		hold(at, v, width);
	} else if (keeps_back() && off >= CONTROL) {
		let_go();
		hold(at, v, width);
	} else {
		store_now(at, v, width);
		if (n_held != 0 && ++waits % WAIT_EACH == 0)
			linger("flag-first");
		let_go();
	}
}

uint64_t
access_load(const volatile void *from, unsigned int width)
{
	uint64_t v = 0;

	memcpy(&v, (const void *)(uintptr_t)translate(from), width);
	if (is("loads-cut") && width == 4)
		v &= 0xffff;
	if (is("bytes-signed") && width == 1 && v & 0x80)
		v |= 0xff00;
	return v;
}

void
access_copy(volatile void *at, const void *from, size_t len)
{
	let_go();
	memcpy((void *)(uintptr_t)at, from, is("copies-short") && len % 8 == 7 ? len - 1 : len);
}

void
access_fetch(void *to, const volatile void *at, size_t len)
{
	memcpy(to, (const void *)(uintptr_t)at, len);
}

void
access_stream(volatile void *to, const void *from, size_t len)
{
	const uint64_t *words = from;
	volatile uint64_t *at = to;
	size_t i, n = len / sizeof(*words);

	let_go();
	for (i = 0; i < n; i++) {
		if (!is("stream-last") || i + 1 < n)
			store_now((volatile uint8_t *)&at[i], words[i], 8);
	}
}

void
access_fence(void)
{
	rte_wmb();
}

/* ---- the port's own calls ---- */

static int
flush(struct ntb_port *p, uint64_t off, uint64_t *ret_word)
{
	int ret;

	if (!is("flush-nothing"))
		let_go();
	ret = real.flush(p, off, ret_word);
	return is("flush-blind") || is("killed-unseen") ? 0 : ret;
}

static enum ntb_link
link_poll(struct ntb_port *p)
{
	enum ntb_link link = real.link_poll(p);
	static bool was_up;

	was_up |= link == NTB_LINK_UP;
	if (is("killed-unseen") && was_up)
		return NTB_LINK_UP;
	if (is("up-early") && started)
		return NTB_LINK_UP;
	return link;
}

static uint64_t
link_breaks(struct ntb_port *p)
{
	uint64_t n = real.link_breaks(p);
	static uint64_t calls;

	if (is("breaks-more"))
		return n + calls++;
	return is("breaks-none") || is("killed-unseen") ? 0 : n;
}

static uint64_t
region_align(struct ntb_port *p, uint64_t len)
{
	return is("align-odd") ? 3 * PAGE : real.region_align(p, len);
}

static void
db_ring(struct ntb_port *p, uint32_t bits)
{
	rings++;
	if (is("bells-lost") && rings % BELL_EACH == 0)
		return;
	if (is("bells-moved"))
		bits = bits << 1 | bits >> 15;
	real.db_ring(p, bits);
	linger("doorbell-first");
	let_go();
}

static void
db_clear(struct ntb_port *p, uint32_t bits)
{
	real.db_clear(p, is("clear-all") ? 0xffff : bits);
}

static uint32_t
db_read(struct ntb_port *p)
{
	uint32_t bits = real.db_read(p);

	if (is("read-clears"))
		real.db_clear(p, bits);
	return bits;
}

static void
peer_spad_write(struct ntb_port *p, unsigned int i, uint32_t v)
{
	if (is("scratchpads-two"))
		i &= 1;
	real.peer_spad_write(p, i, is("scratchpads-cut") ? v & 0xffff : v);
	linger("scratchpad-first");
	let_go();
}

static uint32_t
peer_spad_read(struct ntb_port *p, unsigned int i)
{
	return is("scratchpads-own") ? real.spad_read(p, i) : real.peer_spad_read(p, i);
}

static void
link_once(struct ntb_port *p)
{
	if (!is("once-again"))
		real.link_once(p);
}

int
access_port(uint16_t dev_id, struct ntb_port_info *ret_info)
{
	int ret = ntb_port_get(dev_id, ret_info);

	if (ret != 0)
		return ret;
	/* an emulated port has all capabilities */
	port = *ret_info->port;
	real = broken = *port.ops;
	broken.flush = flush;
	broken.link_poll = link_poll;
	broken.link_breaks = link_breaks;
	broken.region_align = region_align;
	broken.db_ring = db_ring;
	broken.db_read = db_read;
	broken.db_clear = db_clear;
	broken.peer_spad_write = peer_spad_write;
	broken.peer_spad_read = peer_spad_read;
	broken.link_once = link_once;
	window = port.window;
	ret_info->port->ops = &broken;
	if (is("bells-few")) /* no fault: a port may have so few */
		ret_info->port->db_count = 2;
	return 0;
}

int
access_configure(struct ntb_port *p, const struct ntb_port_config *conf)
{
	int ret = ntb_port_configure(p, conf);

	started = ret == 0;
	return is("refuses-nothing") ? 0 : ret;
}

void
access_stop(struct ntb_port *p)
{
	started = false;
	if (is("stop-late"))
		return;
	if (is("crash"))
		raise(SIGSEGV);
	ntb_port_stop(p);
	let_go();
}
