/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <signal.h>
#include <sys/socket.h>

#include "oshrun.h"
#include "base/launcher_msg.h"

/* How a job ends, whatever the cause. */

enum {
	FLUSH_MS = 1000, /* for the handlers of exit(), before SIGTERM */
};

void
job_signal(struct job *job, int sig)
{
	int i;

	for (i = 0; i < job->n_pes; i++)
		if (job->pe[i].alive)
			kill(job->pe[i].pid, sig);
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

		if (pe->alive && !pe->aborts && !tell_end(pe, status))
			kill(pe->pid, SIGTERM);
	}
}
