/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_ENV_TEXT_H
#define RB_BASE_ENV_TEXT_H

/**
 * @file
 * The variables of base/env.def, the texts that the job was given for them, and what such a text
 * is.
 */

#include <stdbool.h>

enum rb_env_id {
#define RB_ENV(sym, name, kind, def, help) RB_ENV_##sym,
#include "base/env.def"
#undef RB_ENV
	RB_ENVS
};

struct rb_env_row {
	const char *name, *def, *help;
	bool job; /**< oshrun sets it for its PEs */
};
extern const struct rb_env_row rb_env_rows[RB_ENVS];

/** A PE started this process: the variables of the job belong to that PE, and do not count. */
void rb_env_disown(bool yes);

/** The text of a variable that is set and not empty, else its default. */
const char *rb_env_text(enum rb_env_id id);
/** What the last rb_env_text() of it has returned: the program may have changed its environment. */
const char *rb_env_taken(enum rb_env_id id);

/** A text that one of them may have. 0; -EINVAL with words in rb_error() */
int rb_env_parse_number(enum rb_env_id id, const char *text, unsigned long min, unsigned long max,
			unsigned long *ret);
/** One of @p count words; *ret is its index. */
int rb_env_parse_choice(enum rb_env_id id, const char *text, const char *const words[],
			unsigned int count, unsigned int *ret);

#endif /* RB_BASE_ENV_TEXT_H */
