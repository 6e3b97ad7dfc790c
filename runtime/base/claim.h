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

#include "base/env.h"

/** Take the place that the environment describes. 0 or -errno, words. */
int rb_claim(const struct rb_env *env);

/** Under a PMIx launcher: take the rank, and let what this process starts know. 0 or -errno, words.
 */
int rb_claim_rank(void);
/** Has a process above this one taken its rank? */
bool rb_claim_rank_taken(void);

#endif /* RB_BASE_CLAIM_H */
