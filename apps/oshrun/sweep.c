/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oshrun.h"
#include "base/run_dir.h"

/*
 * With telemetry each host has a socket in a folder of its own, which its PE removes when it ends
 * by itself. oshrun removes the folder of a PE that was killed. Where oshrun is killed, the guard
 * does: a process that waits until oshrun and all PEs are gone.
 */

static void
sweep_one(const char *name)
{
	char dir[2048], path[4096];
	int ours = rb_run_dir(dir, sizeof(dir));

	if (rb_run_dir_check(dir, ours) < 0)
		return;
	snprintf(path, sizeof(path), "%s/dpdk/ringbell-%s/dpdk_telemetry.v2", dir, name);
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
}

/* The names are those of the runtime: file_prefix() in link/eal.c. */
void
sweep(const struct job *job)
{
	char name[32];
	int host, i;

	for (host = 0; host < job->opt->hosts; host++) {
		snprintf(name, sizeof(name), "%.7s-%d", job->nonce, host);
		sweep_one(name);
	}
	/* hosts that agree on a job over the cables do not know it yet when they name their
	 * folders */
	for (i = 0; i < job->n_pes; i++) {
		snprintf(name, sizeof(name), "%d", (int)job->pe[i].pid);
		sweep_one(name);
	}
}

static void
run_guard(const struct job *job, int fd)
{
	int null = open("/dev/null", O_RDWR);
	char c;

	setsid(); /* signals of the terminal are not for it */
	while (null >= 0 && null <= STDERR_FILENO)
		null = dup(null);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	/* no process writes: it returns when the last process that holds the other end is gone */
	while (read(fd, &c, 1) < 0 && errno == EINTR)
		;
	sweep(job);
	_exit(0);
}

int
sweep_guard(const struct job *job)
{
	const char *telemetry = opts_variable(job->opt, "RINGBELL_TELEMETRY");
	int fd[2], status;
	pid_t pid;

	/* when the first process of a container ends, all others end, the guard as well; and as
	 * every orphan is its child, it would wait for the guard */
	if (telemetry == NULL || strcmp(telemetry, "1") != 0 || getpid() == 1)
		return 0;
	if (pipe(fd) != 0) /* no CLOEXEC: the PEs hold it too */
		return -errno;
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0) {
		close(fd[1]);
		/* oshrun need not wait for a grandchild */
		pid = fork();
		if (pid == 0)
			run_guard(job, fd[0]);
		_exit(pid < 0);
	}
	close(fd[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status == 0 ? 0 : -EAGAIN;
}
