/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/env.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <rte_common.h>

#include "base/deal.h"
#include "base/env_text.h"
#include "base/error.h"
#include "base/modes.h"
#include "base/rank.h"
#include "base/wire.h"

static int
read_number(enum rb_env_id id, unsigned long min, unsigned long max, unsigned long *ret)
{
	return rb_env_parse_number(id, rb_env_text(id), min, max, ret);
}

static int
read_cable(enum rb_env_id id, int *fd, int *end)
{
	const char *s = rb_env_text(id);
	char tail;

	*fd = -1;
	*end = 0;
	if (*s == '\0')
		return 0;
	if (sscanf(s, "%d:%d%c", fd, end, &tail) != 2 || *fd < 0 || *end < 0 || *end > 1)
		return rb_fail(-EINVAL, "%s=%s: want FD:END with END 0 or 1", rb_env_rows[id].name,
			       s);
	return 0;
}

static int
read_nonce(uint64_t *ret)
{
	const char *s = rb_env_text(RB_ENV_JOB);
	char *end;

	errno = 0;
	*ret = strtoull(s, &end, 16);
	if (*end != '\0' || errno != 0)
		return rb_fail(-EINVAL, "%s=%s: want up to 16 hex digits",
			       rb_env_rows[RB_ENV_JOB].name, s);
	if (*ret != 0)
		*ret = rb_env_nonce(*ret);
	return 0;
}

static int
read_switch(enum rb_env_id id, const char *yes, const char *no, bool *ret)
{
	const char *s = rb_env_text(id);

	*ret = strcmp(s, yes) == 0;
	if (!*ret && strcmp(s, no) != 0)
		return rb_fail(-EINVAL, "%s=%s: want %s or %s", rb_env_rows[id].name, s, yes, no);
	return 0;
}

/* An optional number, @p def where the variable is not set. */
static int
read_number_or(enum rb_env_id id, unsigned long min, unsigned long max, int def, int *ret)
{
	unsigned long v;
	int err;

	*ret = def;
	if (*rb_env_text(id) == '\0')
		return 0;
	err = read_number(id, min, max, &v);
	if (err == 0)
		*ret = (int)v;
	return err;
}

static int
read_choice(enum rb_env_id id, const char *const words[], unsigned int count, unsigned int *ret)
{
	return rb_env_parse_choice(id, rb_env_text(id), words, count, ret);
}

int
rb_env_parse_wait(const char *text, enum rb_wait_mode *ret)
{
	static const char *const words[] = {RB_WAIT_MODES(RB_MODE_WORD)};
	unsigned int v;
	int err = rb_env_parse_choice(RB_ENV_WAIT, text, words, RTE_DIM(words), &v);

	if (err == 0)
		*ret = (enum rb_wait_mode)v;
	return err;
}

int
rb_env_parse_heal(const char *text, int *ret)
{
	unsigned long v;
	int err = rb_env_parse_number(RB_ENV_HEAL_TIME, text, 0, 3600000, &v);

	if (err == 0)
		*ret = (int)v;
	return err;
}

/* Modes of wait, notification, barrier and survival. */
static int
read_modes(struct rb_env *env)
{
	static const char *const notifies[] = {RB_NOTIFY_MODES(RB_MODE_WORD)};
	static const char *const barriers[] = {RB_BARRIER_MODES(RB_MODE_WORD)};
	static const char *const survivals[] = {RB_SURVIVE_MODES(RB_MODE_WORD)};
	static const char *const losses[] = {RB_LOST_HOST_MODES(RB_MODE_WORD)};
	unsigned int v;
	int ret;

	ret = rb_env_parse_wait(rb_env_text(RB_ENV_WAIT), &env->wait);
	if (ret < 0)
		return ret;
	ret = read_choice(RB_ENV_NOTIFY, notifies, RTE_DIM(notifies), &v);
	if (ret < 0)
		return ret;
	env->notify = (enum rb_notify)v;
	ret = read_choice(RB_ENV_BARRIER, barriers, RTE_DIM(barriers), &v);
	if (ret < 0)
		return ret;
	env->barrier = (enum rb_barrier_kind)v;
	ret = read_choice(RB_ENV_SURVIVE, survivals, RTE_DIM(survivals), &v);
	if (ret < 0)
		return ret;
	env->survive = (enum rb_survive)v;
	ret = read_choice(RB_ENV_LOST_HOST, losses, RTE_DIM(losses), &v);
	if (ret < 0)
		return ret;
	env->lost_host = (enum rb_lost_host)v;
	return 0;
}

