/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PSHMEM_H
#define PSHMEM_H

/**
 * @file
 * The profiling names (chapter 10): pshmem_NAME does what shmem_NAME of this library does, also
 * where a program or tool defines shmem_NAME itself.
 */

#include "shmem.h"

#define SHMEMI_PROFILING
#include "shmem.h"
#undef SHMEMI_PROFILING

#endif /* PSHMEM_H */
