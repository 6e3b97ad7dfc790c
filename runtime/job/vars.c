/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/vars.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/env.h"
#include "base/env_text.h"
#include "base/error.h"
#include "base/modes.h"
#include "base/state.h"
#include "copy/tune.h"
#include "host/wait_choose.h"
#include "job/counts.h"
#include "observe/stats.h"

/* A row of the counters is one variable, or two: those of links come once for each side. */
static const char *const row_names[RB_COUNTS][RB_SIDES] = {
#define NAMES_PE(name) "pe." #name
#define NAMES_LINK(name) [RB_LEFT] = "link.left." #name, [RB_RIGHT] = "link.right." #name
#define NAMES_HEAP(name) "heap." #name
#define NAMES_LOSS(name) "loss." #name
#define RB_COUNT(group, name, unit, kind, help) {NAMES_##group(name)},
#include "job/counts.def"
#undef RB_COUNT
};

struct place {
	const struct rb_count_row *row; /* NULL: a setting */
	enum rb_side side;
	enum rb_env_id env;
};

static unsigned int
copies_of(const struct rb_count_row *row)
{
	return row->group == RB_COUNT_LINK ? RB_SIDES : 1;
}

static unsigned int
count_rows(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < RB_COUNTS; i++)
		n += copies_of(&rb_count_rows[i]);
	return n;
}

unsigned int
rb_vars(void)
{
	return count_rows() + RB_ENVS;
}

static struct place
place_of(unsigned int var)
{
	struct place p = {.row = NULL};
	unsigned int i;

	for (i = 0; i < RB_COUNTS; i++) {
		const struct rb_count_row *row = &rb_count_rows[i];

		if (var < copies_of(row)) {
			p.row = row;
			p.side = (enum rb_side)var;
			return p;
		}
		var -= copies_of(row);
	}
	p.env = (enum rb_env_id)var;
	return p;
}

/* ---- settings that change in a running job ---- */

static int
write_wait(const char *text)
{
	enum rb_wait_mode mode;
	int err = rb_env_parse_wait(text, &mode);

	if (err == 0)
		rb_wait_change(mode);
	return err;
}

static int
write_heal_time(const char *text)
{
	int ms, err = rb_env_parse_heal(text, &ms);

	if (err == 0)
		__atomic_store_n(&rb.env.heal_ms, ms, __ATOMIC_RELAXED);
	return err;
}

static int (*const writers[RB_ENVS])(const char *text) = {
	[RB_ENV_WAIT] = write_wait,
	[RB_ENV_HEAL_TIME] = write_heal_time,
	[RB_ENV_TUNE] = rb_tune_change,
};

int
rb_var_write(unsigned int var, const char *text)
{
	struct place p = place_of(var);

	if (p.row != NULL || writers[p.env] == NULL)
		return rb_fail(-EPERM, "it does not change in a running job");
	return writers[p.env](text);
}

/* ---- values ---- */

void
rb_var_info(unsigned int var, struct rb_var *info)
{
	struct place p = place_of(var);

	if (p.row == NULL)
		*info = (struct rb_var){.name = rb_env_rows[p.env].name,
					.unit = "",
					.help = rb_env_rows[p.env].help,
					.kind = RB_VAR_SETTING,
					.writable = writers[p.env] != NULL};
	else
		*info = (struct rb_var){.name = row_names[p.row - rb_count_rows][p.side],
					.unit = p.row->unit,
					.help = p.row->help,
					.kind = p.row->kind == RB_COUNT_LEVEL ? RB_VAR_LEVEL
									      : RB_VAR_COUNTER};
}

int
rb_var_number(unsigned int var, uint64_t *value)
{
	struct place p = place_of(var);
	uint64_t v[RB_COUNTS];

	if (p.row == NULL)
		return -EINVAL;
	if ((p.row->kind == RB_COUNT_ASKED || p.row->group == RB_COUNT_PE) &&
	    (rb.instrument & RB_INSTRUMENT_COUNT) == 0)
		return -ENODATA;
	if (p.row->group == RB_COUNT_LINK && rb.link[p.side].port == NULL)
		return -ENODATA;
	switch (p.row->group) {
	case RB_COUNT_PE:
		rb_counts_of_pe(rb.local, v);
		break;
	case RB_COUNT_LINK:
		rb_counts_of_link(p.side, v);
		break;
	case RB_COUNT_HEAP:
		rb_counts_of_heap(v);
		break;
	case RB_COUNT_LOSS:
		rb_counts_of_loss(v);
		break;
	}
	*value = v[p.row - rb_count_rows];
	return 0;
}

/* Numbers that the runtime has settled, maybe otherwise than the text says. */
static bool
settled_number(enum rb_env_id env, uint64_t *v)
{
	switch (env) {
	case RB_ENV_HOSTS:
		*v = (uint64_t)rb.hosts;
		break;
	case RB_ENV_HOST_ID:
		*v = (uint64_t)rb.host;
		break;
	case RB_ENV_PES:
		*v = (uint64_t)rb.npes;
		break;
	case RB_ENV_PE:
		*v = (uint64_t)rb.pe;
		break;
	case RB_ENV_CHUNK:
		*v = rb.chunk;
		break;
	case RB_ENV_SLOTS:
		*v = rb.slots;
		break;
	case RB_ENV_CHANNELS:
		*v = rb.channels;
		break;
	case RB_ENV_LCORES:
		*v = rb.lcores;
		break;
	case RB_ENV_HEAL_TIME:
		*v = (uint64_t)__atomic_load_n(&rb.env.heal_ms, __ATOMIC_RELAXED);
		break;
	default:
		return false;
	}
	return true;
}

static const char *
settled_text(enum rb_env_id env)
{
	static const char *const waits[] = {RB_WAIT_MODES(RB_MODE_WORD)};
	static const char *const notifies[] = {RB_NOTIFY_MODES(RB_MODE_WORD)};
	static const char *const barriers[] = {RB_BARRIER_MODES(RB_MODE_WORD)};

	switch (env) {
	case RB_ENV_WAIT:
		return waits[rb_wait_now(mode)];
	case RB_ENV_NOTIFY:
		return notifies[rb.notify];
	case RB_ENV_BARRIER:
		return barriers[rb.env.barrier];
	case RB_ENV_TUNE:
		return rb_tune.path[0] != '\0' ? rb_tune.path : "none";
	default:
		return rb_env_taken(env);
	}
}

void
rb_var_text(unsigned int var, char *text, size_t size)
{
	struct place p = place_of(var);
	uint64_t v;

	if (settled_number(p.env, &v))
		snprintf(text, size, "%" PRIu64, v);
	else
		snprintf(text, size, "%s", settled_text(p.env));
}
