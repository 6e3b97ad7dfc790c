/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "core/state.h"
#include "coll.h"
#include "ctx.h"
#include "hosts.h"
#include "step.h"

/*
 * A reduction of little data over a few hosts with several members on each. The members of a host
 * contribute to a step. The first one that sees that all have done so sends what they make
 * together, the host's part, to the leaders of the other hosts, and every member folds the parts
 * out of its leader's memory. So nobody waits until the leader gets a CPU, first to send and then
 * to hand out the result: where many PEs share a CPU, each of these waits is a turn of all of them.
 *
 * A member sends if it stores straight into the memory of the other leaders; else that is left to
 * the leader, which owns the ports.
 *
 * Parts lie in two areas in turn, each with a word of its own. Part k + 2 is sent when all members
 * here have part k + 1 from there, which was sent when all members there were done with part k: so
 * its area is free, and its word stands at k. Part k + 1 may come from another member and by
 * another way than part k, and before it: with one word for both, the word would go back
 * (doc/protocols.md, tests/spin/meet.pml).
 */
struct meeting {
	struct coll_op group, leaders;
	const struct coll_map *map;
	const struct coll_reduction *what;
	uint64_t number;
	size_t n; /* elements */
};

static struct coll_parts *
area_of(const struct meeting *m, struct coll_slot *mem)
{
	return &mem->words.parts[m->number % 2];
}

/* In rank order, so all members get the same bits. */
static void
fold_own(const struct meeting *m, void *part)
{
	size_t len = m->n * m->what->size;
	const void *first = coll_step_data(&m->group, 0, len);
	int i;

	memcpy(part, first, len);
	for (i = 1; i < m->group.n; i++)
		m->what->combine(part, part, coll_step_data(&m->group, i, len), m->n);
}

/* Does this PE store straight into the areas of the other leaders? */
static bool
reaches_others(const struct meeting *m)
{
	struct coll_parts *area = area_of(m, m->leaders.state->mem);
	void *there;
	int i;

	for (i = 0; i < m->leaders.n; i++)
		if (i != m->map->mine &&
		    !rb_fast_at(coll_pe(&m->leaders, i), area, sizeof(*area), &there))
			return false;
	return true;
}

/* Relaxed: it only chooses one member, which has acquired what it sends from the marks of all. */
static bool
claim_part(const struct meeting *m)
{
	uint64_t *sent = &m->map->peer[m->map->lead]->words.parts_sent;
	uint64_t before = __atomic_load_n(sent, __ATOMIC_RELAXED);

	return before < m->number &&
	       __atomic_compare_exchange_n(sent, &before, m->number, false, __ATOMIC_RELAXED,
					   __ATOMIC_RELAXED);
}

static void
send_part(const struct meeting *m, const void *part)
{
	struct coll_parts *area = area_of(m, m->leaders.state->mem);
	size_t len = m->n * m->what->size;
	int mine = m->map->mine, i, pe, err;

	for (i = 0; i < m->leaders.n; i++) {
		if (i == mine)
			continue;
		pe = coll_pe(&m->leaders, i);
		err = rb_put(coll_ctx(), pe, area->data[mine], part, len);
		if (err != 0)
			shmemi_fail(m->leaders.call, err, pe, area->data[mine], len);
	}
	for (i = 0; i < m->leaders.n; i++)
		if (i != mine)
			coll_post(&m->leaders, i, &area->number[mine], m->number);
}

/* As two_level.c does it: the parts of the hosts in the order of their groups. */
static void
fold_parts(const struct meeting *m, void *dest, const void *own)
{
	struct coll_parts *area = area_of(m, m->map->peer[m->map->lead]);
	const void *part;
	int i;

	for (i = 0; i < m->leaders.n; i++) {
		if (i != m->map->mine)
			coll_wait(&m->leaders, i, &area->number[i], m->number);
		part = i == m->map->mine ? own : area->data[i];
		if (i == 0)
			memcpy(dest, part, m->n * m->what->size);
		else
			m->what->combine(dest, dest, part, m->n);
	}
}

void
coll_meet_reduce(const struct coll_op *op, const struct coll_map *map, void *dest,
		 const void *source, size_t n, const struct coll_reduction *what)
{
	const struct meeting m = {.group = coll_group(op, map),
				  .leaders = coll_leaders(op, map),
				  .map = map,
				  .what = what,
				  .number = ++op->state->parts,
				  .n = n};
	uint8_t part[COLL_PART] __attribute__((aligned(64)));

	coll_step_contribute(&m.group, source, n * what->size);
	coll_step_all(&m.group);
	fold_own(&m, part);
	if ((map->local == map->lead || reaches_others(&m)) && claim_part(&m))
		send_part(&m, part);
	fold_parts(&m, dest, part);
}
