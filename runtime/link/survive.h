/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_SURVIVE_H
#define RB_LINK_SURVIVE_H

/**
 * @file
 * Whether the job survives the loss of a cable, and what it needs for that: windows that do not end
 * with the link, or frames that are kept (doc/protocols.md, section 9).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/link.h"
#include "base/rules.h"

/** Is the job to survive, as far as settings and ports can tell? From when the ports are started.
 */
bool rb_survive_may(void);

/** Find out whether the job survives a loss, and keep the windows for it. Call it after the
 *  handshake, before any frame is sent. One cable may be out where rb_survive_may(). */
void rb_survive_prepare(void);

/** The link of a cable that was out when the job started is up: give its window the neighbour's
 *  memory. 0 or -errno. */
int rb_survive_window(enum rb_side side);

/** Keep the file that the window is mapped from. Nothing where no descriptor is left. */
void rb_survive_keep(struct rb_link *link, int fd, uint64_t off);

/** Addresses for a window of @p size bytes, on a huge page. NULL: none */
uint8_t *rb_survive_reserve(size_t size);

#endif /* RB_LINK_SURVIVE_H */
