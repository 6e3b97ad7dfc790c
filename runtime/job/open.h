/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_OPEN_H
#define RB_JOB_OPEN_H

/**
 * @file
 * How a process joins and leaves a job.
 */

#include "base/types.h"

/**
 * Join the job that the environment describes (base/env.def); without a description, be its only
 * PE. Collective. On return both links are up and checked, and every PE's heap can be written.
 *
 * @return 0, -EINVAL (bad environment or heap size), -ENOMEM, -ENODEV (no such port), -ETIMEDOUT (a
 * neighbour is missing), -EPROTO (wrong wiring, version, job), with an error text in rb_error()
 */
int rb_open(const struct rb_params *params);

/** Leave the job. Collective; completes all outstanding operations first. rb_open() may follow
 *  again. */
void rb_close(void);

#endif /* RB_JOB_OPEN_H */
