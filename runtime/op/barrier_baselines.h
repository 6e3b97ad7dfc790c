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

#include "host/wait.h"

/** @p leave as of rb_barrier_leaving(). */
void rb_barrier_token(rb_wait_leave *leave);
void rb_barrier_linear(uint64_t epoch, rb_wait_leave *leave);

/** Check that the chosen barrier works over the existing links. 0, or -EINVAL with an error text.
 */
int rb_barrier_check(void);

#endif /* RB_OP_BARRIER_BASELINES_H */
