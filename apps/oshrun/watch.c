/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mem/available.h"
#include "oshrun.h"

enum {
	FDS_OF_PE = 1 + STREAMS,
	MAX_FDS = 2 + STREAMS + RB_MAX_PES * FDS_OF_PE,
};

/* A PE that the kernel kills for lack of memory cannot report it, and the kernel reports it only in
 * its log. But the kernel counts such kills. */
static struct rb_available before;

void
watch_open(void)
{
	rb_available_look("", &before);
}

/* Was it for want of memory that a PE was killed? "": no */
static void
why_killed(char *text, size_t size)
{
	struct rb_available now;

	rb_available_look("", &now);
	text[0] = '\0';
	if (now.killed_here > before.killed_here)
		snprintf(text, size,
			 ": %s, which has %llu MiB, was full; give it more memory, or start fewer "
			 "PEs",
			 now.limit_of, (unsigned long long)now.limit >> 20);
	else if (now.killed > before.killed)
		snprintf(
			text, size,
			": the kernel has killed a process for want of memory since the job began; "
			"use less, or start fewer PEs");
}

/* Descendants of a PE that lost their parents have become children of oshrun (subreaper). */
static void
kill_children(struct job *job)
{
	char path[64];
	FILE *f;
	int pid;

	job_signal(job, SIGKILL);
	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	f = fopen(path, "re");
	if (f == NULL)
		return;
	while (fscanf(f, "%d", &pid) == 1)
		kill(pid, SIGKILL);
	fclose(f);
}

static struct pe *
pe_of_pid(struct job *job, pid_t pid)
{
	int i;

	for (i = 0; i < job->n_pes; i++)
		if (job->pe[i].alive && job->pe[i].pid == pid)
			return &job->pe[i];
	return NULL;
}

/* How likely is this end of a PE the cause of the others' ends? 0: it ended well. */
static int
blame_of(const struct pe *pe)
{
	if (WIFSIGNALED(pe->wstatus))
		return 3;
	if (WEXITSTATUS(pe->wstatus) != 0)
		return 2;
	return pe->opened && !blocked_left(pe) ? 1 : 0;
}

static void
end_for(struct job *job, const struct pe *pe)
{
	int sig = WTERMSIG(pe->wstatus), pid = (int)pe->pid, status;
	char why[256] = "";

	switch (blame_of(pe)) {
	case 3:
		if (sig == SIGKILL)
			why_killed(why, sizeof(why));
		say("PE %d (process %d) was killed by signal %d (%s)%s", pe->id, pid, sig,
		    strsignal(sig), why);
		status = OSHRUN_EXIT_SIGNAL + sig;
		break;
	case 2:
		status = WEXITSTATUS(pe->wstatus);
		if (!pe->explained)
			say("PE %d (process %d) exited with status %d", pe->id, pid, status);
		break;
	default:
		say("PE %d (process %d) exited without leaving the job: no shmem_finalize", pe->id,
		    pid);
		status = OSHRUN_EXIT_FAULT;
	}
	job_end(job, status);
}

/* Collect the processes that have ended. @return false when no child is left, not even an adopted
 * one */
static bool
reap_children(struct job *job)
{
	const struct pe *worst = NULL;
	struct pe *pe;
	int wstatus, i;
	pid_t pid;

	/* PEs that end together are compared: waitpid() does not say which was first */
	while ((pid = waitpid(-1, &wstatus, WNOHANG)) > 0) {
		pe = pe_of_pid(job, pid);
		if (pe == NULL)
			continue;
		ctl_read(job, pe); /* first: who has opened the job has claimed the PE */
		/* a wrapper has left its PE, which descends from a child of oshrun now */
		pe->alive = wstatus == 0 && job_adopts(job, pe);
		pe->wstatus = wstatus;
		pe->ended_at = now_ms();
		if (pe->alive)
			continue;
		if (!job->ending && blame_of(pe) > (worst == NULL ? 0 : blame_of(worst)))
			worst = pe;
	}
	/* a PE that ends because another one ended the job is not the cause: the message of that
	 * one has arrived by now */
	for (i = 0; worst != NULL && i < job->n_pes; i++)
		ctl_read(job, &job->pe[i]);
	if (worst != NULL && !job->ending)
		end_for(job, worst);
	return pid == 0;
}

