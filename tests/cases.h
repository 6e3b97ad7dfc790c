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

/** What runs around all cases, and gives 0, and around each of them; NULL: there is nothing to do.
 */
struct test_suite {
	const char *name;
	int (*init)(void);
	int (*cleanup)(void);
	void (*before)(void);
	void (*after)(void);
};

/** @return the exit status of the program */
static inline int
run_cases(const struct test_suite *s, const struct test_case *cases, size_t n)
{
	unsigned int failed;
	CU_pSuite suite;

	if (CU_initialize_registry() != CUE_SUCCESS)
		return EXIT_FAILURE;
	suite = CU_add_suite_with_setup_and_teardown(s->name, s->init, s->cleanup, s->before,
						     s->after);
	for (size_t i = 0; i < n; i++)
		if (suite == NULL || CU_add_test(suite, cases[i].name, cases[i].run) == NULL)
			return EXIT_FAILURE;
	CU_basic_set_mode(CU_BRM_VERBOSE);
	CU_basic_run_tests();
	failed = CU_get_number_of_failures() + CU_get_number_of_suites_failed();
	CU_cleanup_registry();
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/** A program of these cases. */
#define TEST_PROGRAM_AROUND(name, init, cleanup, before, after, ...)                  \
	int main(void)                                                                \
	{                                                                             \
		static const struct test_case cases[] = {__VA_ARGS__};                \
		const struct test_suite suite = {name, init, cleanup, before, after}; \
                                                                                      \
		return run_cases(&suite, cases, sizeof(cases) / sizeof(cases[0]));    \
	}

/** The same, with nothing around all cases. */
#define TEST_PROGRAM(name, before, after, ...) \
	TEST_PROGRAM_AROUND(name, NULL, NULL, before, after, __VA_ARGS__)

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
