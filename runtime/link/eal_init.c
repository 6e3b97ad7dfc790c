/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/eal_init.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_log.h>

#include "base/error.h"
#include "base/file.h"
#include "base/limit.h"
#include "base/run_dir.h"
#include "base/state.h"
#include "base/thread.h"

/* ---- the folder that DPDK is to use while the EAL starts ---- */

struct run_dir {
	bool set;
	char was[2048]; /* the program's own RUNTIME_DIRECTORY; "": none */
};

static int
run_dir_set(struct run_dir *d, const char *dir)
{
	const char *was = getenv("RUNTIME_DIRECTORY");

	snprintf(d->was, sizeof(d->was), "%s", was == NULL ? "" : was);
	d->set = setenv("RUNTIME_DIRECTORY", dir, 1) == 0;
	return d->set ? 0 : rb_fail(-ENOMEM, "no memory for RUNTIME_DIRECTORY");
}

/* An EAL that shares nothing needs no folder, so point it to a file, which is in its way. If other
 * threads may read the environment meanwhile, setenv() could free what they read. Then DPDK uses
 * "." as its folder name, which already exists. An EAL that shares gets a folder that nobody else
 * can write to. */
static int
run_dir_begin(struct run_dir *d, bool shares)
{
	char dir[256];
	int ret;

	*d = (struct run_dir){.set = false};
	if (!shares)
		return rb_threads_alone() ? run_dir_set(d, RB_NO_FOLDER) : 0;
	if (!rb_run_dir(dir, sizeof(dir)))
		return 0;
	ret = rb_run_dir_make(dir);
	if (ret == -EPERM)
		return rb_fail(ret,
			       "%s is not a folder of this user alone: remove it, or set "
			       "XDG_RUNTIME_DIR to such a folder",
			       dir);
	if (ret < 0)
		return rb_fail(ret,
			       "telemetry needs a folder for its sockets, but cannot create %s "
			       "(%s): set XDG_RUNTIME_DIR to a folder of this user",
			       dir, strerror(-ret));
	return run_dir_set(d, dir);
}

static void
run_dir_end(const struct run_dir *d)
{
	if (d->set && d->was[0] != '\0')
		setenv("RUNTIME_DIRECTORY", d->was, 1);
	else if (d->set)
		unsetenv("RUNTIME_DIRECTORY");
}

/* ---- its descriptors ---- */

/*
 * The EAL opens its memory, pipes and timers without close-on-exec. Programs that a PE starts must
 * not inherit them: a helper that outlives the PE would keep the memory. With several threads
 * nothing is changed, because another thread of the program may open descriptors of its own
 * meanwhile.
 */
enum {
	FDS = 4096
};

struct fds {
	bool listed, open[FDS];
};

/* The pipes by which it calls its threads. */
static struct rb_file pipes[2 * (RB_MAX_LCORES + 2)];
static unsigned int n_pipes;

static void
fds_list(struct fds *fds)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;
	int fd;

	*fds = (struct fds){.listed = dir != NULL};
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		fd = entry->d_name[0] == '.' ? -1 : atoi(entry->d_name);
		if (fd >= 0 && fd < FDS && fd != dirfd(dir))
			fds->open[fd] = true;
	}
	if (dir != NULL)
		closedir(dir);
}

static void
fds_after(const struct fds *before, bool alone)
{
	struct fds now;
	struct stat st;
	int fd;

	fds_list(&now);
	for (fd = 0; fd < FDS && before->listed; fd++) {
		if (before->open[fd] || !now.open[fd] || fstat(fd, &st) < 0)
			continue;
		if (alone)
			fcntl(fd, F_SETFD, FD_CLOEXEC);
		if (S_ISFIFO(st.st_mode) && n_pipes < RTE_DIM(pipes))
			pipes[n_pipes++] = rb_file_of(fd);
	}
}

bool
rb_eal_init_whole(void)
{
	unsigned int i;

	for (i = 0; i < n_pipes; i++)
		if (!rb_file_ours(&pipes[i]))
			return false;
	return true;
}

