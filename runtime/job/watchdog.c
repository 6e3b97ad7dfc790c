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
 * The windows stay mapped in the ward when their owner is gone, and two posted stores and doorbells
 * are all it needs: mappings hold the device open, no interrupt and no DMA of ours is involved. It
 * is forked while only idle threads exist beside the caller, so no lock is held in its copy.
 */

enum {
	KILLED = 128 + SIGKILL /* the true status is not known */
};

/* Shared by owner and ward. Owner sets it (release) once there is nothing to tell; the ward looks
 * after the owner's end, which orders it. */
static _Atomic int *silent;

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

/* The status that the others end with. */
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

	/* what is meant for the owner's process group is not for the ward */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_NAME, "ringbell-ward");
	/* pipes and sockets must end with their owner */
	fd = dup2(owner, 0);
	if (fd != 0 || syscall(SYS_close_range, 1, ~0u, 0) != 0)
		_exit(0);
	watch_owner(fd);
}

static void
stop_on_end(int ended)
{
	(void)ended;
	rb_watchdog_stop();
}

static struct rb_abort_hook hook = {.fn = stop_on_end};

int
rb_watchdog_start(void)
{
	int owner, err;
	pid_t pid;

	silent = mmap(NULL, sizeof(*silent), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (silent == MAP_FAILED) {
		silent = NULL;
		return rb_fail(-ENOMEM, "no memory for the ward of this host");
	}
	owner = (int)syscall(SYS_pidfd_open, getpid(), 0);
	pid = owner < 0 ? -1 : fork();
	err = errno;
	if (pid == 0) {
		/* a grandchild: the program's own wait() must not meet it */
		if (fork() == 0)
			become_watchdog(owner);
		_exit(0);
	}
	if (owner >= 0)
		close(owner);
	if (pid < 0)
		return rb_fail(-err, "cannot start the ward of this host: %s", strerror(err));
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	rb_abort_hook(RB_ABORT_STOP, &hook);
	return 0;
}

void
rb_watchdog_stop(void)
{
	if (silent != NULL)
		atomic_store_explicit(silent, 1, memory_order_release);
}
