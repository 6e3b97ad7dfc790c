/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef ONE_CASE_H
#define ONE_CASE_H

/**
 * @file
 * Frame of programs that make one mistake, which an argument names.
 */

#include <stdio.h>
#include <string.h>

#include <shmem.h>

struct one_case {
	const char *name;
	void (*run)(void);
};

/** Run the case of that name, then finalize. @return exit status */
static inline int
run_one_case(const char *name, const struct one_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (name != NULL && strcmp(name, cases[i].name) == 0) {
			cases[i].run();
			shmem_finalize();
			return 0;
		}
	}
	fprintf(stderr, "no such case\n");
	shmem_finalize();
	return 98;
}

#endif /* ONE_CASE_H */
