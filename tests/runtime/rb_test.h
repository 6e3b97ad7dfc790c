/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_TEST_H
#define RB_TEST_H

#include <CUnit/Basic.h>
#include <stdlib.h>

struct rb_case {
	const char *name;
	void (*run)(void);
};

static inline int
rb_run(const char *suite_name, const struct rb_case *cases, unsigned int n)
{
	unsigned int i, failed;
	CU_pSuite suite;

	if (CU_initialize_registry() != CUE_SUCCESS)
		return EXIT_FAILURE;
	suite = CU_add_suite(suite_name, NULL, NULL);
	for (i = 0; i < n; i++)
		CU_add_test(suite, cases[i].name, cases[i].run);
	CU_basic_set_mode(CU_BRM_VERBOSE);
	CU_basic_run_tests();
	failed = CU_get_number_of_failures();
	CU_cleanup_registry();
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif /* RB_TEST_H */
