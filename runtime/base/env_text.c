/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/env_text.h"

#include <stdlib.h>

enum kind {
	user,
	job
};

const struct rb_env_row rb_env_rows[RB_ENVS] = {
#define RB_ENV(sym, name, kind, def, help) {name, def, help, kind == job},
#include "base/env.def"
#undef RB_ENV
};

static bool disowned;
static const char *taken[RB_ENVS];

void
rb_env_disown(bool yes)
{
	disowned = yes;
}

static const char *
text_of(const struct rb_env_row *row)
{
	const char *s = disowned && row->job ? NULL : getenv(row->name);

	return s != NULL && *s != '\0' ? s : row->def;
}

const char *
rb_env_text(enum rb_env_id id)
{
	taken[id] = text_of(&rb_env_rows[id]);
	return taken[id];
}

const char *
rb_env_taken(enum rb_env_id id)
{
	return taken[id] != NULL ? taken[id] : text_of(&rb_env_rows[id]);
}
