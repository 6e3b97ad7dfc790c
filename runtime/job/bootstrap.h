/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_BOOTSTRAP_H
#define RB_JOB_BOOTSTRAP_H

struct rb_env;

/**
 * The job as a PMIx launcher describes it, in place of the variables that oshrun sets: who runs
 * where, and the memory that emulated cables and hosts are made of. Collective. 0 or -errno, words.
 */
int rb_bootstrap(struct rb_env *env);

#endif /* RB_JOB_BOOTSTRAP_H */
