/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/env.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <rte_common.h>

#include "base/deal.h"
#include "base/error.h"
#include "base/handover.h"
#include "base/launcher_msg.h"
#include "base/modes.h"
#include "base/rules.h"
#include "base/claim.h"
#include "base/wire.h"

/* What a variable may be, and the type of the member of struct rb_env that has it. */
enum type {
	OF_NUMBER,   /* int, from least to most; where nothing is given: none */
	OF_CHOICE,   /* an enum: one of words */
	OF_FLAG,     /* bool: the first of two words, or the second */
	OF_TEXT,     /* const char * */
	OF_CABLES,   /* struct rb_env_cable of each port, FD:END or - */
	OF_NONCE,    /* uint64_t */
	OF_FUNCTION, /* a function below reads it */
};

enum kind {
	user,
	job
};

static const struct row {
	const char *name, *fallback, *help;
	enum kind kind;
	enum type type;
	size_t at;
	long least, most, none;
	const char *const *words;
} rows[RB_ENVS] = {
#define NUMBER_OR(member, from, to, instead)                                                     \
	.type = OF_NUMBER, .at = offsetof(struct rb_env, member), .least = (from), .most = (to), \
	.none = (instead)
#define NUMBER(member, from, to) NUMBER_OR(member, from, to, 0)
#define OPTIONAL(member, from, to) NUMBER_OR(member, from, to, -1)
#define CHOICE(member, words_of)                                                                 \
	.type = OF_CHOICE, .at = offsetof(struct rb_env, member), .words = (const char *const[]) \
	{                                                                                        \
		words_of(RB_MODE_WORD) NULL                                                      \
	}
#define FLAG(member, yes, no)                                                                  \
	.type = OF_FLAG, .at = offsetof(struct rb_env, member), .words = (const char *const[]) \
	{                                                                                      \
		yes, no, NULL                                                                  \
	}
#define TEXT(member) .type = OF_TEXT, .at = offsetof(struct rb_env, member)
#define CABLES(member) .type = OF_CABLES, .at = offsetof(struct rb_env, member)
#define NONCE(member) .type = OF_NONCE, .at = offsetof(struct rb_env, member)
#define FUNCTION .type = OF_FUNCTION
#define RB_ENV(symbol, name_, kind_, fallback_, help_, ...) \
	[RB_ENV_##symbol] = {.name = (name_),               \
			     .fallback = (fallback_),       \
			     .help = (help_),               \
			     .kind = (kind_),               \
			     __VA_ARGS__},
#include "base/env.def"
#undef RB_ENV
};

static bool disowned; /* a PE started this process: the variables of the job belong to that PE */

const char *
rb_env_text(enum rb_env_id id)
{
	const struct row *row = &rows[id];
	const char *s = disowned && row->kind == job ? NULL : getenv(row->name);

	return s != NULL && *s != '\0' ? s : row->fallback;
}

static int
set_number(const struct row *row, const char *s, long least, long most, int *ret)
{
	static const char units[] = "KMG";
	const char *unit;
	char *end;
	unsigned long v;

	errno = 0;
	v = strtoul(s, &end, 10);
	unit = *end == '\0' ? NULL : strchr(units, *end & ~0x20);
	if (end != s && unit != NULL && *unit != '\0') {
		v = v > (unsigned long)most ? v : v << 10 * (unit - units + 1);
		end++;
	}
	if (end == s || *end != '\0' || *s == '-' || errno != 0 || v < (unsigned long)least ||
	    v > (unsigned long)most)
		return rb_fail(-EINVAL, "%s=%s: want a number in %ld..%ld", row->name, s, least,
			       most);
	*ret = (int)v;
	return 0;
}

static int
set_word(const struct row *row, const char *text, unsigned int *ret)
{
	char all[128] = "";
	unsigned int i;

	for (i = 0; row->words[i] != NULL; i++) {
		if (strcmp(text, row->words[i]) == 0) {
			*ret = i;
			return 0;
		}
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s",
			 i == 0			     ? ""
			 : row->words[i + 1] == NULL ? " or "
						     : ", ",
			 row->words[i]);
	}
	return rb_fail(-EINVAL, "%s=%s: want %s", row->name, text, all);
}

static int
set_cables(const struct row *row, const char *s, struct rb_env_cable cable[RB_MAX_PORTS])
{
	const char *at = s;
	int i, len;

	for (i = 0; i < RB_MAX_PORTS; i++)
		cable[i] = (struct rb_env_cable){.file.fd = -1};
	for (i = 0; i < RB_MAX_PORTS && *at != '\0'; i++, at += *at == ',') {
		struct rb_env_cable *one = &cable[i];

		len = *at == '-';
		if (len == 0 && (sscanf(at, "%d:%d%n", &one->file.fd, &one->end, &len) != 2 ||
				 one->file.fd < 0 || one->end < 0 || one->end > 1))
			break;
		at += len;
		if (*at != ',' && *at != '\0')
			break;
	}
	if (*at == '\0')
		return 0;
	return rb_fail(-EINVAL, "%s=%s: want FD:END with END 0 or 1, or -, for each of %d ports",
		       row->name, s, RB_MAX_PORTS);
}