/* Number of PEs, and the number of this one. Whether the counts of RINGBELL_MAP match is checked
 * when the launcher is known (rb_place_table()). */
static int
read_pes(struct rb_env *env)
{
	char why[128];
	int ret;

	env->map = rb_env_text(RB_ENV_MAP);
	ret = rb_deal_read(&env->deal, env->map, why, sizeof(why));
	if (ret < 0)
		return rb_fail(ret, "%s=%s: %s", rb_env_rows[RB_ENV_MAP].name, env->map, why);
	ret = read_number_or(RB_ENV_PES, (unsigned long)env->hosts, RB_MAX_PES,
			     env->deal.pes > 0 ? env->deal.pes : env->hosts, &env->pes);
	if (ret == 0)
		ret = read_number_or(RB_ENV_PE, 0, (unsigned long)env->pes - 1, env->host_id,
				     &env->pe);
	return ret;
}

static int
read_bar2(uint64_t *ret)
{
	unsigned long v;
	int err;

	*ret = 0;
	if (*rb_env_text(RB_ENV_BAR2) == '\0')
		return 0;
	err = read_number(RB_ENV_BAR2, 1ul << 20, 1ul << 38, &v);
	if (err == 0 && (v & (v - 1)) != 0)
		err = rb_fail(-EINVAL, "RINGBELL_BAR2=%lu: want a power of two", v);
	if (err == 0)
		*ret = v;
	return err;
}

/* A seed, then words with a number each. */
static int
read_noise(struct rb_noise *n)
{
	static const struct {
		const char *word;
		unsigned long max;
	} parts[] = {
		{"", 999999}, {",late=", 1000000000}, {",flaps=", 1000000}, {",slow=", 1000000}};
	uint32_t *const to[RTE_DIM(parts)] = {&n->seed, &n->late, &n->flaps, &n->slow};
	const char *all = rb_env_text(RB_ENV_NOISE), *s = all;
	char *end;
	size_t i;

	*n = (struct rb_noise){.on = *s != '\0', .late = 20000};
	for (i = 0; n->on && i < RTE_DIM(parts); i++) {
		size_t len = strlen(parts[i].word);
		unsigned long v;

		if (strncmp(s, parts[i].word, len) != 0)
			continue;
		v = strtoul(s + len, &end, 10);
		if (s[len] < '0' || s[len] > '9' || v > parts[i].max)
			break;
		*to[i] = (uint32_t)v;
		s = end;
	}
	if (*s == '\0')
		return 0;
	return rb_fail(-EINVAL,
		       "RINGBELL_NOISE=%s: want a seed up to 999999, then in this order any of "
		       ",late=NS ,flaps=MS ,slow=NS",
		       all);
}

/* The driver knows the words. They must not be able to give it other arguments. */
static int
read_mask(struct rb_env *env)
{
	env->mask = rb_env_text(RB_ENV_MASK);
	if (env->mask[strspn(env->mask, "abcdefghijklmnopqrstuvwxyz+")] == '\0' &&
	    strlen(env->mask) < RB_MASK_MAX)
		return 0;
	return rb_fail(-EINVAL,
		       "RINGBELL_MASK=%s: want any of doorbells, scratchpads, flush, files, joined "
		       "by +",
		       env->mask);
}

