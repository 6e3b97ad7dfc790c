/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PADDING_H
#define PADDING_H

/**
 * @file
 * The bytes of a long double that hold nothing. They may have any value in one that was computed or
 * passed by value, so they are set to zero.
 */

#include <float.h>
#include <stddef.h>
#include <string.h>

enum {
	LD_VALUE = LDBL_MANT_DIG == 64 ? 10 : sizeof(long double), /* bytes, from the first on */
	LD_PADDING = sizeof(long double) - LD_VALUE,
};

/** Of @p n long doubles. */
static inline void
clear_padding(void *at, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		memset((unsigned char *)at + i * sizeof(long double) + LD_VALUE, 0, LD_PADDING);
}

#endif /* PADDING_H */
