/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Programs written for Open MPI find the profiling names of extensions here.
 */
#include "pshmem.h"
