/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PSHMEM_H
#define PSHMEM_H

/**
 * @file
 * The profiling names (chapter 10): pshmem_NAME is what shmem_NAME does, whoever defines the
 * latter.
 */

#include "shmem.h"

#define SHMEMI_PROFILING
#include "shmem.h"
#undef SHMEMI_PROFILING

#endif /* PSHMEM_H */
