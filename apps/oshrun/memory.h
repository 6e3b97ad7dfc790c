/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef MEMORY_H
#define MEMORY_H

/**
 * @file
 * Why the kernel killed a PE.
 */

#include <stddef.h>

/** Call it before PEs are started. */
void memory_open(void);
/** ": a reason", for the end of a message; "" where there is none. */
void memory_why_killed(char *text, size_t size);

#endif /* MEMORY_H */
