/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_SURVIVE_WATCH_H
#define RB_SURVIVE_WATCH_H

/**
 * @file
 * Whether the lost cable is back. Both ends have to ask their ports, because a port programs its
 * chip again in that call, and is up only once the other one has done so.
 */

#include <stdbool.h>

#include "base/rules.h"

/** A look at the lost cable on @p side, about each millisecond. */
void rb_watch_return(enum rb_side side);

/** Has it been up for long enough? If so, the caller is about to take it into use: from now on it
 *  counts as lost again where it breaks. */
bool rb_watch_is_back(enum rb_side side);

/** This host is about to store over the cable that is back: its link is to stay down from now on if
 *  it breaks. */
void rb_watch_rely(enum rb_side side);

#endif /* RB_SURVIVE_WATCH_H */
