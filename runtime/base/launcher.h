/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_LAUNCHER_H
#define RB_BASE_LAUNCHER_H

/**
 * @file
 * Who started this process.
 */

#include <stdbool.h>

/** Did a PMIx launcher such as mpirun or srun start it, and oshrun did not? */
bool rb_pmix_here(void);

#endif /* RB_BASE_LAUNCHER_H */
