/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_LAUNCHER_H
#define RB_BASE_LAUNCHER_H

/**
 * @file
 * The launcher that started this process.
 */

#include <stdbool.h>

/** Was this process started by a PMIx launcher such as mpirun or srun, and not by oshrun? */
bool rb_pmix_here(void);

#endif /* RB_BASE_LAUNCHER_H */
