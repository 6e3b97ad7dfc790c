/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* Memory of a node, where the kernel refuses to give it: Docker does, without a capability. */
#include <errno.h>
#include <stdbool.h>

#include <CUnit/Basic.h>
#include <numaif.h>

#include "mem/numa.h"
#include "cases.h"

static bool refused = true;
static unsigned int calls;

/* In place of libnuma's. */
long
mbind(void *addr, unsigned long len, int mode, const unsigned long *nodes, unsigned long most,
      unsigned int flags)
{
	calls++;
	if (!refused)
		return 0;
	errno = EPERM;
	return -1;
}

static void
refusals(void)
{
	static char range[4096];

	CU_ASSERT_EQUAL(rb_numa_bind(range, sizeof(range), -1), 0);
	CU_ASSERT_EQUAL(rb_numa_bind(range, sizeof(range), 0), -EPERM);
	/* a range that asks for no node needs nothing of the kernel as long as none got one */
	CU_ASSERT_EQUAL(rb_numa_bind(range, sizeof(range), -1), 0);
	CU_ASSERT_EQUAL(calls, 1);
	refused = false;
	CU_ASSERT_EQUAL(rb_numa_bind(range, sizeof(range), 0), 0);
	/* this range may be that one */
	CU_ASSERT_EQUAL(rb_numa_bind(range, sizeof(range), -1), 0);
	CU_ASSERT_EQUAL(calls, 3);
}

TEST_PROGRAM("numa", NULL, NULL, {"a node that is refused", refusals})
