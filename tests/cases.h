/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef CASES_H
#define CASES_H

/**
 * @file
 * Frame of the test programs of one process: the cases of one CUnit suite, one after another, and
 * the exit status.
 */

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

struct test_case {
	const char *name;
	void (*run)(void);
};

static inline int
run_cases(CU_pSuite suite, const struct test_case *cases, size_t n)
{
	unsigned int failed;

	for (size_t i = 0; i < n; i++)
		if (suite == NULL || CU_add_test(suite, cases[i].name, cases[i].run) == NULL)
			return EXIT_FAILURE;
	CU_basic_set_mode(CU_BRM_VERBOSE);
	CU_basic_run_tests();
	failed = CU_get_number_of_failures() + CU_get_number_of_suites_failed();
	CU_cleanup_registry();
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/** @p init and @p cleanup run around all cases and give 0; NULL: there is nothing to do. */
static inline int
run_suite_around(const char *name, int (*init)(void), int (*cleanup)(void),
		 const struct test_case *cases, size_t n)
{
	if (CU_initialize_registry() != CUE_SUCCESS)
		return EXIT_FAILURE;
	return run_cases(CU_add_suite(name, init, cleanup), cases, n);
}

/** @p before and @p after run around each case; NULL: there is nothing to do. */
static inline int
run_each(const char *name, void (*before)(void), void (*after)(void), const struct test_case *cases,
	 size_t n)
{
	if (CU_initialize_registry() != CUE_SUCCESS)
		return EXIT_FAILURE;
	return run_cases(CU_add_suite_with_setup_and_teardown(name, NULL, NULL, before, after),
			 cases, n);
}

/** A program of these cases, each as run_each() does it. */
#define TEST_PROGRAM(name, before, after, ...)                                                 \
	int main(void)                                                                         \
	{                                                                                      \
		static const struct test_case cases[] = {__VA_ARGS__};                         \
                                                                                               \
		return run_each(name, before, after, cases, sizeof(cases) / sizeof(cases[0])); \
	}

/** @return the exit status of the program */
static inline int
run_suite(const char *name, const struct test_case *cases, size_t n)
{
	return run_suite_around(name, NULL, NULL, cases, n);
}

static const char *limit_text;

static inline void
end_at_limit(int sig)
{
	(void)sig;
	_exit(write(STDERR_FILENO, limit_text, strlen(limit_text)) < 0 ? 2 : 1);
}

/** End the program after @p seconds with the line @p text, which says what it still waits for. 0
 *  seconds: lift the limit. */
static inline void
set_limit(unsigned int seconds, const char *text)
{
	limit_text = text;
	signal(SIGALRM, end_at_limit);
	alarm(seconds);
}

#endif /* CASES_H */
