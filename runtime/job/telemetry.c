/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/telemetry.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_eal.h>

#include "base/error.h"
#include "base/exit.h"
#include "base/state.h"
#include "job/telemetry_cmd.h"

/*
 * A command may arrive while the process ends and closes its links. So every command runs under the
 * gate, and none runs once it is closed.
 */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static bool started;

/*
 * DPDK 22.11 splits command and parameters by strtok(), whose state all threads share. So the
 * pointer may lead into the buffer of another client. Our parameters follow the command directly,
 * or there are none.
 */
static const char *
own_params(const char *cmd, const char *params)
{
	return params == cmd + strlen(cmd) + 1 ? params : NULL;
}

static const struct rb_telemetry_cmd *
find_command(const char *cmd)
{
	const struct rb_telemetry_cmd *c = rb_telemetry_cmds;

	while (c->name != NULL && strcmp(c->name, cmd) != 0)
		c++;
	return c->name != NULL ? c : NULL;
}

static int
answer_command(const char *cmd, const char *params, struct rte_tel_data *d)
{
	const struct rb_telemetry_cmd *c = find_command(cmd);
	const char *p = own_params(cmd, params);
	int ret = -EINVAL;

	pthread_mutex_lock(&gate);
	if (!started)
		ret = -ESHUTDOWN;
	else if (c != NULL && (p != NULL) == c->wants)
		ret = c->fn(p, d);
	pthread_mutex_unlock(&gate);
	return ret;
}

static void
link_socket(const char *from, const char *to)
{
	const char *dir = rte_eal_get_runtime_dir();
	char old[4096], new[4096];

	snprintf(old, sizeof(old), "%s/%s", dir, from);
	snprintf(new, sizeof(new), "%s/%s", dir, to);
	/* on failure the name exists already, or a forked child will remove the socket */
	if (link(old, new) < 0 && errno != EEXIST && errno != ENOENT)
		rb_note("telemetry: %s: %s", new, strerror(errno));
}

int
rb_telemetry_start(void)
{
	const struct rb_telemetry_cmd *c;
	int ret;

	for (c = rb_telemetry_cmds; c->name != NULL; c++) {
		ret = rte_telemetry_register_cmd(c->name, answer_command, c->help);
		if (ret < 0)
			return rb_fail(ret, "cannot register the telemetry command %s", c->name);
	}
	pthread_mutex_lock(&gate);
	started = true;
	pthread_mutex_unlock(&gate);
	link_socket("dpdk_telemetry.v2", "kept");
	return 0;
}

/*
 * DPDK's exit handler removes the socket, and a forked child runs this handler too. So there is a
 * second name, from which the child restores the first one.
 */
void
rb_telemetry_child(void)
{
	if (rb.env.telemetry && *rte_eal_get_runtime_dir() != '\0')
		link_socket("kept", "dpdk_telemetry.v2");
}

void
rb_telemetry_stop(void)
{
	const char *dir = rte_eal_get_runtime_dir();
	char path[4096];

	if (!rb.env.telemetry || *dir == '\0')
		return;
	/* first remove the name from which a child would restore it */
	snprintf(path, sizeof(path), "%s/kept", dir);
	unlink(path);
	pthread_mutex_lock(&gate);
	started = false;
	pthread_mutex_unlock(&gate);
	snprintf(path, sizeof(path), "%s/dpdk_telemetry.v2", dir);
	unlink(path);
	if (rb_emulated() || rb.hosts == 1)
		rmdir(dir);
}
