/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Commands: values that are stored and looked for, here (0) and through the window (1). */

#include <string.h>

#include "agent.h"

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

/* A run of places: whose, width, seed, first, step, number. */
struct run {
	bool window;
	uint8_t *memory;
	unsigned int width;
	uint64_t seed, first, step, n;
};

static bool
take_run(struct agent *a, struct run *ret)
{
	uint64_t width = a->arg[1], most = agent_length(a, a->arg[0]);

	*ret = (struct run){a->arg[0],
			    agent_memory(a, a->arg[0]),
			    (unsigned int)width,
			    a->arg[2],
			    a->arg[3],
			    a->arg[4],
			    a->arg[5]};
	if ((width == 1 || width == 2 || width == 4 || width == 8) && most >= width &&
	    ret->first % width == 0 && ret->step % width == 0 && ret->n > 0 && ret->n < 1 << 24 &&
	    ret->step <= most && ret->first <= most - width &&
	    (ret->n - 1) * ret->step <= most - width - ret->first)
		return true;
	a->no = "places are outside, or not aligned";
	return false;
}

static uint64_t
value_of(const struct run *r, uint64_t at)
{
	return mix_value(r->seed, at) & (r->width == 8 ? UINT64_MAX : (1ull << 8 * r->width) - 1);
}

static void
run_stores(struct agent *a)
{
	struct run r;
	uint64_t i, at, v;

	if (!take_run(a, &r))
		return;
	for (i = 0; i < r.n; i++) {
		at = r.first + i * r.step;
		v = value_of(&r, at);
		if (r.window)
			access_store(r.memory + at, v, r.width);
		else
			memcpy(r.memory + at, &v, r.width);
	}
	access_fence();
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* How many places differ, and of the first: where, what was there, what should be. */
static void
run_match(struct agent *a)
{
	uint64_t i, at, got, wrong = 0, first[3] = {0, 0, 0};
	struct run r;

	if (!take_run(a, &r))
		return;
	for (i = 0; i < r.n; i++) {
		at = r.first + i * r.step;
		got = r.window ? access_load(r.memory + at, r.width) : 0;
		if (!r.window)
			memcpy(&got, r.memory + at, r.width);
		if (got != value_of(&r, at) && wrong++ == 0) {
			first[0] = at;
			first[1] = got;
			first[2] = value_of(&r, at);
		}
	}
	agent_say(a, (int64_t)wrong);
	for (i = 0; i < 3; i++)
		agent_say(a, (int64_t)first[i]);
}

static void
run_paint(struct agent *a)
{
	memset(agent_memory(a, false), PAINT, agent_length(a, false));
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* How many bytes are not as they were painted, and the first. */
static void
run_painted(struct agent *a)
{
	const uint8_t *at = agent_memory(a, false);
	uint64_t i, changed = 0, first = 0, len = agent_length(a, false);

	for (i = 0; i < len; i++)
		if (at[i] != PAINT && changed++ == 0)
			first = i;
	agent_say(a, (int64_t)changed);
	agent_say(a, (int64_t)first);
}

static void
run_put(struct agent *a)
{
	uint8_t *at = agent_memory(a, a->arg[0]) + a->arg[1];

	if (a->arg[0])
		access_store(at, a->arg[2], 8);
	else
		__atomic_store_n((uint64_t *)(void *)at, a->arg[2], __ATOMIC_SEQ_CST);
	access_fence();
}

static void
run_get(struct agent *a)
{
	uint8_t *at = agent_memory(a, a->arg[0]) + a->arg[1];

	agent_say(a,
		  (int64_t)(a->arg[0] ? access_load(at, 8)
				      : __atomic_load_n((uint64_t *)(void *)at, __ATOMIC_SEQ_CST)));
}

/* Store, and stop at once. */
static void
run_put_stop(struct agent *a)
{
	access_store(agent_memory(a, a->arg[0]) + a->arg[1], a->arg[2], 8);
	agent_stop(a);
}

/* Blocks of any length at any place, one behind the other, up to an end: through the window they
 * are stored, here they are compared, as the same numbers are drawn on both sides. How many, how
 * many are wrong, and the first of those. */
static void
run_blocks(struct agent *a)
{
	static uint8_t data[COPY_MOST];
	uint64_t seed = a->arg[1], end = a->arg[2], from = COPY_AT, len = 0, n = 0, lot, i;
	uint64_t wrong = 0, first = 0;
	uint8_t *memory = agent_memory(a, a->arg[0]);

	if (end > agent_length(a, a->arg[0])) {
		a->no = "longer than the memory";
		return;
	}
	for (;; n++) {
		lot = mix_value(seed, n);
		from += len + lot % 61;
		len = 1 + (lot >> 8) % (lot & 0x800000 ? COPY_MOST : 300);
		if (from + len > end)
			break;
		for (i = 0; i < len; i++)
			data[i] = (uint8_t)(mix_value(seed, from + i / 8 * 8) >> i % 8 * 8);
		if (a->arg[0])
			access_copy(memory + from, data, len);
		else if (memcmp(memory + from, data, len) != 0 && wrong++ == 0)
			first = from;
	}
	access_fence();
	agent_say(a, (int64_t)n);
	agent_say(a, (int64_t)wrong);
	agent_say(a, (int64_t)first);
}

const struct agent_command memory_commands[] = {
	{"stores", 6, 0, run_stores},
	{"match", 6, 0, run_match},
	{"paint", 0, 0, run_paint},
	{"painted", 0, 0, run_painted},
	{"put", 3, AGENT_PLACE, run_put},
	{"get", 2, AGENT_PLACE, run_get},
	{"put_stop", 3, AGENT_PLACE, run_put_stop},
	{"blocks", 3, 0, run_blocks},
	{NULL, 0, 0, NULL},
};
