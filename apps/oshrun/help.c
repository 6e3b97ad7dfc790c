/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdio.h>
#include <string.h>

#include "oshrun.h"

/* user and job are the kinds that base/env.def knows */
enum env_kind {
	library,
	user,
	job,
};

static const struct env_var {
	const char *name;
	enum env_kind kind;
	const char *def;
	const char *help;
} vars[] = {
#define SHMEM_ENV(symbol, name, older, fallback, help) {name, library, fallback, help},
#include "env.def"
#undef SHMEM_ENV
#define RB_ENV(symbol, name, kind, def, help, ...) {name, kind, def, help},
#include "base/env.def"
#undef RB_ENV
};

static void
print_vars(enum env_kind kind)
{
	size_t i;

	for (i = 0; i < sizeof(vars) / sizeof(vars[0]); i++) {
		if (vars[i].kind != kind)
			continue;
		printf("  %-24s %s", vars[i].name, vars[i].help);
		if (vars[i].def[0] != '\0' && kind != job)
			printf(" (default %s)", vars[i].def);
		putchar('\n');
	}
}

void
help_env(void)
{
	puts("Variables of the OpenSHMEM library:");
	print_vars(library);
	puts("\nVariables of the runtime:");
	print_vars(user);
	puts("\nSet by oshrun for its PEs, not to be set by hand:");
	print_vars(job);
}

bool
help_env_is_job(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(vars) / sizeof(vars[0]); i++)
		if (vars[i].kind == job && strcmp(vars[i].name, name) == 0)
			return true;
	return false;
}
