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
rb_pmix_closed(bool closed)
{
	(void)closed;
}

void
rb_pmix_end(void)
{
}

void
rb_pmix_leave(void)
{
}
