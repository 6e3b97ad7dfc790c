/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_NOTIFY_H
#define RB_LINK_NOTIFY_H

/**
 * @file
 * How a receiver learns which rings hold frames. Notify mode memory: it looks at the next
 * descriptor of each ring. Notify mode doorbell: the sender of a frame rings the channel's doorbell
 * after it, and the receiver reads one register for all channels.
 *
 * Nothing is lost: a ring that holds a descriptor which was not looked at has its doorbell pending,
 * or set in rb_link.due. If a bell came before the clear, its descriptor arrived before the clear
 * too, and the look after the clear finds it. A bell that comes later is pending again. But a clear
 * is a posted write, and a look at local memory does not wait for it: a bell between the look and
 * the arrival of the clear would be lost. Reading the register back waits for the clear.
 * tests/spin/doorbell.pml.
 */

#include <stdint.h>

#include "base/link.h"

/** Doorbells of a group's rings that rang since the last call, or whose rings were not drained. Not
 *  for notify mode memory, where no doorbell announces a frame. */
uint32_t rb_notify_due(struct rb_link *link, unsigned int group);

/** Ring the neighbour's doorbell for a frame that the neighbour awaits (rb_tx_awaited()). In notify
 *  mode memory once for each time that it has asked. */
void rb_bell(struct rb_link *link, const struct rb_tx *tx);

#endif /* RB_LINK_NOTIFY_H */
