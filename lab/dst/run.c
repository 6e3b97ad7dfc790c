/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <dirent.h>
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
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "run.h"
#include "token.h"

/* Of DPDK's runtime files, which have the process ids as names: jobs at the same time have the same
 * ones. Hidden, as it is left behind. */
#define RUN "/dev/shm/.run"

enum {
	LOG = 50000000,	  /* points */
	ENVIRONMENT = 64, /* variables of the job */
	LOOK_MS = 20,	  /* whether a process has ended with the token in its hand */
	CANNOT = 120,	  /* exit status: the simulation did not start */
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
	size_t log = a->log == NULL ? 0 : LOG * sizeof(struct dst_record);
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
	seg->until = (uint64_t)a->until;
	seg->depth = a->depth;
	seg->odd = (uint64_t)a->odd;
	seg->k = 1u << (a->hosts == 0 ? dst_random() % 10 : 3 + dst_random() % 8);
	seg->countdown = seg->k;
	seg->point_ns = 20u << dst_random() % 5;
	if (a->stalls)
		seg->stall = (64u << dst_random() % 9) / seg->k + 1;
	seg->max_now = (uint64_t)a->job_limit * 1000000000;
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
	    mount("tmpfs", "/dev/shm", "tmpfs", 0, NULL) != 0 || mkdir(RUN, 0700) != 0)
		cli_fail(CANNOT, "cannot give the job its own places: %s", strerror(errno));
}

/* What the job is told; the rest would only move its stack. */
static void
keep_environment(char **kept)
{
	static char path[] = "PATH=/usr/bin:/bin";
	int n = 0;

	for (char **at = environ; *at != NULL && n < ENVIRONMENT - 2; at++)
		if (dst_is_told(*at))
			kept[n++] = *at;
	kept[n++] = path;
	kept[n] = NULL;
	environ = kept;
}

static void
start_job(const struct dst_args *a, int seg_fd, int out)
{
	const struct rlimit files = {DST_FD_MAX, DST_FD_MAX};
	char text[PATH_MAX], hosts[16], npes[16];
	const char *argv[64] = {a->oshrun, "--hosts", hosts, "-n", npes};
	static char *kept[ENVIRONMENT];
	cpu_set_t cpu;
	int n = a->hosts == 0 ? 0 : 5; /* else the program alone */

	snprintf(hosts, sizeof(hosts), "%d", a->hosts);
	snprintf(npes, sizeof(npes), "%d", a->npes);
	for (char **at = a->argv; *at != NULL && n < 63; at++)
		argv[n++] = *at;
	snprintf(text, sizeof(text), "/proc/1/fd/%d", seg_fd);
	argv[n] = NULL;
	keep_environment(kept);
	setenv(DST_ENV, text, 1);
	setenv("LD_PRELOAD", DST_LIBRARY, 1);
	setenv("RUNTIME_DIRECTORY", RUN, 1);
	/* hashes of addresses choose where the library's fair loops begin */
	personality(ADDR_NO_RANDOMIZE);
	setrlimit(RLIMIT_NOFILE, &files);
	/* a switch between threads of two CPUs takes longer than one of a single CPU */
	CPU_ZERO(&cpu);
	CPU_SET((unsigned int)sched_getcpu(), &cpu);
	sched_setaffinity(0, sizeof(cpu), &cpu);
	dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	for (int fd = STDERR_FILENO + 1; fd < DST_FD_MAX; fd++)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
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
	if (DST_AT->verdict == NULL && s == &DST_AT->slot[DST_AT->running])
		dst_lost(s->pid);
}

static void
give_verdict(const char *why)
{
	if (DST_AT->verdict != NULL)
		return;
	snprintf(DST_AT->text, sizeof(DST_AT->text), "%.255s", why);
	DST_AT->verdict = DST_AT->text;
}

/* The job had this folder for itself. */
static void
look_for_files(void)
{
	char text[300];
	DIR *dir = opendir("/dev/shm");
	const struct dirent *e;

	while (dir != NULL && (e = readdir(dir)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(text, sizeof(text), "left behind: /dev/shm/%s", e->d_name);
		give_verdict(text);
	}
}

/* Process 1 of the job's own PID namespace: until all its processes are gone. @return exit status
 */
static int
watch_job(const struct dst_args *a, int job)
{
	double end = now_s() + a->limit;
	int status = CANNOT, ended, pid;
	struct pollfd p = {.events = POLLIN};

	p.fd = (int)syscall(SYS_pidfd_open, job, 0);
	for (;;) {
		poll(&p, 1, p.fd < 0 ? 1 : LOOK_MS);
		while ((pid = waitpid(-1, &ended, WNOHANG)) > 0)
			if (pid == job) {
				status = WIFEXITED(ended) ? WEXITSTATUS(ended)
							  : 128 + WTERMSIG(ended);
				p.fd = -1;
			}
		if (pid < 0)
			break;
		save_token();
		if (now_s() > end) {
			give_verdict("hang: the token does not move, or too slowly");
			return CANNOT;
		}
	}
	look_for_files();
	return status;
}

/* All that the job has printed. */
static const char *
read_output(int fd)
{
	static char text[1 << 20];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	text[n < 0 ? 0 : n] = '\0';
	return text;
}

static const char *
judge_run(int status, const char *output)
{
	static char text[64];

	if (DST_AT->verdict != NULL)
		return DST_AT->verdict;
	if (strstr(output, "FAILED") != NULL ||
	    (status != 0 && !dst_faults_allow(status, output))) {
		snprintf(text, sizeof(text), "wrong: status %d", status);
		return text;
	}
	return NULL;
}

bool
dst_run(const struct dst_args *a, uint64_t seed)
{
	int uid = (int)geteuid(), gid = (int)getegid(), status, init, job, hosts;
	int seg_fd = make_seg(a, seed), out = memfd_create("output", 0);
	unsigned long spaces =
		CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | (uid != 0 ? CLONE_NEWUSER : 0);
	double began = now_s();
	const char *output, *why;

	dst_faults_draw(a);
	init = (int)syscall(SYS_clone, spaces | SIGCHLD, 0, 0, 0, 0);
	if (init < 0)
		cli_fail(CANNOT, "no namespaces: %s", strerror(errno));
	if (init == 0) {
		own_places(uid, gid);
		/* ends with ringbell-dst, and with it all processes of the run */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		DST_AT->slot[0].pid = atoi(DST_JOB);
		job = fork();
		if (job == 0)
			start_job(a, seg_fd, out);
		hosts = a->hosts;
		dst_cables_watch(&hosts);
		_exit(watch_job(a, job));
	}
	waitpid(init, &status, 0);
	status = WIFEXITED(status) ? WEXITSTATUS(status) : CANNOT;
	output = read_output(out);
	why = judge_run(status, output);
	if (a->output || why != NULL)
		fputs(output, stdout);
	dst_tell(a, seed, why, now_s() - began);
	if (a->log != NULL) {
		FILE *f = fopen(a->log, "we");

		if (f == NULL || fwrite(DST_LOG_AT, sizeof(struct dst_record), DST_AT->logged, f) !=
					 DST_AT->logged)
			cli_fail(CANNOT, "%s: %s", a->log, strerror(errno));
		fclose(f);
	}
	close(seg_fd);
	close(out);
	return why == NULL;
}
