/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "weak/weak.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "weak/posted.h"

/*
 * An adversary for order, in builds with -Dweak_window=true. What it may do is what the rules of
 * write combining and of posted writes allow, and no more: bytes of one line merge, an aligned word
 * stays whole, a later store to a byte replaces an earlier one, a thread's own loads see its
 * stores.
 */
enum {
	LINE = 64,
	WORD = 8,
	LINES = 48,   /* in the buffer; one that is full drains one line */
	LOADED = 32,  /* lines whose contents at the last load are remembered */
	WINDOWS = 8,  /* as many as a host has ports */
	ODDS = 4,     /* of so many stores, one drains a word; in half of the threads none does */
	PAUSES = 512, /* of so many words that drain, one takes long */
};

struct line {
	uintptr_t at;
	uint64_t mask; /* bytes that are there */
	uint8_t data[LINE];
};

static struct {
	uintptr_t va;
	size_t len;
} windows[WINDOWS];
static unsigned int n_windows;

/* Owner: the thread. */
static __thread struct {
	struct line line[LINES], loaded[LOADED];
	unsigned int n;
	uint64_t random;
	bool known, lazy;
} mine;

static pthread_key_t key;

/* A context switch drains the buffers of a CPU; no other one need be counted on. */
static void drain_all(void);

static void
at_thread_end(void *arg)
{
	(void)arg;
	drain_all();
}

/* The stores of the parent are the parent's. */
static void
in_child(void)
{
	mine.n = 0;
}

void
rb_weak_window(const void *va, size_t len)
{
	if (n_windows == 0) {
		pthread_key_create(&key, at_thread_end);
		pthread_atfork(NULL, NULL, in_child);
	}
	if (n_windows == WINDOWS)
		abort();
	windows[n_windows].va = (uintptr_t)va;
	windows[n_windows++].len = len;
}

/* The window's number, n_windows: in none. */
static unsigned int
window_of(uintptr_t at)
{
	unsigned int i;

	for (i = 0; i < n_windows && at - windows[i].va >= windows[i].len; i++)
		;
	return i;
}

static bool
in_window(uintptr_t at)
{
	return window_of(at) != n_windows;
}

static uint32_t
draw_below(uint32_t below)
{
	while (mine.random == 0) /* which lab/dst draws from its seed */
		getentropy(&mine.random, sizeof(mine.random));
	mine.random = mine.random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(mine.random >> 33) % below;
}

/* Write what there is of an aligned word. Two aligned halves are words too; a descriptor's last
 * half is one. */
static void
write_word(struct line *l, unsigned int off)
{
	unsigned int window = window_of(l->at);
	uint64_t bits = l->mask >> off & 0xFF;
	uint8_t *to = (uint8_t *)l->at + off;
	uint64_t v8;
	uint32_t v4;

	if (bits == 0xFF) {
		memcpy(&v8, l->data + off, 8);
		rb_weak_post(window, to, v8, 8);
	} else if (bits == 0x0F || bits == 0xF0) {
		off += bits == 0xF0 ? 4 : 0;
		to += bits == 0xF0 ? 4 : 0;
		memcpy(&v4, l->data + off, 4);
		rb_weak_post(window, to, v4, 4);
	} else {
		for (unsigned int i = 0; i < WORD; i++)
			if (bits >> i & 1)
				rb_weak_post(window, to + i, l->data[off + i], 1);
	}
	l->mask &= ~(0xFFull << off / WORD * WORD);
	if (draw_below(PAUSES) == 0)
		usleep(100);
}

static void
drop_line(struct line *l)
{
	*l = mine.line[--mine.n];
}

/* Some word of some line. */
static void
drain_word(void)
{
	struct line *l = &mine.line[draw_below(mine.n)];
	unsigned int off = draw_below(LINE / WORD) * WORD;

	while ((l->mask >> off & 0xFF) == 0)
		off = (off + WORD) % LINE;
	write_word(l, off);
	if (l->mask == 0)
		drop_line(l);
}

static void
drain_line(struct line *l)
{
	unsigned int first = draw_below(LINE / WORD);

	for (unsigned int i = 0; i < LINE / WORD; i++)
		write_word(l, (first + i) % (LINE / WORD) * WORD);
	drop_line(l);
}

