/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef MISUSE_H
#define MISUSE_H

/** @file Programs that make one mistake, which an argument names. */

#include <stdbool.h>
#include <string.h>

static const char *misuse_wanted;
static bool misuse_found;

/** Is this the mistake to make? */
static inline bool
is(const char *name)
{
	bool same = strcmp(name, misuse_wanted) == 0;

	misuse_found |= same;
	return same;
}

#endif /* MISUSE_H */
