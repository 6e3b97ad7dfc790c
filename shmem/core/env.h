/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEM_ENV_H
#define SHMEM_ENV_H

/* Environment variables (chapter 8). */

enum shmemi_env_id {
#define SHMEM_ENV(symbol, name, older, fallback, help) SHMEMI_ENV_##symbol,
#include "env.def"
#undef SHMEM_ENV
	SHMEMI_ENVS
};

/** Value of a variable, or NULL where neither its name nor its older one is set. */
const char *shmemi_env(enum shmemi_env_id id);

/** The name it has its value by: the older one where only that is set. */
const char *shmemi_env_name(enum shmemi_env_id id);

/** Print to stdout what SHMEM_VERSION and SHMEM_INFO ask for; one PE does it for all. */
void shmemi_env_print(void);

#endif /* SHMEM_ENV_H */
