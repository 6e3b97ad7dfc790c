/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OP_BARRIER_BASELINES_H
#define RB_OP_BARRIER_BASELINES_H

/**
 * @file
 * The barriers of two of the systems that Ringbell follows, as baselines for measurements
 * (RINGBELL_BARRIER).
 */

#include <stdint.h>

void rb_barrier_token(void);
void rb_barrier_linear(uint64_t epoch);

/** Check that the chosen barrier works over the existing links. 0, or -EINVAL with an error text.
 */
int rb_barrier_check(void);

#endif /* RB_OP_BARRIER_BASELINES_H */
