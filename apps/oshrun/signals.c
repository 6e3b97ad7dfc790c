/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "oshrun.h"

/* Signals that oshrun passes on; some of them also end the job. */
static const struct {
	int sig;
	bool ending;
} passed[] = {
	{SIGINT, true},	  {SIGTERM, true},  {SIGHUP, true},   {SIGQUIT, true},	 {SIGUSR1, false},
	{SIGUSR2, false}, {SIGTSTP, false}, {SIGCONT, false}, {SIGWINCH, false},
};

static sigset_t old_mask;
static struct sigaction old_pipe;

int
signals_open(void)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction now;
	sigset_t mask;
	size_t i;
	int fd;

	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	for (i = 0; i < sizeof(passed) / sizeof(passed[0]); i++) {
		/* signals that oshrun was started to ignore (nohup) must not reach the PEs */
		if (sigaction(passed[i].sig, NULL, &now) == 0 && now.sa_handler == SIG_IGN)
			continue;
		sigaddset(&mask, passed[i].sig);
	}
	/* with an inherited SIG_IGN the kernel would reap the PEs itself */
	if (signal(SIGCHLD, SIG_DFL) == SIG_ERR || sigaction(SIGPIPE, &ignore, &old_pipe) != 0 ||
	    sigprocmask(SIG_BLOCK, &mask, &old_mask) != 0)
		return -errno;
	fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

void
signals_restore(void)
{
	sigaction(SIGPIPE, &old_pipe, NULL);
	sigprocmask(SIG_SETMASK, &old_mask, NULL);
}

static void
pass_on(struct job *job, const struct signalfd_siginfo *info)
{
	int sig = (int)info->ssi_signo;
	size_t i;

	if (sig == SIGQUIT && job->last_signal != SIGQUIT)
		blocked_report(job);
	/* A signal of the terminal reaches the whole process group, the PEs too. */
	if (info->ssi_code != SI_KERNEL)
		job_signal(job, sig);
	for (i = 0; i < sizeof(passed) / sizeof(passed[0]); i++) {
		if (passed[i].sig != sig || !passed[i].ending)
			continue;
		if (job->kill_at != 0)
			job->kill_at = now_ms(); /* asked twice: kill at once */
		else
			job->kill_at = now_ms() + OSHRUN_GRACE_MS;
		job->last_signal = sig;
	}
	if (sig == SIGTSTP)
		raise(SIGSTOP);
}

void
signals_read(struct job *job)
{
	struct signalfd_siginfo info;

	while (read(job->sigfd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		if (info.ssi_signo != SIGCHLD)
			pass_on(job, &info);
}
