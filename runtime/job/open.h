/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_OPEN_H
#define RB_JOB_OPEN_H

/**
 * @file
 * How a process joins a job, and leaves it.
 */

#include "base/types.h"

/**
 * Join the job that the environment describes (base/env.def); without any, be its only PE.
 * Collective. On return both links are up, checked, and every PE's heap can be written.
 * @return 0, -EINVAL (bad environment or heap size), -ENOMEM, -ENODEV (no such port), -ETIMEDOUT
 *         (a neighbour is missing), -EPROTO (wrong wiring, version, job); words in rb_error()
 */
int rb_open(const struct rb_params *params);

/** Leave: collective; completes everything outstanding first. Then rb_open() may follow again. */
void rb_close(void);

#endif /* RB_JOB_OPEN_H */
