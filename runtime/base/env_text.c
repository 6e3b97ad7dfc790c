/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/env_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

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

int
rb_env_parse_number(enum rb_env_id id, const char *s, unsigned long min, unsigned long max,
		    unsigned long *ret)
{
	char *end;
	unsigned long v;

	errno = 0;
	v = strtoul(s, &end, 10);
	if (end != s && (*end == 'K' || *end == 'k')) {
		v = v > max ? v : v * 1024;
		end++;
	} else if (end != s && (*end == 'M' || *end == 'm')) {
		v = v > max ? v : v * 1024 * 1024;
		end++;
	}
	if (end == s || *end != '\0' || *s == '-' || errno != 0 || v < min || v > max)
		return rb_fail(-EINVAL, "%s=%s: want a number in %lu..%lu", rb_env_rows[id].name, s,
			       min, max);
	*ret = v;
	return 0;
}

int
rb_env_parse_choice(enum rb_env_id id, const char *text, const char *const words[],
		    unsigned int count, unsigned int *ret)
{
	char all[128] = "";
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (strcmp(text, words[i]) == 0) {
			*ret = i;
			return 0;
		}
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s",
			 i == 0		  ? ""
			 : i + 1 == count ? " or "
					  : ", ",
			 words[i]);
	}
	return rb_fail(-EINVAL, "%s=%s: want %s", rb_env_rows[id].name, text, all);
}
