/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OP_BARRIER_BASELINES_H
#define RB_OP_BARRIER_BASELINES_H

/**
 * @file
 * Barriers of two of the systems that Ringbell follows, to measure against (RINGBELL_BARRIER).
 */

#include <stdint.h>

void rb_barrier_token(void);
void rb_barrier_linear(uint64_t epoch);

/** Can the chosen barrier work over the links that are there? 0 or -EINVAL, words. */
int rb_barrier_check(void);

#endif /* RB_OP_BARRIER_BASELINES_H */
