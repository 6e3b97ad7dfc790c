/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>
#include <string.h>

#include <rte_atomic.h>
#include <rte_common.h>

#include "rates.h"

enum {
	ROW_MS = 4,
	SAMPLES = 3,
	SLOW_MS = 50,
	BLOCK_MOST = 1 << 22,
	PINGS = 20000,
	PING_MS = 2000, /* at most */
};

/* ---- bandwidth ---- */

enum method {
	WORDS,
	FENCED_WORDS,
	MEMCPY,
	STREAM,
	READ,
	METHODS,
};

static const struct {
	const char *name;
	size_t most; /* bytes */
} methods[METHODS] = {
	[WORDS] = {"words", BLOCK_MOST},   [FENCED_WORDS] = {"fenced words", 1 << 16},
	[MEMCPY] = {"memcpy", BLOCK_MOST}, [STREAM] = {"stream", BLOCK_MOST},
	[READ] = {"read", 1 << 16},
};

static void
move_block(enum method m, uint8_t *window, uint8_t *block, size_t size)
{
	const uint64_t *words = (const uint64_t *)(const void *)block;
	size_t i;

	switch (m) {
	case MEMCPY:
		access_copy(window, block, size);
		break;
	case STREAM:
		access_stream(window, block, size);
		access_fence();
		break;
	case READ:
		memcpy(block, window, size);
		rte_compiler_barrier(); /* it is done, although nobody looks at it */
		break;
	default:
		for (i = 0; i < size / sizeof(port_word); i++) {
			store_word((port_word *)(void *)window + i, words[i]);
			if (m == FENCED_WORDS)
				access_fence();
		}
	}
}

/* Bytes a second, and in @p ret_ns the time for one block, about. */
static double
sample_rate(struct session *s, enum method m, uint8_t *block, size_t size, uint64_t *ret_ns)
{
	uint64_t begin = clock_ns(), now, n = 0;

	do {
		move_block(m, (uint8_t *)s->out + DATA_AT, block, size);
		n++;
		now = clock_ns();
	} while (now < begin + ROW_MS * 1000000ull);
	ntb_flush(s->port);
	now = clock_ns() - begin;
	*ret_ns = now / n;
	return (double)(n * size) * 1e9 / (double)now;
}

/* The best of some samples: another program's time slice must not count. Where one block takes
 * long, larger ones would only make the peer wait. */
static void
measure_method(struct session *s, enum method m, uint8_t *block)
{
	size_t size, most = RTE_MIN(s->len - DATA_AT, methods[m].most);
	uint64_t block_ns = 0;
	double rate, best;
	int i;

	for (size = 64; size <= most && block_ns < SLOW_MS * 1000000ull; size *= 4) {
		for (best = 0, i = 0; i < SAMPLES; i++) {
			rate = sample_rate(s, m, block, size, &block_ns);
			best = rate > best ? rate : best;
		}
		json_array_append_new(s->bandwidth,
				      json_pack("{s:s,s:I,s:f}", "method", methods[m].name, "size",
						(json_int_t)size, "bytes_per_s", best));
	}
}

static bool
measure_rates(struct session *s)
{
	uint8_t *block = aligned_alloc(SLOT, BLOCK_MOST);
	unsigned int i;

	if (!block)
		return session_end(s, "no memory to copy from");
	memset(block, 1, BLOCK_MOST);
	/* a step for each, as the other side waits */
	for (i = 0; i < 2 * METHODS; i++) {
		if (!session_step(s, "the peer to measure"))
			break;
		if ((i < METHODS) == s->first)
			measure_method(s, (enum method)(i % METHODS), block);
	}
	free(block);
	return s->ended[0] == '\0' && session_step(s, "the peer to have measured");
}

/* ---- latency ---- */

static int
compare_ns(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* A word there and one back; half of that is one way. In @p ret how many, and the least, middle,
 * 99th percentile and most nanoseconds. */
static bool
ping_peer(struct session *s, uint64_t ret[VALUES])
{
	uint64_t *ns = calloc(PINGS, sizeof(*ns)), begin = clock_ns(), from, n;
	bool ok = ns != NULL;

	if (!ok)
		return session_end(s, "no memory for latencies");
	for (n = 0; n < PINGS && ok && clock_ns() < begin + PING_MS * 1000000ull; n++) {
		struct pause p = {.watch = &s->watch, .what = "an answer"};

		from = clock_ns();
		store_word(&s->out->ping, n + 1);
		access_fence();
		while (ok && atomic_load_explicit(&s->in->ping, memory_order_acquire) != n + 1)
			ok = pause_once(&p);
		ns[n] = (clock_ns() - from) / 2;
	}
	store_word(&s->out->ping, GIVEN_UP);
	access_fence();
	qsort(ns, n, sizeof(*ns), compare_ns);
	ret[0] = n;
	ret[1] = ns[0];
	ret[2] = ns[n / 2];
	ret[3] = ns[n * 99 / 100];
	ret[4] = ns[n - 1];
	free(ns);
	return ok;
}

static bool
answer_pings(struct session *s)
{
	struct pause p = {.watch = &s->watch, .what = "a word to answer"};
	uint64_t seen = 0, now;

	for (;;) {
		now = atomic_load_explicit(&s->in->ping, memory_order_acquire);
		if (now == GIVEN_UP)
			return true;
		if (now == seen) {
			if (!pause_once(&p))
				return false;
			continue;
		}
		p.end = 0;
		seen = now;
		store_word(&s->out->ping, seen);
		access_fence();
	}
}

/* Both sides learn the first one's figures. */
static bool
measure_latency(struct session *s)
{
	uint64_t mine[VALUES] = {0}, theirs[VALUES];
	const uint64_t *found = s->first ? mine : theirs;

	if (!session_step(s, "the peer to begin") ||
	    !(s->first ? ping_peer(s, mine) : answer_pings(s)) || !session_values(s, mine, theirs))
		return false;
	json_decref(s->latency);
	s->latency = json_pack("{s:I,s:I,s:I,s:I,s:I}", "count", (json_int_t)found[0], "min",
			       (json_int_t)found[1], "median", (json_int_t)found[2], "p99",
			       (json_int_t)found[3], "max", (json_int_t)found[4]);
	return true;
}

bool
measure_speed(struct session *s)
{
	return measure_rates(s) && measure_latency(s);
}
