/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_CALLER_H
#define SHMEMI_CALLER_H

#include <stddef.h>
#include <stdint.h>

/** Name of the API call that this thread is in. */
void shmemi_caller(char *name, size_t size);
/** Where in the program that call stands; 0: not known. */
uintptr_t shmemi_caller_pc(void);

#endif /* SHMEMI_CALLER_H */
