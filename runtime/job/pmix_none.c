/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "job/pmix.h"

int
rb_pmix_join(int *rank, int *size)
{
	(void)rank;
	(void)size;
	return rb_fail(-ENOSYS,
		       "started by a PMIx launcher (PMIX_RANK=%s), but Ringbell was built "
		       "without PMIx: use oshrun, or build it where libpmix-dev is",
		       getenv("PMIX_RANK"));
}

bool
rb_pmix_node(uint32_t *node)
{
	(void)node;
	return false;
}

int
rb_pmix_share(const char *key, void *mine, size_t len)
{
	(void)key;
	(void)mine;
	(void)len;
	return -ENOSYS;
}

int
rb_pmix_get(const char *key, int rank, void *bytes, size_t len)
{
	(void)key;
	(void)rank;
	(void)bytes;
	(void)len;
	return -ENOSYS;
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