static int
set_nonce(const struct row *row, const char *s, uint64_t *ret)
{
	char *end;

	errno = 0;
	*ret = strtoull(s, &end, 16);
	if (*end != '\0' || errno != 0)
		return rb_fail(-EINVAL, "%s=%s: want up to 16 hex digits", row->name, s);
	if (*ret != 0)
		*ret = rb_env_nonce(*ret);
	return 0;
}

int
rb_env_set(struct rb_env *env, enum rb_env_id id, const char *text)
{
	const struct row *row = &rows[id];
	void *to = (char *)env + row->at;
	unsigned int word;
	int ret = 0;

	switch (row->type) {
	case OF_NUMBER:
		*(int *)to = (int)row->none;
		return *text == '\0' ? 0 : set_number(row, text, row->least, row->most, to);
	case OF_CHOICE:
		return set_word(row, text, to);
	case OF_FLAG:
		ret = set_word(row, text, &word);
		*(bool *)to = ret == 0 && word == 0;
		return ret;
	case OF_TEXT:
		*(const char **)to = text;
		return 0;
	case OF_CABLES:
		return set_cables(row, text, to);
	case OF_NONCE:
		return set_nonce(row, text, to);
	case OF_FUNCTION:
		break;
	}
	return 0;
}

/* The number of a variable against what others have set. */
static int
in_range(enum rb_env_id id, long v, long least, long most)
{
	if (v >= least && v <= most)
		return 0;
	return rb_fail(-EINVAL, "%s=%ld: want a number in %ld..%ld", rows[id].name, v, least, most);
}

/* Number of PEs, and the number of this one. Whether the counts of RINGBELL_MAP match is checked
 * when the launcher is known (rb_place_table()). */
static int
settle_pes(struct rb_env *env)
{
	char why[128];
	int ret = in_range(RB_ENV_HOST_ID, env->host_id, 0, env->hosts - 1);

	if (ret < 0)
		return ret;
	ret = rb_deal_read(&env->deal, env->map, why, sizeof(why));
	if (ret < 0)
		return rb_fail(ret, "%s=%s: %s", rows[RB_ENV_MAP].name, env->map, why);
	if (env->pes < 0)
		env->pes = env->deal.pes > 0 ? env->deal.pes : env->hosts;
	if (env->pe < 0)
		env->pe = env->host_id;
	ret = in_range(RB_ENV_PES, env->pes, env->hosts, RB_MAX_PES);
	return ret < 0 ? ret : in_range(RB_ENV_PE, env->pe, 0, env->pes - 1);
}

/* Channels are distributed to lcores: each lcore has at least one. */
static int
settle_rings(struct rb_env *env)
{
	const char *channels = getenv(rows[RB_ENV_CHANNELS].name);

	env->chunk_given = getenv(rows[RB_ENV_CHUNK].name) != NULL;
	if (env->chunk % 4096 != 0)
		return rb_fail(-EINVAL, "RINGBELL_CHUNK=%u: want a multiple of 4096", env->chunk);
	if ((env->slots & (env->slots - 1)) != 0)
		return rb_fail(-EINVAL, "RINGBELL_SLOTS=%u: want a power of two", env->slots);
	if (env->lcores <= env->channels)
		return 0;
	if (channels != NULL && *channels != '\0')
		return rb_fail(-EINVAL, "RINGBELL_LCORES=%u: more than RINGBELL_CHANNELS=%u",
			       env->lcores, env->channels);
	env->channels = env->lcores;
	return 0;
}

static unsigned int
count_words(const char *s, const char *word)
{
	unsigned int n = 0;

	for (s = strstr(s, word); s != NULL; s = strstr(s + 1, word))
		n++;
	return n;
}

/* The ports get RINGBELL_EMU as it is, and refuse what is wrong in it. */
static void
settle_ports(struct rb_env *env)
{
	const char *listed = rb_env_text(RB_ENV_CABLE_FD);
	const char *bridge = rb_emu_value(env->emu, "bridge");
	const char *chips = rb_emu_value(env->emu, "chips");
	const char *bar2 = rb_emu_value(env->emu, "bar2");
	char *unit;

	env->ports = *listed != '\0' ? 1 + count_words(listed, ",")
				     : count_words(env->eal, "--vdev=raw_ntb_plx_emu");
	env->bridges = bridge != NULL && *bridge != '0';
	env->one_chip = chips != NULL && *chips == '1';
	env->bar2 = bar2 == NULL ? 0 : strtoull(bar2, &unit, 0);
	if (env->bar2 != 0)
		env->bar2 <<= toupper(*unit) == 'K'   ? 10
			      : toupper(*unit) == 'M' ? 20
			      : toupper(*unit) == 'G' ? 30
						      : 0;
}

