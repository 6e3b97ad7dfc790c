/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_NOTIFY_H
#define RB_LINK_NOTIFY_H

/**
 * @file
 * How a receiver learns which rings hold something. Notify mode memory: it looks at the next
 * descriptor of each. Notify mode doorbell: who commits a frame rings the channel's doorbell behind
 * it, and the receiver reads one register for all channels.
 *
 * Nothing is lost: a ring that holds a descriptor which was not looked at has its doorbell pending,
 * or in rb_link.due. The descriptor of a bell that came before the clear landed before it, and is
 * found by the look after it; a bell that comes later is pending again. A clear is a posted write,
 * though, and a look at local memory does not wait for it: a bell between the look and the landing
 * of the clear would be lost. Reading the register back does wait. tests/spin/doorbell.pml.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/env.h"
#include "base/link.h"
#include "base/state.h"
#include "base/wire.h"

/** By service lcore. */
extern struct rb_group rb_groups[RB_MAX_LCORES];

/** Doorbells of a group's rings that rang since the last time, or whose rings were left full. */
static inline uint32_t
rb_notify_due(struct rb_link *link, unsigned int group)
{
	uint32_t due = link->due[group], fresh;

	if (rb.notify == RB_NOTIFY_MEMORY)
		return UINT32_MAX;
	fresh = ntb_db_read(link->port) & rb_groups[group].bells;
	if (fresh != 0) {
		ntb_db_clear(link->port, fresh);
		ntb_db_read(link->port);
	}
	link->due[group] = 0;
	return due | fresh;
}

/** The rings behind the doorbell of channel @p c may hold more. */
static inline void
rb_notify_later(struct rb_link *link, unsigned int group, unsigned int c, bool later)
{
	if (later)
		link->due[group] |= RB_DB_CHAN(c);
}

/** Tell the neighbour of a frame, if it needs to be told (relay/sleep.c). */
void rb_bell(struct rb_link *link, const struct rb_tx *tx);

#endif /* RB_LINK_NOTIFY_H */