static void
drain_all(void)
{
	while (mine.n != 0)
		drain_word();
}

static struct line *
line_at(uintptr_t at)
{
	for (unsigned int i = 0; i < mine.n; i++)
		if (mine.line[i].at == at)
			return &mine.line[i];
	return NULL;
}

static struct line *
new_line(uintptr_t at)
{
	if (!mine.known) {
		mine.known = true;
		mine.lazy = draw_below(2) == 0;
		pthread_setspecific(key, &mine);
	}
	if (mine.n == LINES)
		drain_line(&mine.line[draw_below(LINES)]);
	mine.line[mine.n] = (struct line){.at = at};
	return &mine.line[mine.n++];
}

/* The remembered contents of a line; the slot for it otherwise. */
static struct line *
loaded_at(uintptr_t at)
{
	return &mine.loaded[at / LINE % LOADED];
}

bool
rb_weak_store(void *dst, const void *src, size_t len)
{
	uintptr_t at = (uintptr_t)dst;
	const uint8_t *from = src;

	if (!in_window(at))
		return false;
	while (len != 0) {
		uintptr_t base = at & ~(uintptr_t)(LINE - 1);
		size_t off = at - base, n = LINE - off < len ? LINE - off : len;
		struct line *l = line_at(base);

		if (l == NULL)
			l = new_line(base);
		memcpy(l->data + off, from, n);
		l->mask |= (n == LINE ? ~0ull : (1ull << n) - 1) << off;
		loaded_at(base)->at = 0;
		if (!mine.lazy && draw_below(ODDS) == 0)
			drain_word();
		at += n;
		from += n;
		len -= n;
	}
	return true;
}

static void
read_line(struct line *l, uintptr_t base)
{
	const uint64_t *from = (const uint64_t *)base;

	l->at = base;
	for (unsigned int i = 0; i < LINE / WORD; i++) {
		uint64_t v = __atomic_load_n(&from[i], __ATOMIC_ACQUIRE);

		memcpy(l->data + i * WORD, &v, WORD);
	}
}

bool
rb_weak_load(void *dst, const void *src, size_t len)
{
	uintptr_t at = (uintptr_t)src;
	uint8_t *to = dst;

	if (!in_window(at))
		return false;
	while (len != 0) {
		uintptr_t base = at & ~(uintptr_t)(LINE - 1);
		size_t off = at - base, n = LINE - off < len ? LINE - off : len;
		struct line *own = line_at(base), *l = loaded_at(base);

		if (own != NULL)
			drain_line(own);
		rb_weak_push(src);
		if (l->at != base)
			read_line(l, base);
		memcpy(to, l->data + off, n);
		read_line(l, base); /* what the next load may have read by now */
		at += n;
		to += n;
		len -= n;
	}
	return true;
}

/* "kind where", separated by commas. */
bool
rb_weak_skips(const char *kind, const char *where)
{
	static const char *skip;
	size_t k = strlen(kind), w = strlen(where);
	const char *at;

	if (skip == NULL)
		skip = getenv("RINGBELL_WEAK_SKIP") != NULL ? getenv("RINGBELL_WEAK_SKIP") : "";
	for (at = skip; *at != '\0'; at += strcspn(at, ","), at += *at == ',')
		if (strncmp(at, kind, k) == 0 && at[k] == ' ' &&
		    strncmp(at + k + 1, where, w) == 0 &&
		    (at[k + 1 + w] == '\0' || at[k + 1 + w] == ','))
			return true;
	return false;
}

void
rb_weak_store_fence(const char *kind, const char *where)
{
	if (mine.n != 0 && !rb_weak_skips(kind, where))
		drain_all();
}

void
rb_weak_push(const void *window)
{
	unsigned int i = window_of((uintptr_t)window);

	if (i < n_windows)
		rb_weak_land(i);
}

void
rb_weak_load_fence(const char *kind, const char *where)
{
	if (rb_weak_skips(kind, where))
		return;
	for (unsigned int i = 0; i < LOADED; i++)
		mine.loaded[i].at = 0;
}
