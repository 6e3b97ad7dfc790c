/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Commands: values that are stored and looked for, here and through the window. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "agent.h"
#include "memory.h"

enum {
	PAINT = 0xa5,
	COPY_MOST = 65536,
	COPY_AT = 64, /* behind the word that flushes read */
};

/* A value of its own for each place and each check. */
static uint64_t
mix_value(uint64_t seed, uint64_t at)
{
	uint64_t z = seed * 0x9e3779b97f4a7c15 + at;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static uint64_t
value_of(uint64_t seed, uint64_t at, unsigned int width)
{
	return width == 8 ? mix_value(seed, at) : mix_value(seed, at) & ((1ull << 8 * width) - 1);
}

static bool
is_width(uint64_t width)
{
	return width == 1 || width == 2 || width == 4 || width == 8;
}

/* A run of places: width, seed, first, step, number. */
struct run {
	unsigned int width;
	uint64_t seed, first, step, n;
};

/* @p most: bytes that may be accessed */
static bool
take_run(struct agent *a, uint64_t most, struct run *ret)
{
	*ret = (struct run){(unsigned int)a->arg[0], a->arg[1], a->arg[2], a->arg[3], a->arg[4]};
	if (is_width(a->arg[0]) && most >= ret->width && ret->first % ret->width == 0 &&
	    ret->step % ret->width == 0 && ret->n > 0 && ret->n < 1 << 24 && ret->step <= most &&
	    ret->first <= most - ret->width &&
	    (ret->n - 1) * ret->step <= most - ret->width - ret->first)
		return true;
	return agent_no(a, "places are outside, or not aligned");
}

static bool
run_stores(struct agent *a)
{
	uint8_t *window = a->port->window;
	struct run r;
	uint64_t i;

	if (!take_run(a, a->port->window_size, &r))
		return false;
	for (i = 0; i < r.n; i++)
		access_store(window + r.first + i * r.step,
			     value_of(r.seed, r.first + i * r.step, r.width), r.width);
	access_fence();
	return agent_ok(a, "%" PRIu64, r.n);
}

static bool
run_fill(struct agent *a)
{
	struct run r;
	uint64_t i, at, v;

	if (!take_run(a, agent_region_len(a), &r))
		return false;
	for (i = 0; i < r.n; i++) {
		at = r.first + i * r.step;
		v = value_of(r.seed, at, r.width);
		memcpy(agent_region(a) + at, &v, r.width);
	}
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return agent_ok(a, "%" PRIu64, r.n);
}

/* How many places differ, and of the first: where, what was there, what should be. */
static bool
compare_run(struct agent *a, bool window)
{
	uint64_t i, at, got, wrong = 0, first[3] = {0, 0, 0};
	struct run r;

	if (!take_run(a, window ? a->port->window_size : agent_region_len(a), &r))
		return false;
	for (i = 0; i < r.n; i++) {
		at = r.first + i * r.step;
		got = window ? access_load((uint8_t *)a->port->window + at, r.width) : 0;
		if (!window)
			memcpy(&got, agent_region(a) + at, r.width);
		if (got == value_of(r.seed, at, r.width))
			continue;
		if (wrong++ == 0) {
			first[0] = at;
			first[1] = got;
			first[2] = value_of(r.seed, at, r.width);
		}
	}
	return agent_ok(a, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, wrong, first[0],
			first[1], first[2]);
}

static bool
run_match(struct agent *a)
{
	return compare_run(a, false);
}

static bool
run_loads(struct agent *a)
{
	return compare_run(a, true);
}

static bool
run_paint(struct agent *a)
{
	memset(agent_region(a), PAINT, agent_region_len(a));
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return agent_ok(a, "0");
}

/* How many bytes are not as they were painted, and the first. */
static bool
run_painted(struct agent *a)
{
	const uint8_t *at = agent_region(a);
	uint64_t i, changed = 0, first = 0, len = agent_region_len(a);

	for (i = 0; i < len; i++)
		if (at[i] != PAINT && changed++ == 0)
			first = i;
	return agent_ok(a, "%" PRIu64 " %" PRIu64, changed, first);
}

static bool
run_put(struct agent *a)
{
	if (!agent_has_word(agent_region_len(a), a->arg[0]))
		return agent_no(a, "offset");
	__atomic_store_n((uint64_t *)(void *)(agent_region(a) + a->arg[0]), a->arg[1],
			 __ATOMIC_SEQ_CST);
	return agent_ok(a, "0");
}

static bool
run_get(struct agent *a)
{
	if (!agent_has_word(agent_region_len(a), a->arg[0]))
		return agent_no(a, "offset");
	return agent_ok(a, "%" PRIu64,
			__atomic_load_n((uint64_t *)(void *)(agent_region(a) + a->arg[0]),
					__ATOMIC_SEQ_CST));
}

static bool
run_store(struct agent *a)
{
	if (!agent_has_word(a->port->window_size, a->arg[0]))
		return agent_no(a, "offset");
	access_store((uint8_t *)a->port->window + a->arg[0], a->arg[1], 8);
	access_fence();
	return agent_ok(a, "0");
}

/* Store, and stop at once. */
static bool
run_store_stop(struct agent *a)
{
	if (!agent_has_word(a->port->window_size, a->arg[0]))
		return agent_no(a, "offset");
	access_store((uint8_t *)a->port->window + a->arg[0], a->arg[1], 8);
	agent_stop(a);
	return agent_ok(a, "0");
}

static bool
run_load(struct agent *a)
{
	if (!agent_has_word(a->port->window_size, a->arg[0]))
		return agent_no(a, "offset");
	return agent_ok(a, "%" PRIu64, access_load((uint8_t *)a->port->window + a->arg[0], 8));
}

/* Blocks of any length at any place, one behind the other: the same numbers
 * are drawn on both sides. */
struct blocks {
	uint64_t seed, n, from, len, drawn;
	uint8_t data[COPY_MOST];
};

static bool
next_block(struct blocks *b, uint64_t end)
{
	uint64_t i, lot = mix_value(b->seed, b->drawn++);

	b->from += b->len + lot % 61;
	b->len = 1 + (lot >> 8) % (lot & 0x800000 ? COPY_MOST : 300);
	if (b->from + b->len > end)
		return false;
	for (i = 0; i < b->len; i++)
		b->data[i] = (uint8_t)(mix_value(b->seed, b->from + i / 8 * 8) >> i % 8 * 8);
	b->n++;
	return true;
}

static bool
run_copies(struct agent *a)
{
	static struct blocks b;

	if (a->arg[1] > a->port->window_size)
		return agent_no(a, "longer than the window");
	b = (struct blocks){.seed = a->arg[0], .from = COPY_AT};
	while (next_block(&b, a->arg[1]))
		access_copy((uint8_t *)a->port->window + b.from, b.data, b.len);
	access_fence();
	return agent_ok(a, "%" PRIu64, b.n);
}

static bool
run_copied(struct agent *a)
{
	static struct blocks b;
	uint64_t wrong = 0, first = 0;

	if (a->arg[1] > agent_region_len(a))
		return agent_no(a, "longer than the region");
	b = (struct blocks){.seed = a->arg[0], .from = COPY_AT};
	while (next_block(&b, a->arg[1]))
		if (memcmp(agent_region(a) + b.from, b.data, b.len) != 0 && wrong++ == 0)
			first = b.from;
	return agent_ok(a, "%" PRIu64 " %" PRIu64 " %" PRIu64, b.n, wrong, first);
}

const struct agent_command memory_commands[] = {
	{"stores", 5, false, run_stores}, {"loads", 5, false, run_loads},
	{"fill", 5, false, run_fill},	  {"match", 5, false, run_match},
	{"paint", 0, false, run_paint},	  {"painted", 0, false, run_painted},
	{"put", 2, false, run_put},	  {"get", 1, false, run_get},
	{"store", 2, false, run_store},	  {"store_stop", 2, false, run_store_stop},
	{"load", 1, false, run_load},	  {"copies", 2, false, run_copies},
	{"copied", 2, false, run_copied}, {NULL, 0, false, NULL},
};
