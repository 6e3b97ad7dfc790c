/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SUITE_H
#define SUITE_H

/**
 * @file
 * Frame of the tests of the API, which are OpenSHMEM programs: every PE runs all cases in step, on
 * as many PEs as there are. A failure of any PE makes that PE's exit status 1.
 */

#include <CUnit/Basic.h>
#include <string.h>

#include <shmem.h>

extern int me, npes;

/** The PE that this one works with: @p distance to the right. */
static inline int
to_right(int distance)
{
	return (me + distance) % npes;
}

static inline int
to_left(int distance)
{
	return (me + npes - distance % npes) % npes;
}

/** Init, run the cases, finalize. @return exit status */
int suite_main(const char *name, CU_TestInfo *tests);

/** Run the cases without touching the library. */
int suite_run(const char *name, CU_TestInfo *tests);

/** Zeroed symmetric memory, or the end of the test. */
void *sym_alloc(size_t size);

#endif /* SUITE_H */
