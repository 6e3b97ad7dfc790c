/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caller.h"
#include "error.h"
#include "heap.h"
#include "race.h"
#include "race_log.h"
#include "state.h"
#include "where.h"

/*
 * Vector clocks. A PE numbers its accesses in two rows: those that are complete when their call
 * returns (gets, what a blocking put reads), and later ones, which a fence orders for one target
 * and a quiet for all (section 9.12). known(t, s, row) is the last access of PE s to memory of PE t
 * that is ordered before what this PE does next: by a collective, or because this PE saw a word
 * that s stored, an atomic of s, its signal or its lock. An access of another PE that is not known
 * races with one to the same bytes, unless both read or both are atomics. An access of this PE
 * itself does so while it is a later one, if one of the two reads.
 *
 * Each record says what a PE knows that sees it. What the writer knew of others is a view: a copy
 * that it made when that changed last. Old views are overwritten; a newer one knows more, so that
 * races may be missed, and none is made up. So it is with all that is coarse here: a PE that waits
 * for a word without a record, since a plain store or a forgotten access changed it, then knows
 * all that was done so far.
 */
static struct {
	pthread_mutex_t lock; /* all of this: threads of a PE count as one */
	uint64_t clock[2];    /* accesses so far: complete ones, later ones */
	uint64_t fenced, quiet;
	uint64_t epoch[2];
	bool fetches; /* a nonblocking fetch since the last quiet */
	uint64_t *known, *other;
	uint64_t *settled; /* what all PEs know since the last but one barrier or the like */
	uint64_t *views;   /* symmetric */
	struct race_copy held;
} race = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* While a thread waits for another PE's log, it may go on with a posted collective, whose fiber
 * wants the lock too. So nobody sleeps for it, and a fiber lets its thread go on. */
static void
take_lock(void)
{
	struct rb_wait w = {.leaves = true};

	while (pthread_mutex_trylock(&race.lock) != 0)
		rb_wait_turn(&w);
	rb_wait_end(&w);
}

size_t
shmemi_race_words(void)
{
	return (size_t)shmemi.npes * (size_t)shmemi.npes * 2;
}

static uint64_t *
known_of(uint64_t *clocks, int target, int pe, bool later)
{
	return &clocks[((size_t)target * (size_t)shmemi.npes + (size_t)pe) * 2 + later];
}

static void
raise_to(uint64_t *word, uint64_t v)
{
	if (*word < v)
		*word = v;
}

size_t
shmemi_race_bytes(void)
{
	return sizeof(struct race_log) + RACE_VIEWS * 2 * sizeof(uint64_t) * RACE_PES * RACE_PES +
	       4 * SHMEMI_HEAP_ALIGN;
}

int
shmemi_race_open(const char *call)
{
	size_t bytes = shmemi_race_words() * sizeof(uint64_t);

	if (shmemi.npes > RACE_PES) {
		rb_report("%s: SHMEM_CHECK=races is for up to %d PEs", call, RACE_PES);
		return -EINVAL;
	}
	race.views = shmemi_heap_alloc(SHMEMI_HEAP_ALIGN, RACE_VIEWS * bytes);
	race.known = calloc(3, bytes);
	if (race.views == NULL || race.known == NULL || race_log_open() != 0) {
		shmemi_race_close();
		return -ENOMEM;
	}
	race.other = race.known + shmemi_race_words();
	race.settled = race.other + shmemi_race_words();
	memset(race.views, 0, RACE_VIEWS * bytes);
	memset(race.clock, 0, sizeof(race.clock));
	race.fenced = race.quiet = 0;
	return 0;
}

void
shmemi_race_close(void)
{
	race_log_close();
	free(race.known);
	race.known = NULL;
}

/* ---- what this PE knows ---- */

/* Others read a view while this PE may write the next one. Counts only grow: any mixture of two is
 * between them. */
static void
save_view(void)
{
	struct race_log *log = race_log_mine();
	uint64_t number = log->view + 1, *v;
	size_t i, n = shmemi_race_words();

	v = race.views + number % RACE_VIEWS * n;
	for (i = 0; i < n; i++)
		__atomic_store_n(&v[i], race.known[i], __ATOMIC_RELAXED);
	/* release: whoever learns of the number finds the view */
	__atomic_store_n(&log->view, number, __ATOMIC_RELEASE);
	race.epoch[0]++;
}

static void
join_clocks(const uint64_t *clocks)
{
	size_t i;

	for (i = 0; i < shmemi_race_words(); i++)
		raise_to(&race.known[i], clocks[i]);
}

/* All that a PE has done so far. */
static void
join_pe(int pe)
{
	uint64_t clock[2];
	int target;

	race_log_read(pe, clock, race_log_mine()->clock, sizeof(clock));
	for (target = 0; target < shmemi.npes; target++) {
		raise_to(known_of(race.known, target, pe, false), clock[0]);
		raise_to(known_of(race.known, target, pe, true), clock[1]);
	}
}

static void
join_all(void)
{
	int pe;

	for (pe = 0; pe < shmemi.npes; pe++)
		if (pe != shmemi.pe)
			join_pe(pe);
	save_view();
}

