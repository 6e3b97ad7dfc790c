/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "core/stuck.h"
#include "aset.h"
#include "map.h"
#include "slot.h"

static struct coll_slot *slots; /* symmetric */
static struct coll_team states[COLL_SLOTS];
static struct rb_ctx *own_ctx, *own_amo_ctx;

struct rb_ctx *
coll_ctx(void)
{
	return own_ctx;
}

struct rb_ctx *
coll_amo_ctx(void)
{
	return own_amo_ctx;
}

void
coll_fence(void)
{
	rb_fence(own_ctx);
}

void
coll_quiet(void)
{
	rb_quiet(own_ctx);
}

void
shmemi_coll_complete(void)
{
	rb_quiet(own_ctx);
	rb_quiet(own_amo_ctx);
}

size_t
shmemi_coll_bytes(void)
{
	return COLL_SLOTS * sizeof(struct coll_slot);
}

static void
reset(int slot)
{
	coll_map_free(&states[slot]);
	memset(&states[slot], 0, sizeof(states[slot]));
	memset(&slots[slot].words, 0, sizeof(slots[slot].words));
	states[slot].mem = &slots[slot];
	/* Whoever learns that the slot may be used finds zeros in it: pairs with the puts that
	 * tell. */
	atomic_thread_fence(memory_order_seq_cst);
}

void
coll_attach(struct shmemi_team *team)
{
	team->coll = &states[team->slot];
}

void
coll_wait(const struct coll_op *op, int rank, const uint64_t *word, uint64_t value)
{
	struct rb_wait w = {.what = RB_FOR_PE, .whom = (uint64_t)coll_pe(op, rank)};

	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) < value)
		shmemi_wait_turn(&w);
	shmemi_wait_end(&w);
}

/*
 * The members on this host look at one another's lines until they have left the last sync. So each
 * tells the others when it has, and only then do lines start from 0 again.
 */
static void
part(const struct coll_op *op)
{
	const struct coll_map *map = coll_map(op);
	int i;

	for (i = 0; i < map->locals; i++)
		/* release: this PE is done with that member's words; pairs with the wait */
		__atomic_fetch_add(&map->peer[i]->words.left, 1, __ATOMIC_RELEASE);
	shmemi_wait_ge64(&op->state->mem->words.left, (uint64_t)map->locals);
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
	part(&op);
	reset(team->slot);
	coll_slot_free(team->slot);
	team->coll = NULL;
}

static void
close_ctx(struct rb_ctx **ctx)
{
	if (*ctx != NULL)
		rb_ctx_destroy(*ctx);
	*ctx = NULL;
}

int
shmemi_coll_open(void)
{
	int i;

	_Static_assert(sizeof(struct coll_words) % 64 == 0, "buffers start on a cache line");
	/* of 64 slots a program uses two or three: the others never become memory */
	slots = shmemi_heap_tail();
	own_ctx = rb_ctx_create(false);
	own_amo_ctx = rb_ctx_create(false);
	if (own_ctx == NULL || own_amo_ctx == NULL) {
		close_ctx(&own_ctx);
		close_ctx(&own_amo_ctx);
		return -ENOMEM;
	}
	for (i = 0; i < COLL_SLOTS; i++) {
		memset(&states[i], 0, sizeof(states[i]));
		states[i].mem = &slots[i];
	}
	coll_slots_open();
	return 0;
}

void
shmemi_coll_close(void)
{
	int i;

	coll_aset_close();
	for (i = 0; i < COLL_SLOTS; i++)
		coll_map_free(&states[i]);
	close_ctx(&own_ctx);
	close_ctx(&own_amo_ctx);
	slots = NULL;
}

void
coll_begin_on(struct coll_op *op, const char *call, struct shmemi_team *team)
{
	op->call = call;
	op->team = team;
	op->state = team->coll;
	op->n = team->size;
	op->rank = team->rank;
	op->ranks = NULL;
}

bool
coll_begin(struct coll_op *op, const char *call, shmem_team_t handle)
{
	struct shmemi_team *team;

	shmemi_enter(call);
	team = shmemi_team_of(call, handle);
	if (team == NULL)
		return false;
	coll_begin_on(op, call, team);
	return true;
}

size_t
coll_bytes(const struct coll_op *op, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		shmemi_fatal(op->call, "%zu elements of %zu bytes exceed memory", n, size);
	return bytes;
}

void
coll_check_dest(const struct coll_op *op, const void *addr, size_t len)
{
	if (len != 0 && !rb_symmetric(addr, len))
		shmemi_fail(op->call, -EFAULT, shmemi.pe, addr, len);
}

int
coll_pe(const struct coll_op *op, int rank)
{
	if (rank < 0)
		rank += op->n;
	else if (rank >= op->n)
		rank -= op->n;
	if (op->ranks != NULL)
		rank = op->ranks[rank];
	return op->team->start + rank * op->team->stride;
}

void
coll_post(const struct coll_op *op, int rank, uint64_t *word, uint64_t value)
{
	int pe = coll_pe(op, rank), err;

	/* A put, not an atomic: an aligned one of 8 bytes is a single store, which no CPU on the
	 * other side has to execute. The fence then costs nothing, as only executed requests can be
	 * overtaken. */
	coll_fence();
	err = rb_put(own_ctx, pe, word, &value, sizeof(value));
	if (err != 0)
		shmemi_fail(op->call, err, pe, word, sizeof(*word));
}
