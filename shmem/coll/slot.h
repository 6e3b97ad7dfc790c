/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_SLOT_H
#define COLL_SLOT_H

/**
 * @file
 * Which team uses which slot of the symmetric memory of coll/. All members of a team must choose
 * the same slot, while other threads may create teams on other parents. So a thread offers the
 * slots that are free here and that no other thread offers, and the slot is chosen out of what all
 * members offer. If there is none because the thread of some member could not offer, all try again.
 *
 * Bidders of a PE have different keys, and a bidder has the same key on all PEs. While a bidder
 * with a lower key is waiting, the others offer nothing. So the lowest one gets what it needs as
 * soon as earlier offers have ended, then the next one: no bidder tries for ever.
 *
 * A thread bids only after all members have entered the call. If it held its key while it waits for
 * a member, it would make the other threads of its PE wait too, perhaps one that this member has to
 * meet first: with two active sets and a thread for each, that is a deadlock.
 */

#include <stdbool.h>
#include <stdint.h>

struct shmemi_team;

enum {
	COLL_SLOT_WORLD = 0,
	COLL_SLOT_SHARED = 1,
};

void coll_slots_open(void);

/** Keys: the slot of the parent where a team is split, above these for active sets. */
struct coll_bid {
	uint64_t key;
	uint64_t offer;
	struct coll_bid *next;
};

void coll_bid_open(struct coll_bid *bid, uint64_t key);
/** Offer slots. *busy: other bidders may be why there are not more. @return their bits */
uint64_t coll_bid_offer(struct coll_bid *bid, bool *busy);
/** End an offer: @p keep, a subset of it, is taken. */
void coll_bid_settle(struct coll_bid *bid, uint64_t keep);
void coll_bid_close(struct coll_bid *bid);
void coll_slot_free(int slot);

/** The contribution of a member of the parent to a split. */
struct coll_proposal {
	bool invalid;	   /**< its arguments make the split fail for all */
	bool member;	   /**< of a resulting team: takes the slots */
	unsigned int want; /**< slots, alike on all */
};

/**
 * Collective over @p parent: agree on proposal->want slots, and on success.
 * @return 0; -EINVAL if a member's proposal is invalid; -ENOSPC without a common free slot
 */
int coll_slots_agree(struct shmemi_team *parent, const char *call,
		     const struct coll_proposal *proposal, int *slot);

#endif /* COLL_SLOT_H */
