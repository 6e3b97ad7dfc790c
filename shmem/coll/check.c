/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fiber.h"
#include "core/hang.h"
#include "core/race.h"
#include "check.h"
#include "coll.h"

/*
 * Do all members make the same call? Each contributes its call to a reduction over the team. The
 * result is the first member, one that differs from it, and in what.
 */
struct call {
	char name[48];
	int64_t pe;
	uint64_t dest, source; /* places; 0: not known, and like any other */
	int64_t arg[COLL_SIGNATURE_ARGS];
	int64_t sync;
};

struct calls {
	struct call first, other; /* other: where anything differs */
	uint64_t differs;
	uint64_t bytes;
};

enum {
	SAME,
	NAME_DIFFERS,
	DEST_DIFFERS,
	SOURCE_DIFFERS,
	ARG_DIFFERS, /* and the following ones: number of the argument */
};

static bool
places_differ(uint64_t x, uint64_t y)
{
	return x != 0 && y != 0 && x != y;
}

static uint64_t
difference_of(const struct call *x, const struct call *y)
{
	uint64_t i;

	if (strcmp(x->name, y->name) != 0 && !(x->sync && y->sync))
		return NAME_DIFFERS;
	for (i = 0; i < COLL_SIGNATURE_ARGS; i++)
		if (x->arg[i] != y->arg[i])
			return ARG_DIFFERS + i;
	if (places_differ(x->dest, y->dest))
		return DEST_DIFFERS;
	return places_differ(x->source, y->source) ? SOURCE_DIFFERS : SAME;
}

static void
compare_calls(void *out, const void *a, const void *b, size_t n)
{
	const struct calls *x = a, *y = b;
	struct calls *o = out;
	size_t i;

	for (i = 0; i < n; i++) {
		struct calls c = x[i].differs != SAME || y[i].differs == SAME ? x[i] : y[i];

		if (x[i].differs == SAME && y[i].differs == SAME) {
			c.other = y[i].first;
			c.differs = difference_of(&c.first, &c.other);
		}
		if (__builtin_add_overflow(x[i].bytes, y[i].bytes, &c.bytes))
			c.bytes = SIZE_MAX;
		o[i] = c;
	}
}

/*
 * An object as all PEs know it: the segment and the offset in it. A PE whose static data is not
 * mapped by others has no such name for it (rb_sym_name()), and is not compared.
 */
static uint64_t
place_of(const void *object)
{
	return object == NULL ? 0 : rb_sym_name(object, 1);
}

static void
tell_places(const struct coll_op *op, const char *what, const struct calls *c, bool dest)
{
	const void *here = rb_heap_base();
	uint64_t base = rb_sym_name(here, 1);
	uint64_t place[2] = {dest ? c->first.dest : c->first.source,
			     dest ? c->other.dest : c->other.source};
	char text[2][64];
	int i;

	for (i = 0; i < 2; i++) {
		if (place[i] - base < rb_heap_size())
			snprintf(text[i], sizeof(text[i]), "%#llx bytes into the heap",
				 (unsigned long long)(place[i] - base));
		else
			snprintf(text[i], sizeof(text[i]), "%#llx bytes into static data",
				 (unsigned long long)(place[i] & UINT32_MAX));
	}
	shmemi_fatal(op->call, "%s is %s on PE %d, %s on PE %d", what, text[0], (int)c->first.pe,
		     text[1], (int)c->other.pe);
}

static void
tell_difference(const struct coll_op *op, const struct calls *c, const struct coll_signature *sig)
{
	uint64_t i = c->differs - ARG_DIFFERS;

	shmemi_place = op->posted; /* a fiber's stack does not say it */
	if (c->differs == NAME_DIFFERS)
		shmemi_fatal(op->call,
			     "another member of the team called another collective: PE %d called "
			     "%.47s, PE %d %.47s",
			     (int)c->first.pe, c->first.name, (int)c->other.pe, c->other.name);
	if (c->differs == DEST_DIFFERS)
		tell_places(op, "the object", c, true);
	if (c->differs == SOURCE_DIFFERS)
		tell_places(op, "source", c, false);
	shmemi_fatal(op->call, "%s is %lld on PE %d, %lld on PE %d", sig->arg[i].name,
		     (long long)c->first.arg[i], (int)c->first.pe, (long long)c->other.arg[i],
		     (int)c->other.pe);
}

static void
take_larger(void *out, const void *a, const void *b, size_t n)
{
	const uint64_t *x = a, *y = b;
	uint64_t *o = out;
	size_t i;

	for (i = 0; i < n; i++)
		o[i] = x[i] > y[i] ? x[i] : y[i];
}

/* Members know afterwards what any of them knew before. */
static void
meet_clocks(const struct coll_op *op)
{
	const struct coll_reduction how = {
		.combine = take_larger, .size = sizeof(uint64_t), .local = true};
	size_t n = shmemi_race_words();
	uint64_t *mine = calloc(2 * n, sizeof(*mine));

	if (mine == NULL)
		shmemi_fatal(op->call, "no memory for SHMEM_CHECK=races");
	shmemi_race_give(mine);
	coll_reduce(op, mine + n, mine, n, &how);
	shmemi_race_take(mine + n, op->team == &shmemi_team_world);
	free(mine);
}

size_t
coll_check_enter(const struct coll_op *op, const struct coll_signature *sig, size_t bytes)
{
	const struct coll_reduction how = {
		.combine = compare_calls, .size = sizeof(struct calls), .local = true};
	struct calls mine = {.first = {.pe = shmemi.pe,
				       .dest = place_of(sig->dest),
				       .source = place_of(sig->source),
				       .sync = sig->sync},
			     .bytes = bytes},
		     all;
	int i;

	snprintf(mine.first.name, sizeof(mine.first.name), "%s", op->call);
	for (i = 0; i < COLL_SIGNATURE_ARGS; i++)
		mine.first.arg[i] = sig->arg[i].value;
	if (!shmemi_fiber_inside()) /* there the program does not wait, unless for its request */
		shmemi_hang_enter(op->call);
	if (__atomic_exchange_n(&op->state->busy, true, __ATOMIC_ACQUIRE))
		shmemi_fatal(op->call, "another thread is in a collective of this team");
	coll_reduce(op, &all, &mine, 1, &how);
	if (all.differs != SAME)
		tell_difference(op, &all, sig);
	if (shmemi.races)
		meet_clocks(op);
	return all.bytes;
}

void
coll_check_leave(const struct coll_op *op)
{
	__atomic_store_n(&op->state->busy, false, __ATOMIC_RELEASE);
	if (!shmemi_fiber_inside())
		shmemi_hang_leave();
}

void
shmemi_check_team(const char *call, struct shmemi_team *team, const struct coll_signature *sig)
{
	static const struct coll_signature nothing;
	struct coll_op op;

	coll_begin_on(&op, call, team);
	/* most of these calls complete what is outstanding, though behind this */
	if (shmemi.races)
		shmemi_race_quiet();
	if (shmemi.check && op.n > 1)
		(void)coll_check_enter(&op, sig == NULL ? &nothing : sig, 0);
}

void
shmemi_check_team_end(struct shmemi_team *team)
{
	struct coll_op op;

	coll_begin_on(&op, "", team);
	coll_leave(&op);
}
