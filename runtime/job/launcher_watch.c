/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/launcher_watch.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/exit.h"
#include "base/launcher_msg.h"
#include "base/leave.h"
#include "base/save.h"
#include "base/state.h"
#include "base/thread.h"
#include "job/survivors.h"
#include "job/watchdog.h"

/*
 * The kernel ends a child of oshrun together with oshrun, but not the children of that child: a PE
 * that a wrapper started would continue alone. So a thread of each PE sleeps until oshrun's end of
 * the control socket is closed, or until oshrun reports that another PE has ended the job. It costs
 * a page or two and no time.
 */

static ino_t socket_inode;

/* "PE DEAD REASON" */
static void
note_lost(const struct rb_ctl_msg *msg)
{
	struct rb_lost lost = {.status = msg->status};
	char text[RB_CTL_TEXT];
	int dead, at = 0;

	snprintf(text, sizeof(text), "%.*s", RB_CTL_TEXT - 1, msg->text);
	if (sscanf(text, "%d %d %n", &lost.pe, &dead, &at) != 2 || lost.pe < 0 ||
	    lost.pe >= rb.npes)
		return;
	lost.host = rb_pe_host(lost.pe);
	lost.dead = dead != 0;
	snprintf(lost.reason, sizeof(lost.reason), "%s", text + at);
	rb_save_note(&lost);
}

static void
end_message(const struct rb_ctl_msg *msg)
{
	if (msg->type == RB_CTL_LOST)
		note_lost(msg);
	rb_save_none(); /* where it has not been noted */
	/* a PE without ports has no other way to reach the hosts of other launchers */
	if (rb.env.per_host_launcher)
		rb_abort_broadcast(msg->status);
	rb_watchdog_stop();
	rb_leave(msg->status);
}

static void
take_message(struct rb_ctl_msg *msg)
{
	if (msg->magic != RB_CTL_MAGIC)
		return;
	msg->text[RB_CTL_TEXT - 1] = '\0';
	if (msg->type == RB_CTL_END || msg->type == RB_CTL_LOST)
		end_message(msg);
	else if (msg->type == RB_CTL_GONE)
		rb_survivors_gone(msg);
	else if (msg->type == RB_CTL_AGREE)
		rb_survivors_answer(msg);
}

static void *
watch_launcher(void *arg)
{
	struct pollfd p = {.fd = rb.env.ctl_fd, .events = POLLIN};
	struct rb_ctl_msg msg;
	struct stat st;
	ssize_t n;

	(void)arg;
	for (;;) {
		if (poll(&p, 1, -1) < 0)
			continue;
		/* a program may close descriptors that it did not open, and reuse their numbers */
		if (fstat(p.fd, &st) < 0 || st.st_ino != socket_inode)
			return NULL;
		n = recv(p.fd, &msg, sizeof(msg), MSG_DONTWAIT);
		if (n == (ssize_t)sizeof(msg))
			take_message(&msg);
		else if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			kill(getpid(), SIGKILL);
	}
}

int
rb_launcher_watch_start(void)
{
	struct stat st;

	if (rb.env.ctl_fd < 0)
		return 0;
	if (fstat(rb.env.ctl_fd, &st) < 0 || !S_ISSOCK(st.st_mode))
		return rb_fail(-EINVAL, "RINGBELL_CTL_FD=%d is not a socket of oshrun",
			       rb.env.ctl_fd);
	socket_inode = st.st_ino;
	return rb_thread_start(watch_launcher);
}

int
rb_launcher_saves(const struct rb_saver *s)
{
	if (s != NULL && (s->seconds < 1 || s->seconds > RB_SAVE_MOST_S))
		return -EINVAL;
	if (s != NULL && rb.env.ctl_fd < 0)
		return -ENOTSUP;
	if (rb_save_set(s))
		rb_ctl_send(RB_CTL_SAVES, s == NULL ? 0 : s->seconds, NULL);
	return 0;
}
