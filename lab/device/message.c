/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Messages between QEMU's x-pci-proxy-dev and a device in another process, as QEMU 7.2 has them. */

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device.h"

/* Header on the wire: the command, four bytes of padding, the length of the rest. */
struct header {
	int32_t cmd;
	int32_t pad;
	uint64_t size;
};

/* The length of the message of each command. */
static int64_t
payload_size(int32_t cmd)
{
	switch (cmd) {
	case MESSAGE_SYNC_SYSMEM:
		return 3 * SYSMEM_MAX * (int64_t)sizeof(uint64_t);
	case MESSAGE_CFG_WRITE:
	case MESSAGE_CFG_READ:
		return 12;
	case MESSAGE_BAR_WRITE:
	case MESSAGE_BAR_READ:
		return 24;
	case MESSAGE_SET_IRQFD:
	case MESSAGE_RESET:
		return 0;
	default:
		return -1;
	}
}

/* Descriptors come with the first bytes; the socket may split a message that QEMU wrote at once. */
static int
receive_all(int fd, void *buf, size_t len, struct message *m)
{
	union {
		struct cmsghdr align;
		char room[CMSG_SPACE(sizeof(m->fds))];
	} control;
	size_t done = 0;

	while (done < len) {
		struct iovec iov = {.iov_base = (char *)buf + done, .iov_len = len - done};
		struct msghdr msg = {.msg_iov = &iov,
				     .msg_iovlen = 1,
				     .msg_control = &control,
				     .msg_controllen = sizeof(control)};
		ssize_t n = recvmsg(fd, &msg, MSG_CMSG_CLOEXEC);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		for (struct cmsghdr *c = CMSG_FIRSTHDR(&msg); c != NULL; c = CMSG_NXTHDR(&msg, c)) {
			size_t room = sizeof(m->fds) / sizeof(m->fds[0]) - m->n_fds, count;

			if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
				continue;
			count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
			for (size_t i = 0; i < count; i++) {
				int passed;

				memcpy(&passed, CMSG_DATA(c) + i * sizeof(int), sizeof(int));
				if (i < room)
					m->fds[m->n_fds++] = passed;
				else
					close(passed);
			}
		}
		if (n == 0)
			return done == 0 ? 0 : -EPROTO;
		done += (size_t)n;
	}
	return 1;
}

void
message_close_fds(struct message *m)
{
	while (m->n_fds > 0)
		close(m->fds[--m->n_fds]);
}

int
message_receive(int fd, struct message *m)
{
	struct header h;
	int ret;

	memset(m, 0, sizeof(*m));
	ret = receive_all(fd, &h, sizeof(h), m);
	if (ret <= 0)
		goto fail;
	m->cmd = h.cmd;
	m->size = h.size;
	ret = -EPROTO;
	if (payload_size(h.cmd) < 0 || h.size != (uint64_t)payload_size(h.cmd))
		goto fail;
	if (h.size == 0)
		return 1;
	ret = receive_all(fd, &m->u, h.size, m);
	if (ret == 1)
		return 1;
	ret = ret == 0 ? -EPROTO : ret;
fail:
	message_close_fds(m);
	return ret;
}

int
message_return(int fd, uint64_t value)
{
	struct {
		struct header h;
		uint64_t value;
	} reply = {{.cmd = MESSAGE_RET, .size = sizeof(value)}, value};
	size_t done = 0;

	while (done < sizeof(reply)) {
		ssize_t n = send(fd, (char *)&reply + done, sizeof(reply) - done, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		done += (size_t)n;
	}
	return 0;
}
