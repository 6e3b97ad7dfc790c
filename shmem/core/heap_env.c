/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "heap_env.h"

/* Beyond any address space, and small enough that nothing added to it overflows. */
#define SIZE_LIMIT (1ULL << 56)

static unsigned int
scale_bits(char suffix)
{
	static const char letters[] = "kmgt";
	const char *at = suffix == '\0' ? NULL : strchr(letters, suffix | 0x20);

	return at == NULL ? 0 : 10 * (unsigned int)(at - letters + 1);
}

/* The program may have chosen a locale that writes numbers in another way. */
long double
heap_parse_number(const char *text, char **end)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	long double v;

	if (c == (locale_t)0)
		return strtold(text, end);
	v = strtold_l(text, end, c);
	freelocale(c);
	return v;
}

int
heap_parse_size(const char *text, size_t *size)
{
	long double v;
	char *end;

	/* A digit or ".digit" rules out signs, spaces, "inf" and "nan". */
	if (strspn(text, "0123456789") == 0 &&
	    (text[0] != '.' || strspn(text + 1, "0123456789") == 0))
		return -1;
	if (text[0] == '0' && (text[1] | 0x20) == 'x')
		return -1;
	v = heap_parse_number(text, &end);
	if (*end != '\0' && scale_bits(*end) == 0)
		return -1;
	v *= (long double)(1ULL << scale_bits(*end));
	if (!(v < (long double)SIZE_LIMIT))
		return -1;
	*size = (size_t)v;
	if ((long double)*size < v)
		++*size;
	return 0;
}