/* This PE saw an access to memory of @p at. */
static void
join_record(const struct race_record *r, int at)
{
	size_t n = shmemi_race_words();
	uint64_t newest, number = r->view;
	int target;

	for (target = 0; target < shmemi.npes; target++) {
		raise_to(known_of(race.known, target, r->pe, false), r->done);
		raise_to(known_of(race.known, target, r->pe, true),
			 target == at ? r->fenced : r->quiet);
	}
	race_log_read(r->pe, &newest, &race_log_mine()->view, sizeof(newest));
	/* the oldest place may be in use for the next view already */
	if (newest - number >= RACE_VIEWS - 1)
		number = newest;
	race_log_read(r->pe, race.other, race.views + number % RACE_VIEWS * n,
		      n * sizeof(uint64_t));
	join_clocks(race.other);
}

/* Any of the accesses whose records were overwritten may be what this PE saw. */
static bool
join_lost(const struct race_copy *c)
{
	bool any = false;
	int pe;

	for (pe = 0; pe < shmemi.npes; pe++) {
		if (pe == shmemi.pe || (c->head.lost[pe][0] | c->head.lost[pe][1]) == 0)
			continue;
		join_pe(pe);
		any = true;
	}
	return any;
}

static void
acquire_range(uint64_t name, size_t len, int pe, bool plain)
{
	const struct shmemi_span s = {(const void *)(uintptr_t)name, 1, len, len};
	struct race_copy *c = &race.held;
	bool seen = false;
	size_t i;

	race_log_take(c, pe);
	for (i = 0; i < c->head.used; i++) {
		struct race_record *r = &c->record[i];

		if (r->kind == SHMEMI_READ || !shmemi_overlap(&s, &r->span))
			continue;
		r->seen |= (plain || r->pe != shmemi.pe) && shmemi_reach(&r->span) <= len;
		if (r->pe != shmemi.pe)
			join_record(r, pe);
		else if (r->later) /* so it has happened */
			raise_to(known_of(race.known, pe, r->pe, true), r->clock);
		seen = true;
	}
	race_log_give(c, seen ? -1 : RACE_RECORDS);
	seen |= join_lost(c);
	if (!seen && plain)
		join_all();
	else if (seen)
		save_view();
}

void
shmemi_race_acquire(const void *addr, size_t len, int pe, bool plain)
{
	uint64_t name = len == 0 ? 0 : rb_sym_name(addr, len);

	take_lock();
	if (name != 0)
		acquire_range(name, len, pe, plain);
	pthread_mutex_unlock(&race.lock);
}

void
shmemi_race_acquire_later(void)
{
	race.fetches = true;
}

void
shmemi_race_fence(void)
{
	take_lock();
	race.fenced = race.clock[1];
	race.epoch[0]++;
	race.epoch[1]++;
	pthread_mutex_unlock(&race.lock);
}

void
shmemi_race_quiet(void)
{
	shmemi_race_fence();
	take_lock();
	race.quiet = race.clock[1];
	if (race.fetches)
		join_all();
	race.fetches = false;
	pthread_mutex_unlock(&race.lock);
}

/* ---- collectives ---- */

void
shmemi_race_give(uint64_t *out)
{
	int target;

	take_lock();
	memcpy(out, race.known, shmemi_race_words() * sizeof(*out));
	for (target = 0; target < shmemi.npes; target++) {
		*known_of(out, target, shmemi.pe, false) = race.clock[0];
		*known_of(out, target, shmemi.pe, true) = race.quiet;
	}
	pthread_mutex_unlock(&race.lock);
}

/* Records that all PEs know are of no use any more. Of the collective that goes on, another PE may
 * not have taken the result yet, while a thread of it takes a lock. */
static void
forget_settled(void)
{
	struct race_copy *c = &race.held;
	size_t i, kept = 0;

	race_log_take(c, shmemi.pe);
	for (i = 0; i < c->head.used; i++) {
		const struct race_record *r = &c->record[i];

		if (r->clock > *known_of(race.settled, shmemi.pe, r->pe, r->later))
			c->record[kept++] = *r;
	}
	for (i = 0; i < 2 * (size_t)shmemi.npes; i++)
		if (c->head.lost[i / 2][i % 2] <=
		    *known_of(race.settled, shmemi.pe, (int)(i / 2), i % 2 == 1))
			c->head.lost[i / 2][i % 2] = 0;
	c->head.used = kept;
	c->head.next = 0;
	race_log_give(c, -1);
}

void
shmemi_race_take(const uint64_t *known, bool all)
{
	take_lock();
	join_clocks(known);
	save_view();
	if (all) {
		forget_settled();
		memcpy(race.settled, known, shmemi_race_words() * sizeof(*known));
	}
	pthread_mutex_unlock(&race.lock);
}

/* ---- accesses ---- */

static const char *
verb_of(unsigned int kind)
{
	return kind == SHMEMI_READ    ? "read"
	       : kind == SHMEMI_WRITE ? "written"
				      : "changed by an atomic";
}

