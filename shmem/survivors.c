/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdlib.h>

#include "core/shmemi.h"
#include "core/team_table.h"
#include "coll/aset.h"
#include "coll/attach.h"
#include "coll/coll.h"
#include "coll/guard.h"
#include "coll/posted.h"
#include "coll/slot.h"
#include "memory.h"
#include "shmemx.h"
#include "team.h"

/* Extensions for programs that go on where a host is lost. */

static const char call[] = "shmemx_team_survivors";

SHMEMI_EXPORT int
shmemx_last_error(int *pe)
{
	shmemi_enter("shmemx_last_error");
	return rb_gone_take(pe) ? SHMEMX_ERROR_LOST : 0;
}

SHMEMI_EXPORT int
shmemx_pe_alive(int pe)
{
	shmemi_enter("shmemx_pe_alive");
	return pe < 0 || pe >= shmemi.npes ? -1 : !rb_gone_pe(pe);
}

/* Nothing is under way in any PE: what collectives had begun is forgotten. Teams without a dead
 * member are as new, those with one are never used again. */
static void
forget_collectives(void *arg)
{
	(void)arg;
	coll_states_forget();
	coll_slots_forget();
	coll_aset_forget();
}

/* The PEs that are left, as a team in the words of the world team. That one is in use either while
 * nobody is dead, and has the same members then, or never again. */
static int
describe_left(struct shmemi_team *left)
{
	int *pes = malloc((size_t)shmemi.npes * sizeof(*pes)), pe;

	if (pes == NULL)
		return -ENOMEM;
	*left = (struct shmemi_team){.stride = 1, .slot = COLL_SLOT_WORLD, .pes = pes};
	for (pe = 0; pe < shmemi.npes; pe++) {
		if (rb_gone_pe(pe))
			continue;
		if (pe == shmemi.pe)
			left->rank = left->size;
		pes[left->size++] = pe;
	}
	coll_attach(left);
	return 0;
}

/* What the PEs that are left compare. */
struct state {
	uint64_t fewest, most; /* changes of the symmetric heap so far */
	long least;	       /* number of the program */
};

/* One agreement. */
struct agreement {
	struct shmemi_team *team; /* NULL: there is none */
	long own, least;
};

static void
compare_states(void *out, const void *a, const void *b, size_t n)
{
	const struct state *x = a, *y = b;
	struct state *o = out;
	size_t i;

	for (i = 0; i < n; i++) {
		o[i].fewest = x[i].fewest < y[i].fewest ? x[i].fewest : y[i].fewest;
		o[i].least = x[i].least < y[i].least ? x[i].least : y[i].least;
		o[i].most = x[i].most > y[i].most ? x[i].most : y[i].most;
	}
}

/* A call that the loss has interrupted may have changed the heap of some PEs and not of others. */
static int
agree_on_state(struct shmemi_team *left, struct agreement *a)
{
	const struct coll_reduction how = {
		.combine = compare_states, .size = sizeof(struct state), .local = true};
	uint64_t mine = shmemi_memory_changes();
	struct state own = {mine, mine, a->own}, all;
	struct shmemi_guard guard;
	struct coll_op op;

	coll_begin_on(&op, call, left);
	COLL_GUARD(&op, &guard, -EIO);
	coll_reduce(&op, &all, &own, 1, &how);
	if (coll_over() != 0)
		return -EIO;
	shmemi_memory_alike(all.fewest == all.most);
	a->least = all.least;
	return 0;
}

static int
join_team(void *arg)
{
	const struct coll_proposal proposal = {.member = true, .want = 1};
	struct agreement *a = arg;
	struct shmemi_team left;
	int ret, slot;

	if (describe_left(&left) < 0)
		shmemi_fatal(call, "no memory for a team");
	ret = agree_on_state(&left, a);
	if (ret == 0)
		ret = coll_slots_agree(&left, call, &proposal, &slot);
	if (ret == 0) {
		left.slot = slot;
		a->team = shmemi_team_new(&left);
		if (a->team == NULL)
			shmemi_fatal(call, "no memory for a team");
	} else {
		free(left.pes);
	}
	return ret;
}

static void
undo_team(void *arg)
{
	struct agreement *a = arg;

	if (a->team == NULL)
		return;
	coll_slot_free(a->team->slot);
	shmemi_team_unlink(a->team);
	shmemi_team_free(a->team);
	a->team = NULL;
}

SHMEMI_EXPORT int
shmemx_team_survivors(shmem_team_t *handle, long *least)
{
	static const struct rb_survivors_ops ops = {
		.clear = forget_collectives, .join = join_team, .undo = undo_team};
	struct agreement a = {.own = least == NULL ? 0 : *least};

	shmemi_enter(call);
	if (handle == NULL)
		shmemi_fatal(call, "team is NULL");
	*handle = SHMEM_TEAM_INVALID;
	coll_posted_drain_all(call); /* they end with an error where a host is lost */
	if (!shmemi.errors || rb_survivors_agree(&ops, &a) < 0)
		return -1;
	*handle = shmemi_team_handle(a.team);
	if (least != NULL)
		*least = a.least;
	return 0;
}
