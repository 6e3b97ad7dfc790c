/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdatomic.h>
#include <string.h>

#include "attach.h"
#include "core/state.h"
#include "coll.h"
#include "ctx.h"
#include "map.h"
#include "slot.h"

static struct coll_slot *slots; /* symmetric */
static struct coll_team states[COLL_SLOTS];

static void
reset_slot(int slot)
{
	coll_map_free(&states[slot]);
	memset(&states[slot], 0, sizeof(states[slot]));
	memset(&slots[slot].words, 0, sizeof(slots[slot].words));
	states[slot].mem = &slots[slot];
	/* Any PE that learns that the slot may be used finds zeros in it: pairs with the puts that
	 * announce that. */
	atomic_thread_fence(memory_order_seq_cst);
}

void
coll_attach(struct shmemi_team *team)
{
	team->coll = &states[team->slot];
}

/*
 * The members on this host read one another's lines until they have left the last sync. So each
 * adds to a counter of every other member when it has left, and lines restart from 0 only after
 * that.
 */
static void
part_locals(const struct coll_op *op)
{
	const struct coll_map *map = coll_map(op);
	int i;

	for (i = 0; i < map->locals; i++)
		/* release: this PE is done with that member's words; pairs with the wait */
		__atomic_fetch_add(&map->peer[i]->words.left, 1, __ATOMIC_RELEASE);
	rb_wait_until(&op->state->mem->words.left, (uint64_t)map->locals,
		      (struct rb_wait){.leaves = true});
}

/*
 * After quiet nothing of this PE is under way; after sync nothing of anybody is. The messages of
 * the sync itself have been waited for by their receivers. So the words can start from 0 again.
 */
void
coll_detach(struct shmemi_team *team)
{
	struct coll_op op;

	coll_begin_on(&op, "shmem_team_destroy", team);
	coll_quiet();
	coll_sync(&op);
	part_locals(&op);
	reset_slot(team->slot);
	coll_slot_free(team->slot);
	team->coll = NULL;
}

void
coll_states_open(struct coll_slot *symmetric)
{
	int i;

	slots = symmetric;
	for (i = 0; i < COLL_SLOTS; i++) {
		memset(&states[i], 0, sizeof(states[i]));
		states[i].mem = &slots[i];
	}
}

void
coll_states_close(void)
{
	int i;

	for (i = 0; i < COLL_SLOTS; i++)
		coll_map_free(&states[i]);
	slots = NULL;
}