static int
read_place(struct rb_env *env)
{
	static const char *const statics[] = {RB_STATICS_MODES(RB_MODE_WORD)};
	unsigned int v = 0;
	int ret = read_pes(env);

	if (ret == 0)
		ret = read_number_or(RB_ENV_HOST_FD, 0, 1 << 20, -1, &env->host_fd);
	if (ret == 0)
		ret = read_switch(RB_ENV_HUGE, "auto", "never", &env->huge);
	if (ret == 0)
		ret = read_modes(env);
	if (ret == 0)
		ret = read_choice(RB_ENV_STATIC, statics, RTE_DIM(statics), &v);
	env->statics = (enum rb_statics)v;
	if (ret == 0)
		ret = read_switch(RB_ENV_WINDOWS, "bridge", "memory", &env->bridges);
	if (ret == 0)
		ret = read_switch(RB_ENV_CHIPS, "1", "2", &env->one_chip);
	if (ret == 0)
		ret = read_bar2(&env->bar2);
	if (ret == 0)
		ret = read_noise(&env->noise);
	if (ret == 0)
		ret = read_mask(env);
	return ret;
}

/* Channels are distributed to lcores: each lcore has at least one. */
static int
read_lcores(struct rb_env *env)
{
	const char *channels = getenv(rb_env_rows[RB_ENV_CHANNELS].name);
	unsigned long v;
	int ret;

	ret = read_number(RB_ENV_CHANNELS, 1, RB_MAX_CHANNELS, &v);
	if (ret < 0)
		return ret;
	env->channels = v;
	ret = read_number(RB_ENV_LCORES, 1, RB_MAX_LCORES, &v);
	if (ret < 0)
		return ret;
	env->lcores = v;
	if (env->lcores <= env->channels)
		return 0;
	if (channels != NULL && *channels != '\0')
		return rb_fail(-EINVAL, "RINGBELL_LCORES=%u: more than RINGBELL_CHANNELS=%u",
			       env->lcores, env->channels);
	env->channels = env->lcores;
	return 0;
}

static int
read_shape(struct rb_env *env)
{
	unsigned long v;
	int ret;

	ret = read_number(RB_ENV_CHUNK, 4096, 1024 * 1024, &v);
	if (ret < 0)
		return ret;
	if (v % 4096 != 0)
		return rb_fail(-EINVAL, "RINGBELL_CHUNK=%lu: want a multiple of 4096", v);
	env->chunk = v;
	env->chunk_given = getenv(rb_env_rows[RB_ENV_CHUNK].name) != NULL;
	ret = read_number(RB_ENV_SLOTS, 4, 256, &v);
	if (ret < 0)
		return ret;
	if ((v & (v - 1)) != 0)
		return rb_fail(-EINVAL, "RINGBELL_SLOTS=%lu: want a power of two", v);
	env->slots = v;
	return read_lcores(env);
}

/* Checked here, because the EAL's message would show its whole argument and not the variable. */
static int
read_cpu_list(const char **ret)
{
	const char *s = *ret = rb_env_text(RB_ENV_SERVICE_CPUS);

	if (s[strspn(s, "0123456789,-")] != '\0')
		return rb_fail(-EINVAL, "%s=%s: want numbers such as 2,4-7",
			       rb_env_rows[RB_ENV_SERVICE_CPUS].name, s);
	return 0;
}

/*
 * A PE's descriptors do not pass over exec (rb_env_keep()), but its variables do. So a process with
 * the variables but without the file that they name was started by a PE, not by oshrun.
 */
static int
read_claim(struct rb_env *env)
{
	unsigned long long inode;
	const char *s;
	struct stat st;
	char tail;

	env->inherited = false;
	rb_env_disown(false);
	s = rb_env_text(RB_ENV_CLAIM);
	env->claim.fd = -1;
	if (*s != '\0') {
		if (sscanf(s, "%d:%llu%c", &env->claim.fd, &inode, &tail) != 2 || env->claim.fd < 0)
			return rb_fail(-EINVAL, "%s=%s: want FD:INODE",
				       rb_env_rows[RB_ENV_CLAIM].name, s);
		env->claim.inode = inode;
		/* the descriptor may be another file by now; only memory files have seals */
		env->inherited = fstat(env->claim.fd, &st) < 0 || st.st_ino != inode ||
				 fcntl(env->claim.fd, F_GET_SEALS) < 0;
	} else {
		env->inherited = rb_claim_rank_taken();
	}
	rb_env_disown(env->inherited);
	if (env->inherited)
		env->claim.fd = -1;
	return 0;
}

