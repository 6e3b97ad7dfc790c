/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_BOOTSTRAP_H
#define RB_JOB_BOOTSTRAP_H

struct rb_env;

/**
 * Read the job from a PMIx launcher, in place of the variables that oshrun sets: which PE runs
 * where, and the memory of emulated cables and hosts. Collective. 0 or -errno with an error text.
 */
int rb_bootstrap(struct rb_env *env);

#endif /* RB_JOB_BOOTSTRAP_H */