/*
 * A PE's descriptors do not pass over exec (rb_env_keep()), but its variables do. So a process with
 * the variables but without the files was started by a PE, or by something that closes descriptors.
 * oshrun knows which, by who has claimed the PE.
 */
static struct rb_handover handed;

static int
read_files(struct rb_env *env)
{
	const char *s;
	int ret = 0;

	disowned = false;
	handed.n = 0;
	s = rb_env_text(RB_ENV_FILES);
	if (*s == '\0')
		disowned = rb_claim_rank_taken();
	else if (!rb_handover_whole(s)) {
		ret = rb_handover_ask(s, atoi(rb_env_text(RB_ENV_PE)), &handed);
		disowned = ret == 0 && handed.n == 0;
	}
	env->inherited = disowned;
	return ret;
}

enum {
	FILES = RB_HANDOVER_FILES
};

static void
list_files(struct rb_env *env, struct rb_file *file[FILES])
{
	struct rb_file *const others[FILES - RB_MAX_PORTS] = {&env->host, &env->ctl, &env->trace,
							      &env->claim, &env->blocked};
	int i;

	for (i = 0; i < RB_MAX_PORTS; i++)
		file[i] = &env->cable[i].file;
	memcpy(file + RB_MAX_PORTS, others, sizeof(others));
}

/* The number of a variable, or that of the same file as oshrun has handed it over. */
static int
handed_fd(int number)
{
	uint32_t i;

	for (i = 0; i < handed.n; i++)
		if (handed.number[i] == number)
			return handed.fd[i];
	return number;
}

/* The code that uses a descriptor reports it where it is not open. */
static void
know_files(struct rb_env *env)
{
	struct rb_file *file[FILES], of;
	size_t i;

	list_files(env, file);
	for (i = 0; i < FILES; i++) {
		of = rb_file_of(handed_fd(file[i]->fd));
		if (of.fd >= 0)
			*file[i] = of;
	}
}

void
rb_env_keep(struct rb_env *env)
{
	bool one = env->cable[0].file.fd == env->cable[1].file.fd; /* the cables of one chip */
	struct rb_file *file[FILES], kept;
	size_t i;

	list_files(env, file);
	for (i = 0; i < FILES; i++) {
		kept = rb_file_keep(file[i]->fd);
		if (kept.fd >= 0)
			*file[i] = kept;
	}
	if (one)
		env->cable[1] = (struct rb_env_cable){env->cable[0].file, env->cable[1].end};
}

void
rb_env_release(struct rb_env *env)
{
	int i;

	for (i = 0; i < RB_MAX_PORTS; i++)
		rb_file_close(&env->cable[i].file);
}

int
rb_env_cables(const struct rb_env *env)
{
	int i, n = 0;

	for (i = 0; i < RB_MAX_PORTS; i++)
		n += env->cable[i].file.fd >= 0;
	return n;
}

static bool
names_adapter(const struct rb_env *env)
{
	return strstr(env->eal, "--allow") != NULL || strncmp(env->eal, "-a", 2) == 0 ||
	       strstr(env->eal, " -a") != NULL;
}

bool
rb_env_names_device(const struct rb_env *env)
{
	return strstr(env->eal, "--vdev") != NULL || names_adapter(env);
}

/* Checked here, because the EAL's message would show its whole argument and not the variable. */
static int
check_cpu_list(const char *s)
{
	if (s[strspn(s, "0123456789,-")] == '\0')
		return 0;
	return rb_fail(-EINVAL, "%s=%s: want numbers such as 2,4-7", rows[RB_ENV_SERVICE_CPUS].name,
		       s);
}

int
rb_env_read(struct rb_env *env)
{
	enum rb_env_id id;
	int ret = read_files(env);

	for (id = 0; id < RB_ENVS && ret == 0; id++)
		ret = rb_env_set(env, id, rb_env_text(id));
	if (ret == 0)
		ret = settle_pes(env);
	if (ret == 0)
		ret = settle_rings(env);
	if (ret == 0)
		ret = check_cpu_list(env->service_cpus);
	if (ret < 0)
		return ret;
	know_files(env);
	settle_ports(env);
	env->hosts_given = getenv(rows[RB_ENV_HOSTS].name) != NULL && !env->inherited;
	env->placed = false;
	/* the devices and sockets of the job do not belong to this process either */
	env->telemetry = env->telemetry && !env->inherited;
	if (env->inherited)
		env->cables = env->eal = "";
	env->emulated = rb_env_cables(env) > 0 ||
			(strstr(env->eal, "raw_ntb_plx_emu") != NULL && !names_adapter(env));
	return 0;
}