static void
place_text(const struct race_record *r, char *text, size_t size)
{
	char where[128];

	shmemi_where(shmemi_where_of(r->place), where, sizeof(where));
	snprintf(text, size, "%s%s%s", r->call, *where == '\0' ? "" : " at ", where);
}

static __attribute__((noreturn)) void
tell_race(const struct race_record *old, const struct race_record *new, int pe, const void *addr)
{
	char where[192], what[96];

	place_text(old, where, sizeof(where));
	shmemi_where_data(addr, what, sizeof(what));
	if (old->pe == shmemi.pe)
		shmemi_fatal(new->call,
			     "%s of PE %d is %s here, and %s may not have done so yet: no quiet "
			     "between the two",
			     what, pe, verb_of(new->kind), where);
	shmemi_fatal(new->call,
		     "race: %s of PE %d is %s here, and %s by PE %d in %s: nothing orders the two",
		     what, pe, verb_of(new->kind), verb_of(old->kind), old->pe, where);
}

static bool
may_meet(const struct race_record *old, const struct race_record *new)
{
	if (old->kind == SHMEMI_LOCK || new->kind == SHMEMI_LOCK)
		return true;
	return old->kind == new->kind && old->kind != SHMEMI_WRITE;
}

static bool
is_ordered(const struct race_record *old, const struct race_record *new, int pe)
{
	if (old->seen)
		return true;
	if (old->pe != shmemi.pe)
		return *known_of(race.known, pe, old->pe, old->later) >= old->clock;
	/* two later writes of one PE: many programs write a word again without a fence */
	return !old->later || old->clock <= race.quiet ||
	       old->clock <= *known_of(race.known, pe, old->pe, true) ||
	       (old->kind != SHMEMI_READ && new->kind != SHMEMI_READ);
}

/* One access after the other of a loop is one record. */
static bool
join_spans(struct race_record *old, const struct race_record *new)
{
	struct shmemi_span *s = &old->span;

	if (old->pe != new->pe || old->kind != new->kind || old->later != new->later)
		return false;
	if (memcmp(s, &new->span, sizeof(*s)) == 0)
		return true;
	if (old->epoch != new->epoch || old->place != new->place || s->n != 1 || new->span.n != 1 ||
	    (const char *)s->at + s->size != new->span.at)
		return false;
	s->size += new->span.size;
	s->stride = s->size;
	return true;
}

static int
place_record(struct race_copy *c, const struct race_record *new)
{
	size_t i;

	for (i = 0; i < c->head.used; i++) {
		struct shmemi_span s;

		if (!join_spans(&c->record[i], new))
			continue;
		s = c->record[i].span;
		c->record[i] = *new;
		c->record[i].span = s;
		return (int)i;
	}
	if (c->head.used < RACE_RECORDS) {
		i = c->head.used++;
	} else {
		const struct race_record *old = &c->record[i = c->head.next];

		c->head.next = (i + 1) % RACE_RECORDS;
		raise_to(&c->head.lost[old->pe][old->later], old->clock);
	}
	c->record[i] = *new;
	return (int)i;
}

static void
enter_record(const struct race_record *new, int pe, const void *addr)
{
	struct race_copy *c = &race.held;
	size_t i;

	race_log_take(c, pe);
	for (i = 0; i < c->head.used; i++) {
		const struct race_record *old = &c->record[i];

		if (!may_meet(old, new) && !is_ordered(old, new, pe) &&
		    shmemi_overlap(&old->span, &new->span))
			tell_race(old, new, pe, addr);
	}
	race_log_give(c, place_record(c, new));
}

void
shmemi_race_touch(const char *call, int pe, const struct shmemi_span *s, enum shmemi_touch kind,
		  bool later)
{
	struct race_log *log = race_log_mine();
	struct race_record new = {.span = *s, .kind = kind, .later = later, .pe = shmemi.pe};
	uint64_t name = s->n == 0 || s->size == 0 ? 0 : rb_sym_name(s->at, shmemi_reach(s));

	if (name == 0)
		return;
	new.span.at = (const void *)(uintptr_t)name;
	new.place = shmemi_where_number(shmemi_caller_pc());
	snprintf(new.call, sizeof(new.call), "%s", call);
	take_lock();
	new.epoch = race.epoch[later];
	new.clock = ++race.clock[later];
	__atomic_store_n(&log->clock[later], new.clock, __ATOMIC_RELAXED);
	new.done = race.clock[0];
	new.fenced = race.fenced;
	new.quiet = race.quiet;
	new.view = log->view;
	if (kind != SHMEMI_READ)
		race.epoch[0]++; /* others may learn by it of what was read before */
	enter_record(&new, pe, s->at);
	pthread_mutex_unlock(&race.lock);
}

void
shmemi_race_own(const char *call, const struct shmemi_span *s, enum shmemi_touch kind, bool later)
{
	if (s->n != 0 && s->size != 0 && rb_symmetric(s->at, shmemi_reach(s)))
		shmemi_race_touch(call, shmemi.pe, s, kind, later);
}
