/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_CLAIM_H
#define RB_BASE_CLAIM_H

/**
 * @file
 * One process is one PE: a place in the job is taken once. What a PE starts inherits the variables
 * of its place, but not the place, and is a job of its own.
 */

#include <stdbool.h>

struct rb_env;

/** Take the place that the environment describes. 0 or -errno, words. */
int rb_claim(const struct rb_env *env);

#endif /* RB_BASE_CLAIM_H */
