/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "oshrun.h"

enum {
	SLOW_MS = 500, /* after which a PE that does not come to run its program is named */
};

/* Descriptors that a PE gets from its launcher; [0] is oshrun's end, [1] the PE's. */
struct plumbing {
	int out[2];
	int err[2];
	int ctl[2];
	int exec[2]; /* the PE writes errno where exec fails; closes with success */
};

static void
plumbing_close(const struct plumbing *p)
{
	const int fds[] = {p->out[0], p->out[1], p->err[0],  p->err[1],
			   p->ctl[0], p->ctl[1], p->exec[0], p->exec[1]};
	size_t i;

	for (i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static int
plumbing_make(struct plumbing *p)
{
	int ret = 0;

	memset(p, 0xff, sizeof(*p)); /* all -1 */
	if (pipe2(p->out, O_CLOEXEC) != 0 || pipe2(p->err, O_CLOEXEC) != 0 ||
	    pipe2(p->exec, O_CLOEXEC) != 0 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, p->ctl) != 0) {
		ret = -errno;
		plumbing_close(p);
	}
	return ret;
}

/* In the child: become the PE. Returns only with a negative errno. */
static int
become_pe(const struct job *job, const struct pe *pe, const struct plumbing *p, pid_t parent)
{
	int fds[OSHRUN_FDS_OF_PE];
	int null;
	int n;
	int i;

	/* the death signal is for the parent's end from now on, not for an earlier one */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
		return -errno;
	if (getppid() != parent)
		_exit(OSHRUN_EXIT_FAULT);
	if (dup2(p->out[1], STDOUT_FILENO) < 0 || dup2(p->err[1], STDERR_FILENO) < 0)
		return -errno;
	if (pe->id != 0) {
		null = open("/dev/null", O_RDONLY | O_CLOEXEC);
		if (null < 0 || dup2(null, STDIN_FILENO) < 0)
			return -errno;
	}
	n = ring_fds(job, pe, fds);
	for (i = 0; i < n; i++)
		if (fcntl(fds[i], F_SETFD, 0) != 0) /* it stays open over exec */
			return -errno;
	ring_set_env(job, pe);
	handover_set_env(job, pe);
	n = place_enter(job, pe);
	if (n < 0)
		return n;
	signals_restore();
	execvp(job->opt->argv[0], job->opt->argv);
	return -errno;
}

static int
read_result(int fd)
{
	ssize_t n;
	int err;

	do
		n = read(fd, &err, sizeof(err));
	while (n < 0 && errno == EINTR);
	if (n == 0)
		return 0;
	return n == (ssize_t)sizeof(err) ? err : -EIO;
}

/* 0 once the PE runs its program, or the error that prevented it. -ETIMEDOUT: the time of the job
 * is over; -EINTR: a signal ends it. */
static int
exec_result(struct job *job, int fd)
{
	struct pollfd p[] = {{.fd = fd, .events = POLLIN}, {.fd = job->sigfd, .events = POLLIN}};
	int64_t left = -1;

	for (;;) {
		if (job->timeout_at != 0)
			left = job->timeout_at - now_ms();
		if (job->timeout_at != 0 && left <= 0)
			return -ETIMEDOUT;
		(void)poll(p, 2, left < INT_MAX ? (int)left : INT_MAX);
		if (p[0].revents != 0)
			return read_result(fd);
		if (p[1].revents != 0)
			signals_read(job);
		if (job->kill_at != 0)
			return -EINTR;
	}
}

static void
run_child(const struct job *job, const struct pe *pe, const struct plumbing *p, pid_t parent)
{
	int err = become_pe(job, pe, p, parent);
	ssize_t n = write(p->exec[1], &err, sizeof(err));

	(void)n; /* oshrun then reads an end of file, and the PE's exit status */
	_exit(OSHRUN_EXIT_CANNOT_RUN);
}

/* What may help, where that is known. */
static const char *
spawn_hint(const struct options *opt, int err)
{
	const char *program = opt->argv[0];
	static char text[160];
	struct rlimit lim;

	text[0] = '\0';
	if (err == EMFILE && getrlimit(RLIMIT_NOFILE, &lim) == 0)
		snprintf(text, sizeof(text), ": raise ulimit -n, which is %llu",
			 (unsigned long long)lim.rlim_cur);
	else if (err == EAGAIN && getrlimit(RLIMIT_NPROC, &lim) == 0)
		snprintf(text, sizeof(text),
			 ": raise ulimit -u, which is %llu, or what a container may have of "
			 "processes (its pids limit)",
			 (unsigned long long)lim.rlim_cur);
	else if (err == ENOENT && strchr(program, '/') == NULL && access(program, X_OK) == 0)
		snprintf(text, sizeof(text), " in PATH; did you mean ./%s?", program);
	return text;
}

static void
say_why(const struct job *job, const struct pe *pe, int err, int64_t waited)
{
	const struct options *opt = job->opt;

	if (err == ETIMEDOUT)
		say("the job did not end within %g s", opt->timeout);
	if (err != ETIMEDOUT && err != EINTR)
		say("cannot start PE %d, '%s': %s%s", pe->id, opt->argv[0], strerror(err),
		    spawn_hint(opt, err));
	else if (waited >= SLOW_MS)
		say("PE %d (process %d) did not come to run %s: does its file system answer?",
		    pe->id, (int)pe->pid, opt->argv[0]);
}

int
spawn_pe(struct job *job, struct pe *pe, int id)
{
	int64_t began = now_ms();
	pid_t parent = getpid();
	struct plumbing p;
	int ret;

	*pe = (struct pe){
		.id = id, .host = job->opt->host_of[id], .ctl = -1, .end = -1, .trace = -1};
	pe->stream[STREAM_OUT].fd = -1;
	pe->stream[STREAM_ERR].fd = -1;
	pe->trace = trace_memory(pe);
	ret = pe->trace < -1 ? pe->trace : plumbing_make(&p);
	if (ret < 0)
		goto out;
	pe->end = p.ctl[1];
	pe->pid = fork();
	if (pe->pid < 0) {
		ret = -errno;
		plumbing_close(&p);
		goto out;
	}
	if (pe->pid == 0)
		run_child(job, pe, &p, parent);
	pe->alive = true;
	pe->ctl = p.ctl[0];
	close(p.out[1]);
	close(p.err[1]);
	close(p.exec[1]);
	ret = stream_open(&pe->stream[STREAM_OUT], id, STREAM_OUT, p.out[0]);
	if (ret == 0)
		ret = stream_open(&pe->stream[STREAM_ERR], id, STREAM_ERR, p.err[0]);
	if (ret == 0)
		ret = exec_result(job, p.exec[0]);
	close(p.exec[0]);
out:
	if (ret < 0)
		say_why(job, pe, -ret, now_ms() - began);
	return ret;
}
