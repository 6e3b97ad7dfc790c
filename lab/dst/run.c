/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "run.h"
#include "token.h"

enum {
	LOOK_MS = 20, /* whether a process has ended with the token in its hand */
	CANNOT = 120, /* exit status: the simulation did not start */
};

static double
now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The shared state of a new run; its file, inherited by number. */
static int
make_seg(const struct dst_args *a, uint64_t seed)
{
	int fd = memfd_create("ringbell-dst", 0);
	size_t log = a->log == NULL ? 0 : (size_t)a->log_size * sizeof(struct dst_record);
	struct seg *seg;

	if (fd < 0 || ftruncate(fd, (off_t)(DST_LOG_OFFSET + log)) != 0)
		cli_fail(CANNOT, "no memory for the scheduler: %s", strerror(errno));
	seg = mmap(DST_AT, sizeof(*seg), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
	if (seg != DST_AT)
		cli_fail(CANNOT, "cannot map the scheduler: %s", strerror(errno));
	if (log != 0)
		mmap(DST_LOG_AT, log, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
		     DST_LOG_OFFSET);
	seg->log_size = log / sizeof(struct dst_record);
	seg->seed = seed;
	seg->random = seed;
	seg->random = dst_random();
	seg->max_steps = (uint64_t)a->steps;
	seg->cpus = (unsigned int)a->cpus;
	seg->depth = a->depth;
	seg->k = 1u << dst_random() % 10;
	seg->countdown = seg->k;
	for (unsigned int i = 0; i < seg->depth; i++)
		seg->change_at[i] = 1 + dst_random() % (1u << (10 + dst_random() % 10));
	dst_slot_new(NULL);
	return fd;
}

static void
write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		cli_fail(CANNOT, "%s: %s", path, strerror(errno));
	close(fd);
}

/* A process of this job knows itself by one number in all runs, and what it leaves is seen. */
static void
own_places(int uid, int gid)
{
	char text[64];

	if (uid != 0) {
		write_text("/proc/self/setgroups", "deny");
		snprintf(text, sizeof(text), "%d %d 1", uid, uid);
		write_text("/proc/self/uid_map", text);
		snprintf(text, sizeof(text), "%d %d 1", gid, gid);
		write_text("/proc/self/gid_map", text);
	}
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("proc", "/proc", "proc", 0, NULL) != 0 ||
	    mount("tmpfs", "/dev/shm", "tmpfs", 0, NULL) != 0)
		cli_fail(CANNOT, "cannot give the job its own places: %s", strerror(errno));
}

static void
start_job(const struct dst_args *a, int seg_fd, int out)
{
	const struct rlimit files = {DST_FD_MAX, DST_FD_MAX};
	char text[PATH_MAX], hosts[16], npes[16];
	const char *argv[64] = {DST_OSHRUN, "--hosts", hosts, "-n", npes};
	int n = a->hosts == 0 ? 0 : 5; /* else the program alone */

	snprintf(hosts, sizeof(hosts), "%d", a->hosts);
	snprintf(npes, sizeof(npes), "%d", a->npes);
	for (char **at = a->argv; *at != NULL && n < 63; at++)
		argv[n++] = *at;
	snprintf(text, sizeof(text), "/proc/1/fd/%d", seg_fd);
	argv[n] = NULL;
	setenv(DST_ENV, text, 1);
	setenv("LD_PRELOAD", DST_LIBRARY, 1);
	setrlimit(RLIMIT_NOFILE, &files);
	dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	for (int fd = STDERR_FILENO + 1; fd < DST_FD_MAX; fd++)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	DST_AT->slot[0].pid = getpid();
	execvp(argv[0], (char **)argv);
	_exit(CANNOT);
}

