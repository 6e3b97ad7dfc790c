/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>

#include "rb_env.h"
#include "rb_limit.h"

void
rb_limit_lift(struct rlimit *was)
{
	struct rlimit most;

	if (getrlimit(RLIMIT_FSIZE, was) != 0) {
		was->rlim_cur = was->rlim_max = RLIM_INFINITY;
		return;
	}
	most = *was;
	most.rlim_cur = most.rlim_max;
	setrlimit(RLIMIT_FSIZE, &most); /* where that fails, rb_limit_check() says so */
}

void
rb_limit_back(const struct rlimit *was)
{
	setrlimit(RLIMIT_FSIZE, was);
}

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
