/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/pmix.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "job/exchange.h"

/* In place of pmix.c, where a build has no header of PMIx. */

static int
join_job(int *rank, int *size)
{
	(void)rank;
	(void)size;
	return rb_fail(-ENOSYS,
		       "started by a PMIx launcher (PMIX_RANK=%s), but Ringbell was built "
		       "without PMIx: use oshrun, or build it where libpmix-dev is",
		       getenv("PMIX_RANK"));
}

static void
end_job(bool met, int status)
{
	(void)met;
	(void)status;
}

const struct rb_exchange rb_exchange_pmix = {.join = join_job, .end = end_job, .leave = end_job};