/* A process that ended without a word had the token: nobody runs until it goes on. */
static void
save_token(void)
{
	const struct slot *s = &DST_AT->slot[DST_AT->running];
	char path[32], state = 'R';
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", s->pid);
	f = fopen(path, "re");
	if (f != NULL && fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 'R';
	if (f != NULL)
		fclose(f);
	if (f != NULL && state != 'Z')
		return;
	if (s == &DST_AT->slot[DST_AT->running])
		dst_lost(s->pid);
}

/* Process 1 of the job's own PID namespace. @return exit status */
static int
watch_job(const struct dst_args *a, int job)
{
	double end = now_s() + a->limit;
	int status, pid = 0;
	struct pollfd p = {.events = POLLIN};

	p.fd = (int)syscall(SYS_pidfd_open, job, 0);
	while (pid != job) {
		poll(&p, 1, LOOK_MS);
		while ((pid = waitpid(-1, &status, WNOHANG)) > 0 && pid != job)
			;
		if (pid == job)
			break;
		save_token();
		if (now_s() > end && DST_AT->verdict == NULL) {
			strcpy(DST_AT->text, "hang: the token does not move, or too slowly");
			DST_AT->verdict = DST_AT->text;
			return CANNOT;
		}
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void
print_output(int fd)
{
	char text[4096];
	ssize_t n;

	for (off_t at = 0; (n = pread(fd, text, sizeof(text), at)) > 0; at += n)
		fwrite(text, 1, (size_t)n, stdout);
}

static bool
judge_run(const struct dst_args *a, uint64_t seed, int status, double took)
{
	const struct seg *seg = DST_AT;
	const char *why = seg->verdict;
	char text[64];
	double job = (double)seg->now / 1e9;

	if (why == NULL && status != 0) {
		snprintf(text, sizeof(text), "wrong: status %d", status);
		why = text;
	}
	if (why != NULL)
		for (unsigned int i = 0; i < seg->slots; i++) {
			const struct slot *s = &seg->slot[i];

			if (s->state != SLOT_DEAD)
				printf("  thread %u (process %d): state %d, deadline %.6f s, last "
				       "point "
				       "%llx%s%s\n",
				       i, s->pid, s->state, (double)(int64_t)s->deadline / 1e9,
				       (unsigned long long)s->point,
				       i == seg->running ? ", running" : "",
				       s->stopped ? ", stopped" : "");
		}
	printf("seed %llu: %s, %llu steps, %u threads, %.6f s of job time in %.2f s, hash "
	       "%016llx\n",
	       (unsigned long long)seed, why == NULL ? "right" : why,
	       (unsigned long long)seg->steps, seg->slots, job, took,
	       (unsigned long long)seg->hash);
	fflush(stdout);
	(void)a;
	return why == NULL;
}

bool
dst_run(const struct dst_args *a, uint64_t seed)
{
	int uid = (int)geteuid(), gid = (int)getegid(), status, init, job;
	int seg_fd = make_seg(a, seed), out = memfd_create("output", 0);
	unsigned long spaces =
		CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | (uid != 0 ? CLONE_NEWUSER : 0);
	double began = now_s();
	bool right;

	init = (int)syscall(SYS_clone, spaces | SIGCHLD, 0, 0, 0, 0);
	if (init < 0)
		cli_fail(CANNOT, "no namespaces: %s", strerror(errno));
	if (init == 0) {
		own_places(uid, gid);
		job = fork();
		if (job == 0)
			start_job(a, seg_fd, out);
		_exit(watch_job(a, job));
	}
	waitpid(init, &status, 0);
	status = WIFEXITED(status) ? WEXITSTATUS(status) : CANNOT;
	if (a->output || status != 0 || DST_AT->verdict != NULL)
		print_output(out);
	right = judge_run(a, seed, status, now_s() - began);
	if (a->log != NULL) {
		FILE *f = fopen(a->log, "we");

		if (f == NULL || fwrite(DST_LOG_AT, sizeof(struct dst_record), DST_AT->logged, f) !=
					 DST_AT->logged)
			cli_fail(CANNOT, "%s: %s", a->log, strerror(errno));
		fclose(f);
	}
	close(seg_fd);
	close(out);
	return right;
}
