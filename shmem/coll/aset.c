/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <pthread.h>
#include <string.h>

#include "aset.h"
#include "attach.h"
#include "core/hang.h"
#include "core/state.h"
#include "ctx.h"
#include "op.h"
#include "slot.h"

enum {
	SETS = 24, /* the other slots stay for teams */
};

static struct {
	pthread_mutex_t lock;
	struct known {
		struct shmemi_team team;
		long *psync; /* NULL: free */
		bool ready;  /* else its first call is under way */
	} known[SETS];
} sets = {.lock = PTHREAD_MUTEX_INITIALIZER};

/*
 * Use of pSync. Members add what they contribute to the words of the member of rank 0, which resets
 * them before it answers: no member writes again before it has the answer. A member resets its
 * answer before it calls again. So the array is restored on return and may be used again at once.
 */
enum {
	WORD_ARRIVED, /* members that have written the next two */
	WORD_TAKEN,
	WORD_FLAGS,
	WORD_ANSWER,
};

enum {
	FLAG_BUSY = 1 << 0, /* another thread has slots on offer */
	FLAG_FULL = 1 << 1, /* this PE cannot remember another set */
};

enum {
	ANSWER_RETRY = 1,
	ANSWER_NONE = 2,
	ANSWER_ONCE = 3, /* 3 + 2 * slot; one more where the set is remembered */
};

static struct known *
find_set(const struct shmemi_team *team, const long *psync)
{
	int i;

	for (i = 0; i < SETS; i++) {
		const struct shmemi_team *t = &sets.known[i].team;

		if (sets.known[i].psync == psync && sets.known[i].ready &&
		    t->start == team->start && t->stride == team->stride && t->size == team->size)
			return &sets.known[i];
	}
	return NULL;
}

/* @return the set if it is known; else NULL, and in *room where to remember it, or NULL */
static struct known *
find_or_reserve(const struct shmemi_team *team, long *psync, struct known **room)
{
	struct known *k;
	int i;

	*room = NULL;
	pthread_mutex_lock(&sets.lock);
	k = find_set(team, psync);
	for (i = 0; k == NULL && *room == NULL && i < SETS; i++) {
		if (sets.known[i].psync == NULL)
			*room = &sets.known[i];
	}
	if (*room != NULL) {
		(*room)->psync = psync;
		(*room)->ready = false;
	}
	pthread_mutex_unlock(&sets.lock);
	return k;
}

static void
settle_set(struct known *room, const struct shmemi_team *team, bool remember)
{
	if (room == NULL)
		return;
	pthread_mutex_lock(&sets.lock);
	if (remember) {
		room->team = *team;
		room->ready = true;
	} else {
		room->psync = NULL;
	}
	pthread_mutex_unlock(&sets.lock);
}

static void
member_amo(const struct coll_op *op, int rank, uint64_t *word, enum rb_amo_op what, uint64_t value)
{
	const struct rb_amo a = {.op = what, .size = sizeof(*word), .operand = value};
	int pe = coll_pe(op, rank), err = rb_amo(coll_amo_ctx(), pe, word, &a, NULL, false);

	if (err != 0)
		shmemi_fail(op->call, err, pe, word, sizeof(*word));
}

static uint64_t
take_word(uint64_t *word)
{
	return __atomic_exchange_n(word, 0, __ATOMIC_ACQ_REL);
}

static uint64_t
choose_answer(uint64_t taken, uint64_t flags)
{
	if (~taken == 0)
		return flags & FLAG_BUSY ? ANSWER_RETRY : ANSWER_NONE;
	return ANSWER_ONCE + 2 * (uint64_t)__builtin_ctzll(~taken) + !(flags & FLAG_FULL);
}

/* One round of agreement. @return the answer, which all members get */
static uint64_t
negotiate_round(const struct coll_op *op, uint64_t *words, uint64_t taken, uint64_t flags)
{
	uint64_t answer;
	int rank;

	if (op->rank != 0) {
		member_amo(op, 0, &words[WORD_TAKEN], RB_AMO_OR, taken);
		member_amo(op, 0, &words[WORD_FLAGS], RB_AMO_OR, flags);
		rb_fence(coll_amo_ctx());
		member_amo(op, 0, &words[WORD_ARRIVED], RB_AMO_ADD, 1);
		rb_wait_until(&words[WORD_ANSWER], 1, (struct rb_wait){.leaves = true});
		return take_word(&words[WORD_ANSWER]);
	}
	rb_wait_until(&words[WORD_ARRIVED], (uint64_t)op->n - 1, (struct rb_wait){.leaves = true});
	(void)take_word(&words[WORD_ARRIVED]);
	taken |= take_word(&words[WORD_TAKEN]);
	flags |= take_word(&words[WORD_FLAGS]);
	answer = choose_answer(taken, flags);
	rb_fence(coll_amo_ctx());
	for (rank = 1; rank < op->n; rank++)
		member_amo(op, rank, &words[WORD_ANSWER], RB_AMO_SET, answer);
	return answer;
}

