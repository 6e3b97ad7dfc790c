/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_MEMORY_H
#define SHMEMI_MEMORY_H

#include <stddef.h>

size_t shmemi_memory_bytes(void); /**< what the calls of section 9.3 take from the heap */
/** The words by which their calls agree. 0 or -errno */
int shmemi_memory_open(void);

#endif /* SHMEMI_MEMORY_H */
