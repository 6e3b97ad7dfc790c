/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef HEAP_ENV_H
#define HEAP_ENV_H

#include <stddef.h>

/**
 * The value of SHMEM_SYMMETRIC_SIZE: a number with an optional suffix k, m, g or t of either case,
 * of which only the first letter counts; rounded up to whole bytes.
 * @return 0, or -1 if @p text is not such a value
 */
int heap_parse_size(const char *text, size_t *size);

/** As strtold(), in the C locale. */
long double heap_parse_number(const char *text, char **end);

#endif /* HEAP_ENV_H */
