/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_BOOTSTRAP_H
#define RB_JOB_BOOTSTRAP_H

struct rb_env;
struct rb_exchange;

/**
 * Learn of the job by rb_exchange, in place of the variables that oshrun sets: which PE runs where,
 * and the memory of emulated cables and hosts. Collective. 0 or -errno with an error text.
 */
int rb_bootstrap(struct rb_env *env);

/** That of this job; NULL: oshrun has described it, or nobody. Set before other threads run. */
extern const struct rb_exchange *rb_exchange;

#endif /* RB_JOB_BOOTSTRAP_H */
