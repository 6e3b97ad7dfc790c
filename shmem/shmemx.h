/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_H
#define SHMEMX_H

/**
 * @file
 * Extensions of this library beyond the standard. There are none.
 */

#include "shmem.h"

#endif /* SHMEMX_H */