static bool
any_alive(const struct job *job)
{
	int i;

	for (i = 0; i < job->n_pes; i++)
		if (job->pe[i].alive)
			return true;
	return false;
}

/* A program may become a daemon before shmem_init: the PE's process has ended well, and what it
 * left says that it is the PE. */
static void
adopt_daemons(struct job *job)
{
	bool none = !any_alive(job);
	int i;

	for (i = 0; i < job->n_pes; i++) {
		struct pe *pe = &job->pe[i];

		if (!pe->alive && pe->wstatus == 0 && job_adopts(job, pe))
			pe->alive = true;
	}
	if (none && any_alive(job) && !job->ending && job->last_signal == 0)
		job->kill_at = 0;
}

/* Is the PE's end of its control socket open in what its process left? oshrun's copy of it is not
 * needed any more. */
static bool
left_something(struct job *job, struct pe *pe)
{
	if (pe->end >= 0)
		close(pe->end);
	pe->end = -1;
	ctl_read(job, pe);
	return !pe->opened && pe->ctl >= 0;
}

static void
name_late_daemon(struct job *job)
{
	int i;

	for (i = 0; i < job->n_pes && !left_something(job, &job->pe[i]); i++)
		;
	if (i == job->n_pes)
		return;
	say("PE %d (process %d) exited, and what it left did not call shmem_init within %d s", i,
	    (int)job->pe[i].pid, OSHRUN_GRACE_MS / 1000);
	job->status = OSHRUN_EXIT_FAULT;
}

static void
on_time(struct job *job)
{
	int64_t now = now_ms();
	int i;
	int k;

	adopt_daemons(job);
	for (i = 0; i < job->n_pes; i++)
		for (k = 0; k < STREAMS; k++) {
			struct stream *s = &job->pe[i].stream[k];
			int64_t due = stream_flush_due(s);

			if (due != 0 && due <= now)
				stream_flush_partial(s);
		}
	if (job->timeout_at != 0 && job->timeout_at <= now && !job->ending) {
		say("the job did not end within %g s", job->opt->timeout);
		blocked_report(job);
		job_end(job, OSHRUN_EXIT_TIMEOUT);
	}
	fault_act(job);
	if (job->look_at != 0 && job->look_at <= now)
		blocked_look(job);
	if (job->term_at != 0 && job->term_at <= now) {
		job->term_at = 0;
		job_signal(job, SIGTERM);
	}
	if (job->kill_at != 0 && job->kill_at <= now) {
		job->killing = true;
		/* PEs have outlived a signal passed on; otherwise only processes that they left are
		 * running */
		if (!job->ending && any_alive(job))
			job->status = OSHRUN_EXIT_SIGNAL + job->last_signal;
		else if (!job->ending)
			name_late_daemon(job);
		job->ending = true;
	}
	/* in each turn again: children of a killed process become children of oshrun */
	if (job->killing)
		kill_children(job);
}

static void
take_earlier(int64_t *first, int64_t t)
{
	if (t != 0 && (*first == 0 || t < *first))
		*first = t;
}

/* Milliseconds to the next timed action, for poll(). */
static int
wait_ms(const struct job *job)
{
	int64_t first = 0;
	int64_t now = now_ms();
	int i;
	int k;

	for (i = 0; i < job->n_pes; i++)
		for (k = 0; k < STREAMS; k++)
			take_earlier(&first, stream_flush_due(&job->pe[i].stream[k]));
	if (!job->ending) {
		take_earlier(&first, job->timeout_at);
		take_earlier(&first, job->look_at);
	}
	take_earlier(&first, fault_due(job));
	take_earlier(&first, job->term_at);
	if (!job->killing)
		take_earlier(&first, job->kill_at);
	if (first == 0)
		return -1;
	return first <= now ? 0 : (int)(first - now < 60000 ? first - now : 60000);
}

static void
write_out(struct job *job, enum stream_id id)
{
	int ret = output_write(id);

	if (ret == 0)
		return;
	if (ret != -EPIPE)
		say("cannot write the output: %s", strerror(-ret));
	job_end(job, ret == -EPIPE ? OSHRUN_EXIT_SIGNAL + SIGPIPE : OSHRUN_EXIT_FAULT);
}

