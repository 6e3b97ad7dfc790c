/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>

#include "core/shmemi.h"
#include "core/team_table.h"
#include "coll/check.h"
#include "coll/slot.h"
#include "team.h"

/*
 * The splits (section 9.4). All members of the parent come to the same result: they agree on the
 * slots of the new teams in one reduction over the parent, into which every member contributes
 * whether it can go along. A member returns when all have taken part, so the words of the new team
 * are clear everywhere by then, and the team can be used at once.
 */
struct split {
	const char *call;
	struct shmemi_team *parent;
	bool invalid;
	struct coll_signature sig; /* arguments of all members of the parent */
	unsigned int n;
	struct {
		bool member;
		struct shmemi_team model;
		shmem_team_t *handle;
	} child[2];
};

/* The program's settings for the configuration of child @p i. */
static void
configure_child(struct split *s, unsigned int i, const shmem_team_config_t *config, long mask)
{
	struct shmemi_team *t = &s->child[i].model;

	if ((mask & ~SHMEM_TEAM_NUM_CONTEXTS) != 0 || (mask != 0 && config == NULL) ||
	    (mask != 0 && config->num_contexts < 0)) {
		s->invalid = true;
		return;
	}
	t->config_mask = mask;
	t->config.num_contexts = mask != 0 ? config->num_contexts : 0;
}

/* The members of a team that is part of a list. */
static void
list_members(const char *call, struct shmemi_team *t, const struct shmemi_team *parent, int start,
	     int stride)
{
	int i;

	t->pes = malloc((size_t)t->size * sizeof(*t->pes));
	if (t->pes == NULL)
		shmemi_fatal(call, "no memory for a team");
	for (i = 0; i < t->size; i++)
		t->pes[i] = parent->pes[start + i * stride];
}

/* Child @p i: ranks start, start + stride, ... of the parent, which have been checked. */
static void
describe_child(struct split *s, unsigned int i, int start, int stride, int size)
{
	struct shmemi_team *t = &s->child[i].model;
	const struct shmemi_team *p = s->parent;

	t->start = p->start + start * p->stride;
	t->stride = size == 1 ? 1 : stride * p->stride;
	t->size = size;
	if (p->pes != NULL)
		list_members(s->call, t, p, start, stride);
	t->rank = shmemi_team_rank(t, shmemi.pe);
	s->child[i].member = t->rank >= 0;
}

static void
disown_children(const struct split *s)
{
	unsigned int i;

	for (i = 0; i < s->n; i++)
		*s->child[i].handle = SHMEM_TEAM_INVALID;
}

/* Members of one new team give it one configuration; those of others may give another (section
 * 9.4.6). Every PE goes through its new teams in the same order. */
static void
compare_configs(const struct split *s)
{
	unsigned int i;

	for (i = 0; i < s->n && shmemi.check; i++) {
		const struct shmemi_team *t = &s->child[i].model;
		const struct coll_signature sig = {
			.arg = {{"config_mask", t->config_mask},
				{"num_contexts", t->config.num_contexts}}};
		struct shmemi_team *team;

		if (!s->child[i].member)
			continue;
		team = shmemi_team_of(s->call, *s->child[i].handle);
		shmemi_check_team(s->call, team, &sig);
		shmemi_check_team_end(team);
	}
}

static int
agree_on_split(struct split *s)
{
	struct coll_proposal proposal = {.invalid = s->invalid, .want = s->n};
	struct shmemi_team *team;
	int slot[2], err;
	unsigned int i;

	for (i = 0; i < s->n; i++)
		proposal.member |= s->child[i].member;
	disown_children(s);
	shmemi_check_team(s->call, s->parent, &s->sig);
	err = coll_slots_agree(s->parent, s->call, &proposal, slot);
	shmemi_check_team_end(s->parent);
	for (i = 0; i < s->n; i++) {
		if (err != 0 || !s->child[i].member) {
			free(s->child[i].model.pes);
			continue;
		}
		s->child[i].model.slot = slot[i];
		team = shmemi_team_new(&s->child[i].model);
		if (team == NULL)
			shmemi_fatal(s->call, "no memory for a team");
		*s->child[i].handle = shmemi_team_handle(team);
	}
	if (err != 0)
		return -1;
	compare_configs(s);
	return 0;
}

/* Is start, start + stride, ... a set of @p size different ranks of @p parent, without wrapping? */
static bool
fits_parent(const struct shmemi_team *parent, int start, int stride, int size)
{
	long last;

	if (size < 1 || size > parent->size || (stride == 0 && size > 1))
		return false;
	last = start + (size - 1L) * stride;
	return start >= 0 && start < parent->size && last >= 0 && last < parent->size;
}

SHMEMI_API(int, team_split_strided,
	   (shmem_team_t parent_team, int start, int stride, int size,
	    const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team))
{
	struct split s = {.call = "shmem_team_split_strided",
			  .sig.arg = {{"start", start}, {"stride", stride}, {"size", size}},
			  .n = 1};

	shmemi_enter(s.call);
	s.child[0].handle = new_team;
	s.parent = shmemi_team_of(s.call, parent_team);
	if (s.parent == NULL) {
		disown_children(&s);
		return -1;
	}
	s.invalid = !fits_parent(s.parent, start, stride, size);
	if (!s.invalid)
		describe_child(&s, 0, start, stride, size);
	configure_child(&s, 0, config, config_mask);
	return agree_on_split(&s);
}

/* Ranks row by row: x counts within a row, y the rows; the last row may be short. */
static void
describe_2d(struct split *s, int xrange)
{
	int n = s->parent->size, rank = s->parent->rank;
	int x, y, rows, columns;

	if (xrange > n)
		xrange = n;
	x = rank % xrange;
	y = rank / xrange;
	columns = n - y * xrange < xrange ? n - y * xrange : xrange;
	rows = (n - x + xrange - 1) / xrange;
	describe_child(s, 0, y * xrange, 1, columns);
	describe_child(s, 1, x, xrange, rows);
}

SHMEMI_API(int, team_split_2d,
	   (shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config,
	    long xaxis_mask, shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config,
	    long yaxis_mask, shmem_team_t *yaxis_team))
{
	struct split s = {.call = "shmem_team_split_2d", .sig.arg = {{"xrange", xrange}}, .n = 2};

	shmemi_enter(s.call);
	s.child[0].handle = xaxis_team;
	s.child[1].handle = yaxis_team;
	s.parent = shmemi_team_of(s.call, parent_team);
	if (s.parent == NULL) {
		disown_children(&s);
		return -1;
	}
	s.invalid = xrange < 1;
	if (!s.invalid)
		describe_2d(&s, xrange);
	configure_child(&s, 0, xaxis_config, xaxis_mask);
	configure_child(&s, 1, yaxis_config, yaxis_mask);
	return agree_on_split(&s);
}
