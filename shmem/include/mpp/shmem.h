/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The place of shmem.h before OpenSHMEM 1.1. */
#include "../shmem.h"
