/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_SURVIVE_HOLD_H
#define RB_SURVIVE_HOLD_H

/**
 * @file
 * Frames that a host keeps in memory of its own (doc/protocols.md, section 9): those of the routes
 * of another epoch, until they enter a ring anew; and requests that have come too early, until
 * those before them were executed. All functions: poll.
 */

#include <stdint.h>
#include <sys/queue.h>

#include "base/wire.h"

struct rb_hold {
	TAILQ_ENTRY(rb_hold) next;
	struct rb_desc d;
	uint8_t payload[];
};
TAILQ_HEAD(rb_hold_list, rb_hold);

/** Behind those that are there; @p port: by which it came, for a message. Ends the job where there
 *  is no memory. */
void rb_hold_add(struct rb_hold_list *list, unsigned int port, const struct rb_desc *d,
		 const uint8_t *payload);
/** In the order of their turns. */
void rb_hold_sort(struct rb_hold_list *list, unsigned int port, const struct rb_desc *d,
		  const uint8_t *payload);
void rb_hold_drop(struct rb_hold_list *list);

/** How many counted requests of its source, target and channel were issued before it? */
static inline uint64_t
rb_hold_before(const struct rb_desc *d)
{
	return d->turn - ((d->flags & RB_DESC_COUNTED) != 0);
}

#endif /* RB_SURVIVE_HOLD_H */
