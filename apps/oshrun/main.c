/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli.h"
#include "oshrun.h"

enum {
	FDS_BESIDE = 32, /* of oshrun itself */
};

/* If oshrun was started with a closed standard descriptor, no cable may get that number. */
static void
fill_standard_fds(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* Two pipes, a socket's ends and a trace for each PE may be more than the usual 1024, with cables,
 * memory of the hosts, and what one PE more has until it runs. */
static void
want_fds(int npes)
{
	rlim_t want = (rlim_t)npes * 5 + OSHRUN_CABLES + RB_MAX_HOSTS + FDS_BESIDE;
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) != 0 || lim.rlim_cur >= want)
		return;
	lim.rlim_cur = want < lim.rlim_max ? want : lim.rlim_max;
	setrlimit(RLIMIT_NOFILE, &lim); /* where that fails, pipe() will say so */
}

static int
give_up(const char *what, int err)
{
	const char *why = "";

	/* this call makes all that the PEs share */
	if (err == -ENOSYS || err == -EPERM)
		why = ": memfd_create() is forbidden or missing here; allow it in the seccomp "
		      "profile";
	cli_say("cannot %s: %s%s", what, strerror(-err), why);
	return OSHRUN_EXIT_FAULT;
}

static void
start_all(struct job *job)
{
	int ret = 0;
	int i;

	if (job->opt->timeout > 0)
		job->timeout_at = now_ms() + (int64_t)(job->opt->timeout * 1000);
	for (i = 0; i < job->opt->npes && ret == 0; i++)
		if (place_is_here(job->opt, i))
			ret = spawn_pe(job, &job->pe[job->n_pes++], i);
	blocked_started(job);
	fault_started();
	/* a signal that ends the job takes its course as it does later */
	if (ret < 0 && ret != -EINTR)
		job_end(job, ret == -ENOENT || ret == -ENOTDIR ? OSHRUN_EXIT_NOT_FOUND
			     : ret == -ETIMEDOUT	       ? OSHRUN_EXIT_TIMEOUT
							       : OSHRUN_EXIT_CANNOT_RUN);
}

int
main(int argc, char **argv)
{
	static struct options opt;
	static struct job job;
	int ret;

	fill_standard_fds();
	opts_parse(&opt, argc, argv);
	job.opt = &opt;
	want_fds(opt.npes);
	if (place_bind(&job) < 0)
		return OSHRUN_EXIT_USAGE;
	ret = ring_make(&job);
	if (ret < 0)
		return give_up("make the cables", ret);
	ret = trace_open(&opt);
	if (ret < 0) {
		cli_say("--trace %s: %s", opt.trace, strerror(-ret));
		return OSHRUN_EXIT_USAGE;
	}
	ret = blocked_open(&job);
	if (ret < 0)
		return give_up("make memory for the PEs", ret);
	ret = fault_open(&job);
	if (ret < 0)
		return give_up("seal the cables", ret);
	ret = handover_open(&job);
	if (ret < 0)
		return give_up("open a socket for the PEs", ret);
	ret = sweep_guard(&job);
	if (ret < 0)
		return give_up("start the guard of the telemetry sockets", ret);
	/* Orphans of a PE become our children, so the end of the job reaches them too. EINVAL: the
	 * kernel interface is emulated and lacks this (QEMU's user mode). */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 && errno != EINVAL)
		return give_up("become subreaper", -errno);
	job.sigfd = signals_open();
	if (job.sigfd < 0)
		return give_up("watch signals", job.sigfd);
	output_open(opt.tag);
	watch_open();
	start_all(&job);
	ret = watch(&job);
	sweep(&job);
	if (trace_write(&job) < 0 && ret == 0)
		ret = OSHRUN_EXIT_FAULT;
	return ret;
}
