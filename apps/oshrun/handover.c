/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "oshrun.h"
#include "base/claim.h"
#include "base/handover.h"

/* A PE whose descriptors something between oshrun and it has closed asks for them: base/handover.h.
 */

int
handover_open(struct job *job)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	int len, on = 1;

	len = snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1, "ringbell-%s", job->nonce);
	job->asked = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (job->asked < 0 ||
	    setsockopt(job->asked, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) < 0 ||
	    bind(job->asked, (struct sockaddr *)&name,
		 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len)) < 0)
		return -errno;
	return 0;
}

void
handover_set_env(const struct job *job, const struct pe *pe)
{
	int fds[OSHRUN_FDS_OF_PE], n = ring_fds(job, pe, fds), i;
	size_t at, size = 512;
	char text[512];
	struct stat st;

	at = (size_t)snprintf(text, size, "ringbell-%s", job->nonce);
	for (i = 0; i < n && at < size; i++)
		if (fstat(fds[i], &st) == 0)
			at += (size_t)snprintf(text + at, size - at, " %d:%llu:%llu", fds[i],
					       (unsigned long long)st.st_dev,
					       (unsigned long long)st.st_ino);
	setenv("RINGBELL_FILES", text, 1);
}

static const struct pe *
find_pe(const struct job *job, int id)
{
	int i;

	for (i = 0; i < job->n_pes; i++)
		if (job->pe[i].id == id)
			return &job->pe[i];
	return NULL;
}

/* Of this user, and not started by the process that is the PE, or after it? */
static bool
is_the_pe(const struct job *job, const struct pe *pe, const struct msghdr *msg)
{
	const struct cmsghdr *c = CMSG_FIRSTHDR(msg);
	struct ucred who;
	uint32_t pid;

	if (pe == NULL || c == NULL || c->cmsg_type != SCM_CREDENTIALS)
		return false;
	memcpy(&who, CMSG_DATA(c), sizeof(who));
	pid = atomic_load_explicit(&job->claims->pid[pe->id], memory_order_relaxed);
	return (who.uid == getuid() || who.uid == 0) && (pid == 0 || (pid_t)pid == who.pid);
}

static void
give_files(const struct job *job, const struct pe *pe, struct msghdr *msg, struct rb_handover *h)
{
	char control[CMSG_SPACE(OSHRUN_FDS_OF_PE * sizeof(int))] = "";
	struct cmsghdr *c = (struct cmsghdr *)(void *)control;

	msg->msg_control = NULL;
	msg->msg_controllen = 0;
	h->n = pe == NULL ? 0 : (uint32_t)ring_fds(job, pe, h->number);
	if (h->n > 0) {
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(h->n * sizeof(int));
		memcpy(CMSG_DATA(c), h->number, h->n * sizeof(int));
		msg->msg_control = control;
		msg->msg_controllen = CMSG_SPACE(h->n * sizeof(int));
	}
	/* one that does not wait for it any more is not missed */
	(void)!sendmsg(job->asked, msg, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void
handover_answer(const struct job *job)
{
	char control[CMSG_SPACE(sizeof(struct ucred))];
	struct sockaddr_un from;
	struct rb_handover h;
	struct iovec data = {.iov_base = &h, .iov_len = sizeof(h)};
	struct msghdr msg = {.msg_name = &from, .msg_iov = &data, .msg_iovlen = 1};
	const struct pe *pe;
	ssize_t n;

	for (;;) {
		msg.msg_namelen = sizeof(from);
		msg.msg_control = control;
		msg.msg_controllen = sizeof(control);
		n = recvmsg(job->asked, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
		if (n < 0)
			return;
		if (n != (ssize_t)sizeof(h) || h.magic != RB_HANDOVER_MAGIC)
			continue;
		pe = find_pe(job, h.pe);
		give_files(job, is_the_pe(job, pe, &msg) ? pe : NULL, &msg, &h);
	}
}
