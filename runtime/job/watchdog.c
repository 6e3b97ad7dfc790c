/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/watchdog.h"

#include "base/error.h"
#include "base/exit.h"
#include "host/hostseg.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The windows stay mapped in the watchdog after their owner has gone. It needs only two posted
 * stores and doorbells: mappings keep the device open, and no interrupt and no DMA of ours is
 * involved. It is forked while only idle threads exist beside the caller, so its copy holds no
 * lock.
 */

enum {
	KILLED = 128 + SIGKILL /* the real status is unknown */
};

/* Shared by owner and watchdog. The owner sets it (release) once there is nothing to announce. The
 * watchdog reads it (acquire) after the end of the owner. */
static _Atomic int *silent;

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

/* The status with which the other hosts end. */
static int
end_status(void)
{
	uint64_t word = rb_hostseg == NULL
				? 0
				: atomic_load_explicit(&rb_hostseg->abort, memory_order_acquire);

	return word == 0 ? KILLED : (int)(uint32_t)word;
}

static void
watch_owner(int owner)
{
	struct pollfd p = {.fd = owner, .events = POLLIN};

	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
	if (atomic_load_explicit(silent, memory_order_acquire) == 0)
		rb_abort_broadcast(end_status());
	_exit(0);
}

static void
become_watchdog(int owner)
{
	sigset_t all;
	int fd;

	/* signals to the owner's process group are not meant for the watchdog */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_NAME, "ringbell-watch");
	/* pipes and sockets must close when their owner ends */
	fd = dup2(owner, 0);
	if (fd != 0 || syscall(SYS_close_range, 1, ~0u, 0) != 0)
		_exit(0);
	watch_owner(fd);
}

int
rb_watchdog_start(void)
{
	int owner, err;
	pid_t pid;

	silent = mmap(NULL, sizeof(*silent), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (silent == MAP_FAILED) {
		silent = NULL;
		return rb_fail(-ENOMEM, "no memory for the watchdog process of this host");
	}
	owner = (int)syscall(SYS_pidfd_open, getpid(), 0);
	pid = owner < 0 ? -1 : fork();
	err = errno;
	if (pid == 0) {
		/* a grandchild: the program's own wait() must not return it */
		if (fork() == 0)
			become_watchdog(owner);
		_exit(0);
	}
	if (owner >= 0)
		close(owner);
	if (pid < 0)
		return rb_fail(-err, "cannot start the watchdog process of this host: %s",
			       strerror(err));
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return 0;
}

void
rb_watchdog_stop(void)
{
	if (silent != NULL)
		atomic_store_explicit(silent, 1, memory_order_release);
}
