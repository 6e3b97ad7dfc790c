/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <rte_atomic.h>
#include <rte_pause.h>

#include "rates.h"

enum {
	ROW_MS = 4,
	SAMPLES = 3,
	SLOW_MS = 50,
	PINGS = 20000,
	PING_MS = 2000, /* at most */
};

/* ---- bandwidth ---- */

static void
copy_words(struct session *s, uint8_t *to, const uint8_t *from, size_t size)
{
	const uint64_t *words = (const uint64_t *)(const void *)from;
	size_t i;

	(void)s;
	for (i = 0; i < size / sizeof(port_word); i++)
		store_word((port_word *)(void *)to + i, words[i]);
}

static void
copy_fenced(struct session *s, uint8_t *to, const uint8_t *from, size_t size)
{
	const uint64_t *words = (const uint64_t *)(const void *)from;
	size_t i;

	(void)s;
	for (i = 0; i < size / sizeof(port_word); i++) {
		store_word((port_word *)(void *)to + i, words[i]);
		store_fence();
	}
}

static void
copy_memcpy(struct session *s, uint8_t *to, const uint8_t *from, size_t size)
{
	(void)s;
	memcpy(to, from, size);
}

static void
copy_stream(struct session *s, uint8_t *to, const uint8_t *from, size_t size)
{
	(void)s;
	(void)from;
	store_stream((port_word *)(void *)to, size, (unsigned int)(size / sizeof(port_word)));
	store_fence();
}

static void
copy_back(struct session *s, uint8_t *to, const uint8_t *from, size_t size)
{
	(void)from;
	(void)to;
	/* into private memory, which is not looked at */
	memcpy((void *)(uintptr_t)from, (uint8_t *)s->out + DATA_AT, size);
	rte_compiler_barrier();
}

static const struct method {
	const char *name;
	void (*copy)(struct session *s, uint8_t *to, const uint8_t *from, size_t size);
	size_t most; /* bytes */
} methods[] = {
	{"words", copy_words, 1 << 22},	  {"fenced words", copy_fenced, 1 << 16},
	{"memcpy", copy_memcpy, 1 << 22}, {"stream", copy_stream, 1 << 22},
	{"read", copy_back, 1 << 16},
};

enum {
	METHODS = sizeof(methods) / sizeof(methods[0])
};

/* Bytes a second, and in @p ret_ns the time for one block, about. */
static double
sample_rate(struct session *s, const struct method *m, uint8_t *from, size_t size, uint64_t *ret_ns)
{
	uint64_t begin = clock_ns(), now, n = 0;

	do {
		m->copy(s, (uint8_t *)s->out + DATA_AT, from, size);
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
measure_method(struct session *s, struct result *r, const struct method *m, uint8_t *from)
{
	size_t size, most = s->len - DATA_AT < m->most ? s->len - DATA_AT : m->most;
	uint64_t block_ns = 0;
	double rate, best;
	int i;

	for (size = 64; size <= most && block_ns < SLOW_MS * 1000000ull; size *= 4) {
		for (best = 0, i = 0; i < SAMPLES; i++) {
			rate = sample_rate(s, m, from, size, &block_ns);
			best = rate > best ? rate : best;
		}
		if (r->speeds < ROWS_MAX)
			r->speed[r->speeds++] = (struct result_speed){m->name, size, best};
	}
}

static bool
measure_rates(struct session *s, struct result *r)
{
	uint8_t *from = aligned_alloc(SLOT, 1 << 22);
	unsigned int i;

	if (!from)
		return session_end(s, "no memory to copy from");
	memset(from, 1, 1 << 22);
	/* a step for each, as the other side waits */
	for (i = 0; i < 2 * METHODS; i++) {
		if (!session_step(s, "the peer to measure"))
			break;
		if ((i < METHODS) == s->first)
			measure_method(s, r, &methods[i % METHODS], from);
	}
	free(from);
	return s->ended[0] == '\0' && session_step(s, "the peer to have measured");
}

/* ---- latency ---- */

static int
compare_ns(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void
keep_latency(struct result *r, uint64_t *ns, uint64_t n)
{
	uint64_t i;
	long bin;

	qsort(ns, n, sizeof(*ns), compare_ns);
	r->latency_count = n;
	r->latency_min = ns[0];
	r->latency_median = ns[n / 2];
	r->latency_p99 = ns[n * 99 / 100];
	r->latency_max = ns[n - 1];
	r->bin_first = (double)(ns[0] > 0 ? ns[0] : 1);
	for (i = 0; i < n; i++) {
		bin = lround(8 * log2((double)(ns[i] > 0 ? ns[i] : 1) / r->bin_first));
		r->bin[bin < BINS ? bin : BINS - 1]++;
	}
}

/* A word there and one back; half of that is one way. */
static bool
ping_peer(struct session *s, struct result *r)
{
	uint64_t *ns = calloc(PINGS, sizeof(*ns)), begin = clock_ns(), from, i;
	bool ok = ns != NULL;

	if (!ok)
		return session_end(s, "no memory for latencies");
	for (i = 0; i < PINGS && ok && clock_ns() < begin + PING_MS * 1000000ull; i++) {
		struct pause p = {.watch = &s->watch, .what = "an answer"};

		from = clock_ns();
		store_word(&s->out->ping, i + 1);
		store_fence();
		while (ok && atomic_load_explicit(&s->in->ping, memory_order_acquire) != i + 1)
			ok = pause_once(&p);
		ns[i] = (clock_ns() - from) / 2;
	}
	store_word(&s->out->ping, GIVEN_UP);
	store_fence();
	if (ok)
		keep_latency(r, ns, i);
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
		store_fence();
	}
}

/* Both sides learn the first one's figures. */
static bool
measure_latency(struct session *s, struct result *r)
{
	uint64_t mine[VALUES] = {0}, theirs[VALUES];
	unsigned int i, at;

	if (!session_step(s, "the peer to begin") ||
	    !(s->first ? ping_peer(s, r) : answer_pings(s)))
		return false;
	for (at = 0; at < BINS; at += VALUES) {
		for (i = 0; i < VALUES; i++)
			mine[i] = r->bin[at + i];
		if (!session_values(s, mine, theirs))
			return false;
		for (i = 0; i < VALUES && !s->first; i++)
			r->bin[at + i] = theirs[i];
	}
	mine[0] = r->latency_count;
	mine[1] = r->latency_min;
	mine[2] = r->latency_median;
	mine[3] = r->latency_p99;
	mine[4] = r->latency_max;
	if (!session_values(s, mine, theirs))
		return false;
	if (!s->first) {
		r->latency_count = theirs[0];
		r->latency_min = theirs[1];
		r->latency_median = theirs[2];
		r->latency_p99 = theirs[3];
		r->latency_max = theirs[4];
		r->bin_first = (double)(theirs[1] > 0 ? theirs[1] : 1);
	}
	return true;
}

bool
check_speed(struct session *s, struct result *r)
{
	return measure_rates(s, r) && measure_latency(s, r);
}