/* Fill the poll set: signals, our outputs, then each PE in turn. Unused entries have fd -1. */
static int
fill_poll_set(const struct job *job, struct pollfd *p)
{
	int n = 0;
	int i;
	int k;

	p[n++] = (struct pollfd){.fd = job->sigfd, .events = POLLIN};
	for (k = 0; k < STREAMS; k++)
		p[n++] = (struct pollfd){.fd = output_fd(k), .events = POLLOUT};
	for (i = 0; i < job->n_pes; i++) {
		const struct pe *pe = &job->pe[i];

		p[n++] = (struct pollfd){.fd = pe->ctl, .events = POLLIN};
		for (k = 0; k < STREAMS; k++)
			p[n++] = (struct pollfd){.fd = output_choked(k) ? -1 : pe->stream[k].fd,
						 .events = POLLIN};
	}
	p[n++] = (struct pollfd){.fd = job->asked, .events = POLLIN};
	return n;
}

/* Wait for events, and handle them. */
static void
poll_once(struct job *job)
{
	struct pollfd p[MAX_FDS];
	int n;
	int i;
	int k;

	n = fill_poll_set(job, p);
	if (poll(p, (nfds_t)n, wait_ms(job)) < 0)
		return; /* EINTR, or ENOMEM that may pass */
	if (p[0].revents != 0)
		signals_read(job);
	for (k = 0; k < STREAMS; k++)
		if (p[1 + k].revents != 0)
			write_out(job, k);
	for (i = 0; i < job->n_pes; i++) {
		const struct pollfd *of = &p[1 + STREAMS + i * FDS_OF_PE];
		struct pe *pe = &job->pe[i];

		if (of[0].revents != 0)
			ctl_read(job, pe);
		for (k = 0; k < STREAMS; k++)
			if (of[1 + k].revents != 0)
				stream_read(&pe->stream[k]);
	}
	if (p[n - 1].revents != 0)
		handover_answer(job);
	on_time(job);
}

/* All processes are gone; their last output is still in pipes. */
static void
take_last(struct job *job)
{
	int i;
	int k;

	for (i = 0; i < job->n_pes; i++)
		for (k = 0; k < STREAMS; k++) {
			struct stream *s = &job->pe[i].stream[k];
			struct pollfd in = {.fd = s->fd, .events = POLLIN};

			while (s->fd >= 0 && poll(&in, 1, 0) > 0)
				stream_read(s);
			stream_close(s);
		}
}

/* Write the rest. A job that ended well waits for its reader as long as cat would. A job that
 * was ended waits for a stopped reader for the usual grace time. */
static void
drain_outputs(struct job *job)
{
	struct pollfd p[1 + STREAMS];
	int n;
	int k;

	take_last(job);
	job->kill_at = 0;
	while (output_fd(STREAM_OUT) >= 0 || output_fd(STREAM_ERR) >= 0) {
		p[0] = (struct pollfd){.fd = job->sigfd, .events = POLLIN};
		for (k = 0; k < STREAMS; k++)
			p[1 + k] = (struct pollfd){.fd = output_fd(k), .events = POLLOUT};
		n = poll(p, 1 + STREAMS, job->ending ? OSHRUN_GRACE_MS : -1);
		if (n == 0)
			return;
		if (n < 0)
			continue;
		if (p[0].revents != 0)
			signals_read(job);
		if (job->kill_at != 0) { /* asked to end while the reader has stopped */
			if (job->status == 0)
				job->status = OSHRUN_EXIT_SIGNAL + job->last_signal;
			return;
		}
		for (k = 0; k < STREAMS; k++)
			if (p[1 + k].revents != 0)
				write_out(job, k);
	}
}

int
watch(struct job *job)
{
	while (reap_children(job)) {
		/* processes that the PEs left running get the same grace time as a PE */
		if (!any_alive(job) && job->kill_at == 0)
			job->kill_at = now_ms() + OSHRUN_GRACE_MS;
		poll_once(job);
	}
	fault_left();
	drain_outputs(job);
	return job->status;
}
