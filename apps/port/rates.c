/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Commands: how fast blocks get through the window, and words there and back. */

#include <stdlib.h>
#include <string.h>

#include <rte_atomic.h>
#include <rte_common.h>

#include "agent.h"
#include "wait.h"

enum {
	ROW_MS = 4,
	SAMPLES = 3,
	BLOCK_MOST = 1 << 22,
	PINGS_MOST = 20000,
	PING_MS = 2000,	 /* at most */
	WAIT_MS = 10000, /* for one word */
};

#define NO_MORE UINT64_MAX /* words to answer */

static uint8_t block[BLOCK_MOST] __attribute__((aligned(SLOT)));

static void
move_words(uint8_t *window, size_t size, bool fenced)
{
	const uint64_t *words = (const uint64_t *)(const void *)block;
	size_t i;

	for (i = 0; i < size / sizeof(port_word); i++) {
		store_word((port_word *)(void *)window + i, words[i]);
		if (fenced)
			access_fence();
	}
}

/* @return false: no such way */
static bool
move_block(const char *method, uint8_t *window, size_t size)
{
	if (strcmp(method, "words") == 0) {
		move_words(window, size, false);
	} else if (strcmp(method, "fenced-words") == 0) {
		move_words(window, size, true);
	} else if (strcmp(method, "memcpy") == 0) {
		access_copy(window, block, size);
	} else if (strcmp(method, "stream") == 0) {
		access_stream(window, block, size);
		access_fence();
	} else if (strcmp(method, "read") == 0) {
		access_fetch(block, window, size);
		rte_compiler_barrier(); /* it is done, although nobody looks at it */
	} else {
		return false;
	}
	return true;
}

/* Bytes a second, the best of some samples, as another program's time slice must not count; and the
 * nanoseconds of a block. */
static void
run_rate(struct agent *a)
{
	uint8_t *window = agent_memory(a, true) + DATA_AT;
	uint64_t size = a->arg[0], begin, now, n;
	double rate, best = 0;
	int i;

	if (size < LINE || size > BLOCK_MOST || DATA_AT + size > agent_length(a, true) ||
	    !move_block(a->word, window, LINE)) {
		a->no = "no such way, or size";
		return;
	}
	for (i = 0; i < SAMPLES; i++) {
		begin = clock_ns();
		n = 0;
		do {
			move_block(a->word, window, size);
			n++;
			now = clock_ns();
		} while (now < begin + ROW_MS * 1000000ull);
		agent_flush(a);
		rate = (double)(n * size) * 1e9 / (double)(clock_ns() - begin);
		best = rate > best ? rate : best;
	}
	agent_say(a, (int64_t)best);
	agent_say(a, (int64_t)((double)size * 1e9 / best));
}

/* The peer's next word; 0: it did not come in time. */
static uint64_t
await_ping(const struct agent *a, uint64_t last)
{
	struct pause p = {.limit_ms = WAIT_MS};
	uint64_t now;

	/* acquire, as for all words of the peer */
	while ((now = atomic_load_explicit(&agent_region(a, false)->ping, memory_order_acquire)) ==
	       last)
		if (!pause_once(&p))
			return 0;
	return now;
}

static void
store_ping(const struct agent *a, uint64_t value)
{
	store_word(&agent_region(a, true)->ping, value);
	access_fence();
}

static int
compare_ns(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Words there and back; half of that is one way. How many came back, and the least, middle, 99th
 * percentile and most nanoseconds. */
static void
run_ping(struct agent *a)
{
	static uint64_t ns[PINGS_MOST];
	uint64_t n, from, begin = clock_ns();

	for (n = 0; n < PINGS_MOST && clock_ns() < begin + PING_MS * 1000000ull; n++) {
		from = clock_ns();
		store_ping(a, n + 1);
		if (await_ping(a, n) != n + 1)
			break;
		ns[n] = (clock_ns() - from) / 2;
	}
	store_ping(a, NO_MORE);
	qsort(ns, n, sizeof(*ns), compare_ns);
	agent_say(a, (int64_t)n);
	agent_say(a, (int64_t)ns[0]);
	agent_say(a, (int64_t)ns[n / 2]);
	agent_say(a, (int64_t)ns[n * 99 / 100]);
	agent_say(a, (int64_t)ns[n > 0 ? n - 1 : 0]);
}

/* Answer them. How many came. */
static void
run_pong(struct agent *a)
{
	uint64_t last = 0, now;

	while ((now = await_ping(a, last)) != 0 && now != NO_MORE) {
		store_ping(a, now);
		last = now;
	}
	agent_say(a, (int64_t)last);
}

const struct agent_command rate_commands[] = {
	{"rate", 1, AGENT_WORD | AGENT_REGION, run_rate},
	{"ping", 0, AGENT_REGION, run_ping},
	{"pong", 0, AGENT_REGION, run_pong},
	{NULL, 0, 0, NULL},
};
