/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_CALLER_H
#define SHMEMI_CALLER_H

#include <stddef.h>

/** Name of the API call that this thread is in. */
void shmemi_caller(char *name, size_t size);

#endif /* SHMEMI_CALLER_H */
