/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef CLI_H
#define CLI_H

/**
 * @file
 * The command lines of both measuring programs.
 */

#include <stdbool.h>
#include <stddef.h>

#define CLI_SIZES "8,64,512,4K,16K,64K,256K,1M,4M"

enum {
	CLI_SIZES_MAX = 64,
};

/** A number of @p min..@p max, optionally followed by K, M or G; @p ret_end points after it. */
bool cli_number(const char *text, long min, long max, long *ret, const char **ret_end);

/** @return how many sizes @p list has, 0 if it is not a list of sizes */
unsigned int cli_sizes(const char *list, size_t sizes[CLI_SIZES_MAX]);

/** Does one of the patterns fit @p name? @p patterns ends with NULL; where there is none, any. */
bool cli_match(char *const *patterns, const char *name);

#endif /* CLI_H */
