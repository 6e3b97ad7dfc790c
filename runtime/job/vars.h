/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_VARS_H
#define RB_JOB_VARS_H

/**
 * @file
 * The counters of this PE and its host (job/counts.def) and the settings of the job (base/env.def)
 * as variables for tools, by number from 0. Any thread may call these while the runtime is open.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rb_var_kind {
	RB_VAR_COUNTER, /**< a number that only grows */
	RB_VAR_LEVEL,	/**< a number as it is now */
	RB_VAR_SETTING, /**< a text */
};

struct rb_var {
	const char *name, *unit, *help; /**< constant */
	enum rb_var_kind kind;
	bool writable;
};

unsigned int rb_vars(void);
/** @p var is one of rb_vars(). */
void rb_var_info(unsigned int var, struct rb_var *info);
/** The value of a counter or a level. 0; -ENODATA: this PE has none (not counted, no such link) */
int rb_var_number(unsigned int var, uint64_t *value);
/** The value of a setting that is in force, cut off at @p size. */
void rb_var_text(unsigned int var, char *text, size_t size);
/** Change a setting of this PE. 0; -EPERM: it cannot change in a running job; -EINVAL with words in
 *  rb_error() */
int rb_var_write(unsigned int var, const char *text);

#endif /* RB_JOB_VARS_H */
