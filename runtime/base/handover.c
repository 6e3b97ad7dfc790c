/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/handover.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

enum {
	ANSWER_S = 60, /* oshrun may be starting other PEs on a busy machine */
};

bool
rb_handover_whole(const char *text)
{
	unsigned long long dev, inode;
	struct rb_file f;

	for (text = strchr(text, ' '); text != NULL; text = strchr(text + 1, ' ')) {
		if (sscanf(text, " %d:%llu:%llu", &f.fd, &dev, &inode) != 3)
			return false;
		f.dev = dev;
		f.inode = inode;
		if (!rb_file_ours(&f))
			return false;
	}
	return true;
}

static int
connect_to(const char *text)
{
	const struct timeval limit = {.tv_sec = ANSWER_S};
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), err;

	if (fd < 0)
		return -errno;
	snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1, "%.*s", (int)strcspn(text, " "),
		 text);
	/* the short address: the kernel chooses a name, to which the answer goes */
	if (bind(fd, (struct sockaddr *)&name, sizeof(name.sun_family)) == 0 &&
	    connect(fd, (struct sockaddr *)&name,
		    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
				strlen(name.sun_path + 1))) == 0 &&
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) == 0)
		return fd;
	err = -errno;
	close(fd);
	return err;
}

static int
take_answer(int fd, struct rb_handover *ret)
{
	char control[CMSG_SPACE(sizeof(ret->fd))];
	struct iovec data = {.iov_base = ret, .iov_len = sizeof(*ret)};
	struct msghdr msg = {.msg_iov = &data,
			     .msg_iovlen = 1,
			     .msg_control = control,
			     .msg_controllen = sizeof(control)};
	ssize_t n = recvmsg(fd, &msg, MSG_CMSG_CLOEXEC);
	const struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

	if (n != (ssize_t)sizeof(*ret) || ret->magic != RB_HANDOVER_MAGIC ||
	    ret->n > RB_HANDOVER_FILES)
		return n < 0 ? -errno : -EPROTO;
	if (ret->n == 0)
		return 0;
	if (c == NULL || c->cmsg_type != SCM_RIGHTS ||
	    c->cmsg_len != CMSG_LEN(ret->n * sizeof(int)))
		return -EMFILE;
	memcpy(ret->fd, CMSG_DATA(c), ret->n * sizeof(int));
	return 0;
}

int
rb_handover_ask(const char *text, int pe, struct rb_handover *ret)
{
	int fd = connect_to(text), err = fd;

	*ret = (struct rb_handover){.magic = RB_HANDOVER_MAGIC, .pe = pe};
	if (fd >= 0) {
		err = send(fd, ret, sizeof(*ret), MSG_NOSIGNAL) < 0 ? -errno : take_answer(fd, ret);
		close(fd);
	}
	return err == 0 ? 0
			: rb_fail(err,
				  "the descriptors that oshrun passed on are closed, and it does "
				  "not give them again (%s): leave them open (close_fds=False of "
				  "Python's subprocess), or unset RINGBELL_FILES for a job of its "
				  "own",
				  strerror(-err));
}
