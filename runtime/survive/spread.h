/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_SURVIVE_SPREAD_H
#define RB_SURVIVE_SPREAD_H

#include <stdint.h>

/** The barrier of all hosts; one thread of each calls it. */
void rb_spread_barrier(uint64_t epoch);
/** A host that has not arrived; -1: all have. */
int rb_spread_missing(uint64_t epoch);

#endif /* RB_SURVIVE_SPREAD_H */
