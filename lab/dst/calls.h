/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LAB_DST_CALLS_H
#define LAB_DST_CALLS_H

/**
 * @file
 * The system calls of simulated threads, each by its number.
 */

#include <stdbool.h>

/** @return false: the kernel does it as it is, else @p ret is what it returns. @p context: of the
 *  trap's handler */
bool dst_call(long *ret, long nr, const long *a, void *context);

#endif /* LAB_DST_CALLS_H */
