/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <pthread.h>

#include "coll.h"
#include "slot.h"

static struct {
	pthread_mutex_t lock;
	uint64_t free; /* bit i: slot i belongs to no team of this PE */
	uint64_t on_offer;
} slots = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* What travels through a parent team during a split; members' messages are joined by or. */
struct message {
	uint64_t taken;
	uint64_t flags;
};

enum {
	SPLIT_INVALID = 1 << 0,
	SPLIT_BUSY = 1 << 1,
};

void
coll_slots_open(void)
{
	slots.free = ~(1ULL << COLL_SLOT_WORLD | 1ULL << COLL_SLOT_SHARED);
	slots.on_offer = 0;
}

uint64_t
coll_slots_offer(bool *busy)
{
	uint64_t offer;

	pthread_mutex_lock(&slots.lock);
	offer = slots.free & ~slots.on_offer;
	*busy = slots.on_offer != 0;
	slots.on_offer |= offer;
	pthread_mutex_unlock(&slots.lock);
	return offer;
}

void
coll_slots_settle(uint64_t offer, uint64_t keep)
{
	pthread_mutex_lock(&slots.lock);
	slots.on_offer &= ~offer;
	slots.free &= ~keep;
	pthread_mutex_unlock(&slots.lock);
}

void
coll_slot_free(int slot)
{
	pthread_mutex_lock(&slots.lock);
	slots.free |= 1ULL << slot;
	pthread_mutex_unlock(&slots.lock);
}

static void
join(void *out, const void *a, const void *b, size_t n)
{
	const struct message *x = a, *y = b;
	struct message *o = out;
	size_t i;

	for (i = 0; i < n; i++) {
		o[i].taken = x[i].taken | y[i].taken;
		o[i].flags = x[i].flags | y[i].flags;
	}
}

/* The lowest @p want slots that are not taken. @return their bits, 0 if there are fewer */
static uint64_t
choose(uint64_t taken, unsigned int want, int *slot)
{
	uint64_t keep = 0;
	unsigned int i;

	for (i = 0; i < want; i++) {
		if (~(taken | keep) == 0)
			return 0;
		slot[i] = __builtin_ctzll(~(taken | keep));
		keep |= 1ULL << slot[i];
	}
	return keep;
}

int
coll_slots_agree(struct shmemi_team *parent, const char *call, const struct coll_proposal *proposal,
		 int *slot)
{
	const struct coll_reduction how = {
		.combine = join, .size = sizeof(struct message), .local = true};
	struct rb_wait wait = {0};
	struct message m, all;
	struct coll_op op;
	uint64_t offer, keep;
	bool busy;

	coll_begin_on(&op, call, parent);
	for (;;) {
		/* Who joins no team does not mind which slot it uses. */
		offer = 0;
		busy = false;
		if (proposal->member)
			offer = coll_slots_offer(&busy);
		m.taken = proposal->member ? ~offer : 0;
		m.flags = (proposal->invalid ? SPLIT_INVALID : 0) | (busy ? SPLIT_BUSY : 0);
		coll_reduce(&op, &all, &m, 1, &how);
		keep = all.flags & SPLIT_INVALID ? 0 : choose(all.taken, proposal->want, slot);
		if (proposal->member)
			coll_slots_settle(offer, keep);
		if (keep != 0)
			return 0;
		if (all.flags & SPLIT_INVALID)
			return -EINVAL;
		if (!(all.flags & SPLIT_BUSY))
			return -ENOSPC;
		rb_wait_turn(&wait);
	}
}
