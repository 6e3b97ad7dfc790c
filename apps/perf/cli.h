/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef CLI_H
#define CLI_H

/**
 * @file
 * What the command lines of both measuring programs share.
 */

#include <stdbool.h>
#include <stddef.h>

#define CLI_SIZES "8,64,512,4K,16K,64K,256K,1M,4M"

enum {
	CLI_SIZES_MAX = 64,
};

/** A number of @p min..@p max with K, M or G behind it if wanted; @p ret_end is what follows. */
bool cli_number(const char *text, long min, long max, long *ret, const char **ret_end);

/** @return how many sizes @p list has, 0 where it is no list of sizes */
unsigned int cli_sizes(const char *list, size_t sizes[CLI_SIZES_MAX]);

/** Does one of the patterns fit @p name? @p patterns ends with NULL; where there is none, any. */
bool cli_match(char *const *patterns, const char *name);

#endif /* CLI_H */
