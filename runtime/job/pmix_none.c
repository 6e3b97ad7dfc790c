/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "job/bootstrap.h"
#include "job/pmix.h"

/* In place of bootstrap.c and pmix.c, where a build has no header of PMIx. */

int
rb_bootstrap(struct rb_env *env)
{
	(void)env;
	return rb_fail(-ENOSYS,
		       "started by a PMIx launcher (PMIX_RANK=%s), but Ringbell was built "
		       "without PMIx: use oshrun, or build it where libpmix-dev is",
		       getenv("PMIX_RANK"));
}

void
rb_pmix_end(bool met, int status)
{
	(void)met;
	(void)status;
}

void
rb_pmix_leave(bool closed, int status)
{
	(void)closed;
	(void)status;
}