void
rb_env_keep(const struct rb_env *env)
{
	const int fds[] = {env->cable[0].fd, env->cable[1].fd, env->host_fd,   env->ctl_fd,
			   env->trace_fd,    env->claim.fd,    env->blocked_fd};
	size_t i;

	/* the code that uses a descriptor reports it where it is not open */
	for (i = 0; i < RTE_DIM(fds); i++)
		if (fds[i] >= 0)
			fcntl(fds[i], F_SETFD, FD_CLOEXEC);
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

static int
read_times(struct rb_env *env)
{
	int ret = read_number_or(RB_ENV_HELLO_TIMEOUT, 1, 3600, 0, &env->hello_timeout);

	if (ret == 0)
		ret = read_number_or(RB_ENV_LINE_TIME, 0, 3600000, 1000, &env->line_ms);
	if (ret == 0)
		ret = rb_env_parse_heal(rb_env_text(RB_ENV_HEAL_TIME), &env->heal_ms);
	return ret;
}

int
rb_env_read(struct rb_env *env)
{
	unsigned long v;
	int ret;

	ret = read_claim(env);
	if (ret == 0)
		ret = read_number(RB_ENV_HOSTS, 1, RB_MAX_HOSTS, &v);
	if (ret < 0)
		return ret;
	env->hosts = v;
	env->hosts_given = *rb_env_text(RB_ENV_HOSTS) != '\0' &&
			   getenv(rb_env_rows[RB_ENV_HOSTS].name) != NULL && !env->inherited;
	env->placed = false;
	ret = read_number(RB_ENV_HOST_ID, 0, v - 1, &v);
	if (ret < 0)
		return ret;
	env->host_id = v;
	ret = read_place(env);
	if (ret < 0)
		return ret;
	ret = read_cable(RB_ENV_LEFT, &env->cable[0].fd, &env->cable[0].end);
	if (ret < 0)
		return ret;
	ret = read_cable(RB_ENV_RIGHT, &env->cable[1].fd, &env->cable[1].end);
	if (ret < 0)
		return ret;
	ret = read_nonce(&env->job);
	if (ret < 0)
		return ret;
	ret = read_switch(RB_ENV_PER_HOST_LAUNCHER, "1", "0", &env->per_host_launcher);
	if (ret == 0)
		ret = read_switch(RB_ENV_REPORT, "1", "0", &env->report);
	if (ret == 0)
		ret = read_number_or(RB_ENV_CPUS, 1, 1 << 16, 0, &env->cpus);
	if (ret == 0)
		ret = read_cpu_list(&env->service_cpus);
	if (ret < 0)
		return ret;
	ret = read_number_or(RB_ENV_CTL_FD, 0, 1 << 20, -1, &env->ctl_fd);
	if (ret < 0)
		return ret;
	ret = read_number_or(RB_ENV_TRACE_FD, 0, 1 << 20, -1, &env->trace_fd);
	if (ret == 0)
		ret = read_number_or(RB_ENV_BLOCKED_FD, 0, 1 << 20, -1, &env->blocked_fd);
	if (ret == 0)
		ret = read_times(env);
	if (ret == 0)
		ret = read_switch(RB_ENV_TELEMETRY, "1", "0", &env->telemetry);
	if (ret < 0)
		return ret;
	/* the devices and sockets of the job do not belong to this process either */
	env->telemetry = env->telemetry && !env->inherited;
	env->eal = env->inherited ? "" : rb_env_text(RB_ENV_EAL);
	env->tune = rb_env_text(RB_ENV_TUNE);
	env->dma = rb_env_text(RB_ENV_DMA);
	env->emulated = env->cable[0].fd >= 0 || env->cable[1].fd >= 0 ||
			(strstr(env->eal, "raw_ntb_plx_emu") != NULL && !names_adapter(env));
	env->eal_log = strcmp(rb_env_text(RB_ENV_EAL_LOG), "0") != 0;
	return read_shape(env);
}
