/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdio.h>
#include <stdlib.h>

#include "suite.h"

int me, npes = 1;

static int
tell_failures(void)
{
	const CU_FailureRecord *f;
	int n = 0;

	for (f = CU_get_failure_list(); f != NULL; f = f->pNext, n++) {
		if (n < 20)
			fprintf(stderr, "PE %d: %s:%u: %s: %s\n", me, f->strFileName,
				f->uiLineNumber, f->pTest != NULL ? f->pTest->pName : "set-up",
				f->strCondition);
	}
	return n;
}

int
suite_run(const char *name, CU_TestInfo *tests)
{
	CU_SuiteInfo suites[] = {
		{name, NULL, NULL, NULL, NULL, tests},
		CU_SUITE_INFO_NULL,
	};
	int failures = 1;

	if (CU_initialize_registry() != CUE_SUCCESS || CU_register_suites(suites) != CUE_SUCCESS)
		return 1;
	CU_basic_set_mode(CU_BRM_SILENT);
	CU_basic_run_tests();
	failures = tell_failures();
	if (me == 0)
		printf("%s on %d PEs: %u cases, %u checks, %d failures\n", name, npes,
		       CU_get_number_of_tests_run(), CU_get_number_of_asserts(), failures);
	CU_cleanup_registry();
	return failures != 0;
}

int
suite_main(const char *name, CU_TestInfo *tests)
{
	int status;

	shmem_init();
	me = shmem_my_pe();
	npes = shmem_n_pes();
	status = suite_run(name, tests);
	shmem_finalize();
	return status;
}

void *
sym_alloc(size_t size)
{
	void *p = shmem_calloc(1, size);

	if (p == NULL) {
		fprintf(stderr, "PE %d: no %zu bytes of symmetric memory\n", me, size);
		shmem_global_exit(1);
	}
	return p;
}
