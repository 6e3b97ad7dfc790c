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
	struct coll_bid *bids;
} slots = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A message through a parent team during a split; the members' messages are joined by or. */
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

void
coll_bid_open(struct coll_bid *bid, uint64_t key)
{
	bid->key = key;
	bid->offer = 0;
	pthread_mutex_lock(&slots.lock);
	bid->next = slots.bids;
	slots.bids = bid;
	pthread_mutex_unlock(&slots.lock);
}

void
coll_bid_close(struct coll_bid *bid)
{
	struct coll_bid **at = &slots.bids;

	pthread_mutex_lock(&slots.lock);
	while (*at != bid)
		at = &(*at)->next;
	*at = bid->next;
	pthread_mutex_unlock(&slots.lock);
}

uint64_t
coll_bid_offer(struct coll_bid *bid, bool *busy)
{
	const struct coll_bid *other;
	bool first = true;

	pthread_mutex_lock(&slots.lock);
	for (other = slots.bids; other != NULL; other = other->next)
		first &= other->key >= bid->key;
	bid->offer = first ? slots.free & ~slots.on_offer : 0;
	*busy = !first || slots.on_offer != 0;
	slots.on_offer |= bid->offer;
	pthread_mutex_unlock(&slots.lock);
	return bid->offer;
}

void
coll_bid_settle(struct coll_bid *bid, uint64_t keep)
{
	pthread_mutex_lock(&slots.lock);
	slots.on_offer &= ~bid->offer;
	slots.free &= ~keep;
	bid->offer = 0;
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
join_messages(void *out, const void *a, const void *b, size_t n)
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
choose_slots(uint64_t taken, unsigned int want, int *slot)
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

/* One round of agreement. @return 0, -EINVAL, -ENOSPC, or -EAGAIN to try again */
static int
bid_once(const struct coll_op *op, struct coll_bid *bid, const struct coll_proposal *proposal,
	 int *slot)
{
	const struct coll_reduction how = {
		.combine = join_messages, .size = sizeof(struct message), .local = true};
	struct message mine = {0}, all;
	uint64_t keep;
	bool busy = false;

	/* A PE that joins no team has no preference among the slots. */
	if (proposal->member)
		mine.taken = ~coll_bid_offer(bid, &busy);
	mine.flags = (proposal->invalid ? SPLIT_INVALID : 0) | (busy ? SPLIT_BUSY : 0);
	coll_reduce(op, &all, &mine, 1, &how);
	keep = all.flags & SPLIT_INVALID ? 0 : choose_slots(all.taken, proposal->want, slot);
	if (proposal->member)
		coll_bid_settle(bid, keep);
	if (keep != 0)
		return 0;
	if (all.flags & SPLIT_INVALID)
		return -EINVAL;
	return all.flags & SPLIT_BUSY ? -EAGAIN : -ENOSPC;
}

int
coll_slots_agree(struct shmemi_team *parent, const char *call, const struct coll_proposal *proposal,
		 int *slot)
{
	struct rb_wait wait = {0};
	struct coll_bid bid;
	struct coll_op op;
	int err;

	coll_begin_on(&op, call, parent);
	coll_sync(&op); /* all are here: see slot.h */
	coll_bid_open(&bid, (uint64_t)parent->slot);
	while ((err = bid_once(&op, &bid, proposal, slot)) == -EAGAIN) {
		rb_wait_turn(&wait);
		rb_wait_end(&wait);
	}
	coll_bid_close(&bid);
	return err;
}
