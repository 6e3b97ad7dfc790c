/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/env.h"
#include "core/hang.h"
#include "core/heap.h"
#include "core/shmemi.h"
#include "shmemx.h"

/*
 * Variables for tools: first those of the runtime (job/vars.h), then the settings of this layer
 * (core/env.def), then what the allocator of the heap knows.
 */

enum heap_level {
	HEAP_USED,
	HEAP_LARGEST,
	HEAP_LEVELS
};

static const shmemx_var_t heap_rows[HEAP_LEVELS] = {
	[HEAP_USED] = {"heap.used_bytes", "bytes", "of the symmetric heap that are allocated",
		       SHMEMX_VAR_LEVEL, 0},
	[HEAP_LARGEST] = {"heap.largest_free_bytes", "bytes",
			  "that one shmem_malloc() could get now", SHMEMX_VAR_LEVEL, 0},
};

static int
var_count(void)
{
	return (int)rb_vars() + SHMEMI_ENVS + HEAP_LEVELS;
}

/* Index among the settings of this layer, or below 0 or beyond. */
static int
env_of(int var)
{
	return var - (int)rb_vars();
}

static int
heap_of(int var)
{
	return env_of(var) - SHMEMI_ENVS;
}

static bool
is_var(int var)
{
	return var >= 0 && var < var_count();
}

SHMEMI_EXPORT int
shmemx_var_count(void)
{
	shmemi_enter("shmemx_var_count");
	return var_count();
}

static void
describe_var(int var, shmemx_var_t *info)
{
	struct rb_var of;

	if (heap_of(var) >= 0) {
		*info = heap_rows[heap_of(var)];
	} else if (env_of(var) >= 0) {
		enum shmemi_env_id id = (enum shmemi_env_id)env_of(var);

		*info = (shmemx_var_t){shmemi_env_first_name(id), "", shmemi_env_help(id),
				       SHMEMX_VAR_SETTING, id == SHMEMI_ENV_CHECK_WAIT};
	} else {
		rb_var_info((unsigned int)var, &of);
		*info = (shmemx_var_t){of.name, of.unit, of.help, (int)of.kind, of.writable};
	}
}

_Static_assert((int)SHMEMX_VAR_COUNTER == (int)RB_VAR_COUNTER, "kinds differ");
_Static_assert((int)SHMEMX_VAR_LEVEL == (int)RB_VAR_LEVEL, "kinds differ");
_Static_assert((int)SHMEMX_VAR_SETTING == (int)RB_VAR_SETTING, "kinds differ");

SHMEMI_EXPORT int
shmemx_var_info(int var, shmemx_var_t *info)
{
	shmemi_enter("shmemx_var_info");
	if (!is_var(var) || info == NULL)
		return -1;
	describe_var(var, info);
	return 0;
}

SHMEMI_EXPORT int
shmemx_var_find(const char *name)
{
	shmemx_var_t info;
	int var;

	shmemi_enter("shmemx_var_find");
	for (var = 0; name != NULL && var < var_count(); var++) {
		describe_var(var, &info);
		if (strcmp(info.name, name) == 0)
			return var;
	}
	return -1;
}

static int
read_number(int var, uint64_t *value)
{
	struct shmemi_heap_usage heap;

	if (heap_of(var) < 0)
		return rb_var_number((unsigned int)var, value) == 0 ? 0 : 1;
	shmemi_heap_usage(&heap);
	*value = heap_of(var) == HEAP_USED ? heap.used : heap.largest;
	return 0;
}

static bool
is_setting(int var)
{
	shmemx_var_t info;

	describe_var(var, &info);
	return info.kind == SHMEMX_VAR_SETTING;
}

SHMEMI_EXPORT int
shmemx_var_read(int var, uint64_t *value)
{
	shmemi_enter("shmemx_var_read");
	return is_var(var) && value != NULL && !is_setting(var) ? read_number(var, value) : -1;
}

static void
read_own_setting(enum shmemi_env_id id, char *text, size_t size)
{
	const char *given = shmemi_env(id);

	switch (id) {
	case SHMEMI_ENV_SIZE:
		snprintf(text, size, "%zu", shmemi_heap_asked());
		break;
	case SHMEMI_ENV_CHECK:
		snprintf(text, size, "%d", shmemi.check);
		break;
	case SHMEMI_ENV_CHECK_WAIT:
		snprintf(text, size, "%g", shmemi_hang_limit());
		break;
	default:
		snprintf(text, size, "%s", given == NULL ? "" : given);
	}
}

SHMEMI_EXPORT int
shmemx_var_read_text(int var, char *text, size_t size)
{
	uint64_t value;

	shmemi_enter("shmemx_var_read_text");
	if (!is_var(var) || text == NULL || size == 0)
		return -1;
	text[0] = '\0';
	if (!is_setting(var)) {
		if (read_number(var, &value) != 0)
			return 1;
		snprintf(text, size, "%" PRIu64, value);
	} else if (env_of(var) >= 0) {
		read_own_setting((enum shmemi_env_id)env_of(var), text, size);
	} else {
		rb_var_text((unsigned int)var, text, size);
	}
	return 0;
}

/* 0 or -1, with the line on stderr that says why. */
static int
change_var(int var, const char *text)
{
	shmemx_var_t info;

	describe_var(var, &info);
	if (!info.writable) {
		fprintf(stderr, "shmemx_var_write: %s=%s: it does not change in a running job\n",
			info.name, text);
	} else if (env_of(var) < 0) {
		if (rb_var_write((unsigned int)var, text) == 0)
			return 0;
		fprintf(stderr, "shmemx_var_write: %s\n", rb_error());
	} else {
		if (shmemi_hang_change(text) == 0)
			return 0;
		fprintf(stderr, "shmemx_var_write: %s=%s: want seconds from 0.1 to 86400\n",
			info.name, text);
	}
	return -1;
}

SHMEMI_EXPORT int
shmemx_var_write(int var, const char *text)
{
	shmemi_enter("shmemx_var_write");
	if (is_var(var) && text != NULL)
		return change_var(var, text);
	fprintf(stderr, "shmemx_var_write: %s\n",
		text == NULL ? "text is NULL" : "no such variable");
	return -1;
}