/* @return whether the members remember the set; its slot is in op->team->slot */
static bool
agree_on_slot(const struct coll_op *op, long *psync, bool full)
{
	struct rb_wait wait = {0};
	struct coll_bid bid;
	uint64_t answer, offer;
	bool busy;
	int slot;

	/* A round without an offer: no member leaves it before all have arrived (see slot.h). */
	(void)negotiate_round(op, (uint64_t *)psync, ~0ULL, FLAG_BUSY);
	coll_bid_open(&bid, COLL_SLOTS + (uint64_t)(uintptr_t)psync);
	for (;;) {
		offer = coll_bid_offer(&bid, &busy);
		answer = negotiate_round(op, (uint64_t *)psync, ~offer,
					 (busy ? FLAG_BUSY : 0) | (full ? FLAG_FULL : 0));
		if (answer >= ANSWER_ONCE)
			break;
		coll_bid_settle(&bid, 0);
		if (answer == ANSWER_NONE)
			shmemi_fatal(op->call,
				     "no room for another active set: too many teams in use");
		rb_wait_turn(&wait);
		rb_wait_end(&wait);
	}
	/* The words are the program's memory. */
	if (answer >= ANSWER_ONCE + 2 * COLL_SLOTS)
		shmemi_fatal(op->call, "pSync %p did not hold SHMEM_SYNC_VALUE", (void *)psync);
	slot = (int)((answer - ANSWER_ONCE) / 2);
	coll_bid_settle(&bid, 1ULL << slot);
	coll_bid_close(&bid);
	op->team->slot = slot;
	return (answer - ANSWER_ONCE) % 2 != 0;
}

static void
check_args(struct shmemi_team *t, const char *call, const struct coll_aset_args *a)
{
	long last;

	if (a->log_stride < 0 || a->log_stride > 30)
		shmemi_fatal(call, "logPE_stride %d is not in 0..30", a->log_stride);
	if (a->size < 1 || a->size > shmemi.npes)
		shmemi_fatal(call, "PE_size %d is not in 1..%d", a->size, shmemi.npes);
	last = a->start + (a->size - 1L) * (1L << a->log_stride);
	if (a->start < 0 || last >= shmemi.npes)
		shmemi_fatal(call, "PEs %d to %ld are not in 0..%d", a->start, last,
			     shmemi.npes - 1);
	t->start = a->start;
	t->stride = 1 << a->log_stride;
	t->size = a->size;
	t->rank = (shmemi.pe - a->start) / t->stride;
	if (shmemi.pe < a->start || shmemi.pe > last || (shmemi.pe - a->start) % t->stride != 0)
		shmemi_fatal(call, "PE %d is not in the active set", shmemi.pe);
}

/*
 * Programs with a pSync on the stack work elsewhere, where it is not used. Ours agrees through it
 * on a slot, which the world team has already.
 */
static bool
needs_no_psync(const struct shmemi_team *t, const char *call, const long *psync)
{
	if (rb_symmetric(psync, SHMEM_BARRIER_SYNC_SIZE * sizeof(long)))
		return false;
	if (shmemi.check || t->size != shmemi.npes)
		shmemi_fatal(call, "pSync %p is not symmetric", (const void *)psync);
	return true;
}

void
coll_aset_enter(struct coll_aset *set, const char *call, const struct coll_aset_args *args)
{
	struct known *known, *room;
	struct coll_op op;
	bool remember;

	shmemi_enter(call);
	memset(&set->own, 0, sizeof(set->own));
	set->team = &set->own;
	check_args(&set->own, call, args);
	if (needs_no_psync(&set->own, call, args->psync)) {
		set->team = &shmemi_team_world;
		return;
	}
	if (args->size == 1)
		return;
	if (shmemi.check)
		shmemi_hang_enter(call);
	known = find_or_reserve(&set->own, args->psync, &room);
	if (known != NULL) {
		set->team = &known->team;
		return;
	}
	coll_begin_on(&op, call, &set->own);
	remember = agree_on_slot(&op, args->psync, room == NULL);
	coll_attach(&set->own);
	settle_set(room, &set->own, remember);
	if (remember)
		set->team = &room->team;
}

void
coll_aset_leave(struct coll_aset *set)
{
	if (shmemi.check && set->own.size > 1)
		shmemi_hang_leave();
	if (set->team == &set->own && set->own.size > 1)
		coll_detach(&set->own);
}

void
coll_aset_close(void)
{
	memset(sets.known, 0, sizeof(sets.known));
}
