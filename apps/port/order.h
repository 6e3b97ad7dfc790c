/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef ORDER_H
#define ORDER_H

/**
 * @file
 * The rules of order that Ringbell stands on, and a test of each between the two ends of a cable.
 *
 * The sender stores the number of a round into a slot of the peer's region, and then announces it,
 * each rule by another way; the receiver looks at the slot as soon as it learns of it, the last
 * word first. A round is wrong where a word is not there yet. A slot is used again when the
 * receiver has stored how far it is.
 */

#include "session.h"
#include "wait.h"

enum order_way {
	BY_WORD,   /**< a word of the slot, through the window */
	BY_THREAD, /**< likewise, by another thread */
	BY_DOORBELL,
	BY_SCRATCHPAD,
	BY_FLUSH, /**< a flush, then a word of the sender's own memory, which the receiver loads */
};

struct order_rule {
	const char *name, *title;
	enum order_way way;
	uint16_t first, step, count; /**< words of data in a slot */
	uint16_t flag;		     /**< the word that announces */
	bool stream;		     /**< non-temporal stores */
	bool control;		     /**< without the fence: shows whether the test sees anything */
};

extern const struct order_rule order_rules[]; /* the last one has no name */

/** One of the two ends. */
struct order_end {
	struct ntb_port *port;
	struct region *in, *out; /**< this side's; the peer's, through the window */
	struct watch watch;
	int (*flush)(void *ctx); /**< with the context of @ref watch; 0, or the link is dead */
	bool stays;		 /**< the sender waits until all rounds are taken */
};

struct order_outcome {
	uint64_t rounds, violations; /**< rounds that came, and wrong ones */
	uint64_t lost;		     /**< were not announced */
};

enum {
	ORDER_LOST_MOST = 5, /**< after so many lost doorbells a test ends */
};

/** @p base: numbers of this test are above it. @return how many rounds were sent */
uint64_t order_send(const struct order_end *end, const struct order_rule *rule, uint64_t rounds,
		    uint64_t base);

/** @return false: not all rounds came */
bool order_receive(const struct order_end *end, const struct order_rule *rule, uint64_t rounds,
		   uint64_t base, struct order_outcome *ret);

#endif /* ORDER_H */
