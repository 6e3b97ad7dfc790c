/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <signal.h>
#include <sys/socket.h>

#include "oshrun.h"
#include "base/launcher_msg.h"

/* How a job ends, whatever the cause. */

enum {
	FLUSH_MS = 1000, /* between shmem_global_exit() and SIGTERM */
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

/* Why the job ends, for a PE that saves its data. */
static bool
tell_lost(const struct job *job, const struct pe *pe)
{
	struct rb_ctl_msg msg = {
		.magic = RB_CTL_MAGIC,
		.type = RB_CTL_LOST,
		.status = job->status,
	};

	if (job->lost == NULL || pe->saves == 0 || pe->ctl < 0)
		return false;
	msg.length = (uint32_t)snprintf(msg.text, sizeof(msg.text), "%d %d %.*s", job->lost->id,
					!job->lost->alive, RB_CTL_TEXT - 16, job->why);
	return send(pe->ctl, &msg, sizeof(msg), MSG_DONTWAIT | MSG_NOSIGNAL) ==
	       (ssize_t)sizeof(msg);
}

/* The longest time that a PE wants to save its data, in ms. */
static int64_t
save_ms(const struct job *job)
{
	int most = 0, i;

	for (i = 0; i < job->n_pes && job->lost != NULL; i++)
		if (job->pe[i].alive && job->pe[i].saves > most)
			most = job->pe[i].saves;
	return most * 1000;
}

void
job_end(struct job *job, int status)
{
	int64_t wait;
	int i;

	if (job->ending)
		return;
	job->ending = true;
	job->status = status;
	wait = save_ms(job);
	if (job->kill_at == 0)
		job->kill_at = now_ms() + wait + OSHRUN_GRACE_MS;
	if (job->by_a_pe || wait != 0)
		job->term_at = now_ms() + (wait != 0 ? wait : FLUSH_MS);
	for (i = 0; i < job->n_pes; i++) {
		const struct pe *pe = &job->pe[i];

		if (pe->alive && !pe->aborts && !tell_lost(job, pe) &&
		    !(job->by_a_pe && tell_end(pe, status)))
			kill(pe->pid, SIGTERM);
	}
}

void
job_end_lost(struct job *job, const struct pe *lost, int status)
{
	if (!job->ending)
		job->lost = lost;
	job_end(job, status);
}
