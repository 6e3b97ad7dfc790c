/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <fnmatch.h>
#include <stdlib.h>

#include "cli.h"

#define SIZE_LIMIT (1L << 32)

bool
cli_number(const char *text, long min, long max, long *ret, const char **ret_end)
{
	char *end;
	long v = strtol(text, &end, 10);
	int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;

	if (end == text || v < 0 || v > max >> shift || v << shift < min)
		return false;
	*ret = v << shift;
	*ret_end = end + (shift != 0);
	return true;
}

unsigned int
cli_sizes(const char *list, size_t sizes[CLI_SIZES_MAX])
{
	unsigned int n;
	long v;

	for (n = 0; n < CLI_SIZES_MAX; list++) {
		if (!cli_number(list, 1, SIZE_LIMIT, &v, &list))
			return 0;
		sizes[n++] = (size_t)v;
		if (*list != ',')
			return *list == '\0' ? n : 0;
	}
	return 0;
}

bool
cli_match(char *const *patterns, const char *name)
{
	char *const *pattern;

	for (pattern = patterns; *pattern; pattern++)
		if (fnmatch(*pattern, name, 0) == 0)
			return true;
	return patterns[0] == NULL;
}