/* ---- its log ---- */

/* Only errors, and the first one is the cause of the others. */
static struct {
	FILE *stream;
	char *text;
	size_t size;
	char reason[1024];
} eal_log;

static void
log_begin(void)
{
	if (rb.env.eal_log)
		return;
	eal_log.stream = open_memstream(&eal_log.text, &eal_log.size);
	if (eal_log.stream == NULL)
		return;
	rte_openlog_stream(eal_log.stream);
	rte_log_set_global_level(RTE_LOG_ERR);
}

static void
log_end(void)
{
	char *line, *rest;

	eal_log.reason[0] = '\0';
	if (eal_log.stream == NULL)
		return;
	rte_openlog_stream(NULL);
	rte_log_set_global_level(RTE_LOG_ERR);
	fclose(eal_log.stream);
	eal_log.stream = NULL;
	if (eal_log.text == NULL) /* no memory to close it */
		return;
	for (line = strtok_r(eal_log.text, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (strstr(line, RB_NO_FOLDER) != NULL)
			continue;
		snprintf(eal_log.reason, sizeof(eal_log.reason), "%s", line);
		break;
	}
	free(eal_log.text);
}

const char *
rb_eal_reason(void)
{
	return eal_log.reason;
}

/* ---- that it returns ---- */

/*
 * If rte_eal_init() cannot start a thread, it panics: it logs why, prints its stack, and calls
 * abort(). A jump leaves the call that abort() interrupts. The EAL is unusable after that, and the
 * process is about to end.
 *
 * Since DPDK 25.11 wrong arguments make it call exit(). The same jump leaves that call: by then
 * glibc has removed the first handler from its list, which is at_exit() below, and runs the others
 * when the process ends.
 */
static sigjmp_buf before;
static pthread_t caller;
static _Atomic bool starting; /* the caller writes it; any thread that ends the process reads it */

static void
on_abort(int sig)
{
	if (pthread_equal(pthread_self(), caller))
		siglongjmp(before, EAGAIN);
	/* not a panic of the EAL: end the process, as abort() does when this handler returns */
	signal(sig, SIG_DFL);
}

static void
at_exit(int status, void *arg)
{
	(void)status;
	(void)arg;
	if (starting && pthread_equal(pthread_self(), caller))
		siglongjmp(before, EINVAL);
}

/* As rte_eal_init(), but returns -1 where that panics or exits. */
static int
returning_init(int argc, char **argv)
{
	struct sigaction act = {.sa_handler = on_abort}, was;
	sigset_t mask;
	int ret, jump;

	if (on_exit(at_exit, NULL) != 0) {
		rte_errno = ENOMEM;
		return -1;
	}
	/* SIGPIPE, too: a client that closes its socket during an answer of the EAL must not end
	 * the process. */
	rb_signals_block(&mask);
	caller = pthread_self();
	sigemptyset(&act.sa_mask);
	sigaction(SIGABRT, &act, &was);
	starting = true;
	jump = sigsetjmp(before, 1);
	if (jump == 0) {
		ret = rte_eal_init(argc, argv);
	} else {
		rte_errno = jump;
		ret = -1;
	}
	starting = false;
	sigaction(SIGABRT, &was, NULL);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	return ret;
}

int
rb_eal_init(int argc, char **argv, bool shares)
{
	bool alone = rb_threads_alone();
	struct run_dir dir;
	struct fds fds;
	int ret = run_dir_begin(&dir, shares);

	if (ret == 0) {
		fds_list(&fds);
		log_begin();
		if (returning_init(argc, argv) < 0)
			ret = -ENODEV;
		log_end();
	}
	run_dir_end(&dir);
	if (ret == -ENODEV)
		return rb_fail(ret, "the EAL did not start: %s%s",
			       *rb_eal_reason() ? rb_eal_reason() : rte_strerror(rte_errno),
			       rb_limit_words());
	if (ret == 0)
		fds_after(&fds, alone);
	return ret;
}
