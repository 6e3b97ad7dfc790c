/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/limit.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>

#include "base/error.h"

int
rb_limit_check(uint64_t size)
{
	struct rlimit now;

	if (getrlimit(RLIMIT_FSIZE, &now) != 0 || now.rlim_cur == RLIM_INFINITY ||
	    now.rlim_cur >= size)
		return 0;
	return rb_fail(-EFBIG,
		       "files may have %llu bytes (ulimit -f), but the memory that PEs share is a "
		       "file of %llu: raise the limit",
		       (unsigned long long)now.rlim_cur, (unsigned long long)size);
}

/* The limits as ulimit names them, and the value from which on a limit does no harm. */
static const struct {
	int resource;
	char flag;
	unsigned int unit;
	rlim_t ample;
} limits[] = {
	{RLIMIT_AS, 'v', 1024, RLIM_INFINITY},
	{RLIMIT_DATA, 'd', 1024, RLIM_INFINITY},
	{RLIMIT_NOFILE, 'n', 1, 1024},
	{RLIMIT_NPROC, 'u', 1, 4096},
};

const char *
rb_limit_words(void)
{
	static char text[160];
	struct rlimit now;
	size_t i, at = 0;

	text[0] = '\0';
	for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (getrlimit(limits[i].resource, &now) == 0 && now.rlim_cur < limits[i].ample)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%sulimit -%c %llu",
					       at == 0 ? "; limits here, to be raised: " : ", ",
					       limits[i].flag,
					       (unsigned long long)(now.rlim_cur / limits[i].unit));
	return text;
}
