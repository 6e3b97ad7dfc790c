/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/monitor.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "base/exit.h"
#include "base/file.h"
#include "base/launcher_msg.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/wire.h"
#include "host/hostseg.h"
#include "job/bootstrap.h"
#include "job/exchange.h"
#include "job/telemetry.h"
#include "job/watchdog.h"

/*
 * The kernel ends a child of oshrun together with oshrun, but not the children of that child: a PE
 * that a wrapper started would continue alone. So a thread of each PE sleeps until oshrun's end of
 * the control socket is closed, or until oshrun reports that another PE has ended the job. It costs
 * a page or two and no time.
 */

static void
take_message(const struct rb_ctl_msg *msg)
{
	if (msg->magic != RB_CTL_MAGIC || msg->type != RB_CTL_END)
		return;
	/* a PE without ports has no other way to reach the hosts of other launchers */
	if (rb.env.per_host_launcher)
		rb_abort_broadcast(msg->status);
	rb_watchdog_stop();
	rb_leave(msg->status);
}

static void *
watch_launcher(void *arg)
{
	struct pollfd p = {.fd = rb.env.ctl.fd, .events = POLLIN};
	struct rb_ctl_msg msg;
	ssize_t n;

	(void)arg;
	for (;;) {
		if (poll(&p, 1, -1) < 0)
			continue;
		if (!rb_file_ours(&rb.env.ctl))
			return NULL;
		n = recv(p.fd, &msg, sizeof(msg), MSG_DONTWAIT);
		if (n == (ssize_t)sizeof(msg))
			take_message(&msg);
		else if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			kill(getpid(), SIGKILL);
	}
}

static int
check_socket(void)
{
	struct stat st;

	if (fstat(rb.env.ctl.fd, &st) < 0 || !S_ISSOCK(st.st_mode))
		return rb_fail(-EINVAL, "RINGBELL_CTL_FD=%d is not a socket of oshrun",
			       rb.env.ctl.fd);
	return 0;
}

/*
 * Without oshrun, a PE that ends the job announces it to all others, and each of them leaves
 * by itself. Other hosts read the abort word of the ring. The PEs of this host read a word in their
 * segment: a thread of each PE sleeps on it, because the program's own threads may be computing.
 * PMIx_Abort() alone would kill the others with unflushed output, and if the job's status is 0,
 * Slurm would take the kill as their status.
 */

/* The half of the abort word that is not 0 once the job ends, whatever the status is. */
static uint32_t *
set_half(struct rb_host_seg *seg)
{
	return (uint32_t *)(void *)&seg->abort + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

static void *
listen_for_end(void *arg)
{
	(void)arg;
	for (;;) {
		/* relaxed: what it points to was there before this thread, and stays */
		struct rb_host_seg *seg = __atomic_load_n(&rb_hostseg, __ATOMIC_RELAXED);
		uint64_t word;

		if (seg == NULL) /* the process is ending */
			return NULL;
		/* acquire: pairs with announce_locals() */
		word = atomic_load_explicit(&seg->abort, memory_order_acquire);
		if (word != 0) {
			if (rb.local == 0 && rb.hosts > 1)
				rb_abort_broadcast((int)(uint32_t)word);
			rb_leave((int)(uint32_t)word);
		}
		if (syscall(SYS_futex, set_half(seg), FUTEX_WAIT, 0, NULL, NULL, 0) < 0 &&
		    errno != EAGAIN && errno != EINTR)
			return NULL;
	}
}

/* Who brought the PEs together may say that the job ends. */
static void *
watch_exchange(void *arg)
{
	int status;

	(void)arg;
	if (!rb_exchange->watch(&status))
		return NULL;
	rb_abort_announce(status);
	rb_leave(status);
}

static void
announce_locals(int status)
{
	if (rb_hostseg == NULL)
		return;
	/* release: also for the watchdog of the lead; the launcher kills the lead next */
	atomic_store_explicit(&rb_hostseg->abort, 1ull << RB_ABORT_SET | (uint32_t)status,
			      memory_order_release);
	syscall(SYS_futex, set_half(rb_hostseg), FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void
stop_watching(void)
{
	rb_watchdog_stop();
	rb_telemetry_stop();
}

static const struct rb_end_ops ops = {.announce = announce_locals, .stop = stop_watching};

int
rb_monitor_start(void)
{
	int ret = 0;

	rb_end_ops = &ops;
	if (rb.env.ctl.fd >= 0) {
		ret = check_socket();
		return ret < 0 ? ret : rb_thread_start(watch_launcher);
	}
	if (rb_exchange != NULL && rb.locals > 1)
		ret = rb_thread_start(listen_for_end);
	if (ret == 0 && rb_exchange != NULL && rb_exchange->watch != NULL)
		ret = rb_thread_start(watch_exchange);
	return ret;
}
