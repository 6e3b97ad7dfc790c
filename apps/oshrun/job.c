/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "oshrun.h"
#include "base/claim.h"
#include "base/launcher_msg.h"

/* How a job ends, whatever the cause. */

enum {
	FLUSH_MS = 1000, /* for the handlers of exit(), before SIGTERM */
	TRIES = 10,
};

/* 0: there is no such process. */
static pid_t
parent_of(pid_t pid)
{
	char path[32], line[512];
	const char *at;
	int parent = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "re");
	if (f == NULL)
		return 0;
	/* the program's name, between the brackets, may be anything */
	if (fgets(line, sizeof(line), f) != NULL && (at = strrchr(line, ')')) != NULL &&
	    sscanf(at, ") %*c %d", &parent) != 1)
		parent = 0;
	fclose(f);
	return parent;
}

/* The process that is the PE, where another one has started it and it lives; 0: none. Its number
 * may be that of another process by now, or of another PID namespace: @p ret_child is the child of
 * oshrun that it descends from, or itself. */
static pid_t
claimed_of(const struct job *job, const struct pe *pe, pid_t *ret_child)
{
	pid_t pid = (pid_t)atomic_load_explicit(&job->claims->pid[pe->id], memory_order_relaxed);
	pid_t up;
	int tries;

	if (pid <= 1 || pid == pe->pid)
		return 0;
	for (tries = 0; tries < TRIES; tries++) { /* those between may end meanwhile */
		*ret_child = pid;
		while ((up = parent_of(*ret_child)) > 1 && up != getpid())
			*ret_child = up;
		if (up == getpid())
			return pid;
	}
	return 0;
}

bool
job_adopts(const struct job *job, struct pe *pe)
{
	pid_t child;

	if (claimed_of(job, pe, &child) == 0)
		return false;
	pe->pid = child;
	return true;
}

void
job_signal_pe(const struct job *job, const struct pe *pe, int sig)
{
	pid_t child, claimed = claimed_of(job, pe, &child);

	if (claimed != 0)
		kill(claimed, sig);
	if (pe->alive)
		kill(pe->pid, sig);
}

void
job_signal(const struct job *job, int sig)
{
	int i;

	for (i = 0; i < job->n_pes; i++)
		job_signal_pe(job, &job->pe[i], sig);
}

/* A PE reads its control socket once it has opened the library. */
static bool
tell_end(const struct pe *pe, int status)
{
	const struct rb_ctl_msg msg = {
		.magic = RB_CTL_MAGIC,
		.type = RB_CTL_END,
		.status = status,
	};

	return pe->opened && pe->ctl >= 0 &&
	       send(pe->ctl, &msg, sizeof(msg), MSG_DONTWAIT | MSG_NOSIGNAL) ==
		       (ssize_t)sizeof(msg);
}

void
job_end(struct job *job, int status)
{
	int i;

	if (job->ending)
		return;
	job->ending = true;
	job->status = status;
	if (job->kill_at == 0)
		job->kill_at = now_ms() + OSHRUN_GRACE_MS;
	job->term_at = now_ms() + FLUSH_MS;
	for (i = 0; i < job->n_pes; i++) {
		const struct pe *pe = &job->pe[i];

		if (!pe->aborts && !(pe->alive && tell_end(pe, status)))
			job_signal_pe(job, pe, SIGTERM);
	}
}
