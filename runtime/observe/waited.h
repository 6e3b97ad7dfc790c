/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OBSERVE_WAITED_H
#define RB_OBSERVE_WAITED_H

#include "base/types.h"

/** Begin and end of a wait that the first polls did not end; @p w->began is not 0 in between. */
void rb_stats_wait(struct rb_wait *w);
void rb_stats_waited(struct rb_wait *w);

#endif /* RB_OBSERVE_WAITED_H */
