/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdio.h>
#include <stdlib.h>

#include "env.h"
#include "shmemi.h"

struct env_row {
	const char *name;
	const char *older;
	const char *fallback;
	const char *help;
};

static const struct env_row env_rows[] = {
#define SHMEM_ENV(symbol, name, older, fallback, help) {name, older, fallback, help},
#include "env.def"
#undef SHMEM_ENV
};

const char *
shmemi_env(enum shmemi_env_id id)
{
	const struct env_row *row = &env_rows[id];
	const char *value = getenv(row->name);

	if (value == NULL && row->older[0] != '\0')
		value = getenv(row->older);
	return value;
}

const char *
shmemi_env_name(enum shmemi_env_id id)
{
	const struct env_row *row = &env_rows[id];
	bool older =
		row->older[0] != '\0' && getenv(row->name) == NULL && getenv(row->older) != NULL;

	return older ? row->older : row->name;
}

void
shmemi_env_print(void)
{
	size_t i;

	if (shmemi_env(SHMEMI_ENV_VERSION) != NULL)
		printf("%s %s, OpenSHMEM %d.%d\n", SHMEM_VENDOR_STRING, RINGBELL_VERSION,
		       SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION);
	if (shmemi_env(SHMEMI_ENV_INFO) == NULL)
		return;
	printf("Environment variables of OpenSHMEM (name, value, default, meaning):\n");
	for (i = 0; i < sizeof(env_rows) / sizeof(env_rows[0]); i++) {
		const char *value = shmemi_env((enum shmemi_env_id)i);

		printf("  %-20s %-8s %-6s %s\n", env_rows[i].name, value == NULL ? "-" : value,
		       env_rows[i].fallback[0] == '\0' ? "-" : env_rows[i].fallback,
		       env_rows[i].help);
	}
	rb_describe(stdout);
	fflush(stdout);
}
