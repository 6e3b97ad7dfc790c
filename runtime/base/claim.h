/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_CLAIM_H
#define RB_BASE_CLAIM_H

/**
 * @file
 * One process is one PE: each rank of the job is taken once. A process that a PE starts inherits
 * the variables of the rank but not the rank, and is a job of its own.
 */

#include <stdbool.h>

struct rb_env;

/** Take the rank that the environment describes. 0, or -errno with words in rb_error(). */
int rb_claim(const struct rb_env *env);

#endif /* RB_BASE_CLAIM_H */
