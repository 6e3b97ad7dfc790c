/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_DISPATCH_H
#define RB_RELAY_DISPATCH_H

#include <stdbool.h>

#include "base/transport.h"

/** Drain the rings of a group on both links for one bounded turn. The caller holds the group's
 *  poll_lock. */
enum rb_progress_left rb_poll_rings(unsigned int group);

#endif /* RB_RELAY_DISPATCH_H */
