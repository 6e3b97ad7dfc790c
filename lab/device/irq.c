/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/*
 * Interrupts. QEMU's proxy offers two descriptors for them (MESSAGE_SET_IRQFD), and has only KVM
 * listen to them, for INTx. Without KVM the one way in is the protocol of QEMU's own tests, qtest,
 * which needs no accelerator of its own: a write to memory is a message of MSI-X.
 *
 * Each function has a thread for them. The thread that answers the function's accesses must not
 * wait for another machine, which may wait for it.
 */

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "device.h"

enum {
	ANSWER_MS = 60000, /* of a machine that competes with many others */
};

static int
connect_line(struct irq_line *l)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};

	if (l->fd >= 0)
		return 0;
	memcpy(addr.sun_path, l->path, sizeof(addr.sun_path));
	l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (l->fd >= 0 && connect(l->fd, (struct sockaddr *)&addr, sizeof(addr)) == 0)
		return 0;
	return -errno;
}

/* Until the end of a line. */
static int
read_answer(int fd)
{
	char answer[64];

	for (;;) {
		struct pollfd pfd = {.fd = fd, .events = POLLIN};
		int ready = poll(&pfd, 1, ANSWER_MS);
		ssize_t n = ready > 0 ? recv(fd, answer, sizeof(answer), 0) : -1;

		if (ready == 0)
			return -ETIMEDOUT;
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0 ? -EPIPE : -errno;
		if (answer[n - 1] == '\n')
			return 0;
	}
}

/* With the lock held. A machine that is gone, or not there yet, has no interrupts. */
static void
tell_machine(struct irq_line *l, const char *command)
{
	size_t len = strlen(command);
	int ret = connect_line(l);

	if (ret == 0 && send(l->fd, command, len, MSG_NOSIGNAL) != (ssize_t)len)
		ret = -EPIPE;
	if (ret == 0)
		ret = read_answer(l->fd);
	if (ret == 0)
		return;
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
	if (ret != -EPIPE && ret != -ECONNRESET && !l->warned)
		fprintf(stderr, "ringbell-device: %s: no interrupts: %s\n", l->path,
			strerror(-ret));
	l->warned = true;
}

static void
send_message(struct fn *f, const struct intm_message *m)
{
	char command[64];

	snprintf(command, sizeof(command), "writel 0x%llx 0x%x\n", (unsigned long long)m->addr,
		 m->data);
	pthread_mutex_lock(&f->line->lock);
	tell_machine(f->line, command);
	pthread_mutex_unlock(&f->line->lock);
}

void *
irq_serve(void *arg)
{
	struct fn *f = arg;
	uint32_t *word = intm_word(f->intel);

	for (;;) {
		/* before the look: a change after it ends the wait at once */
		uint32_t seen = __atomic_load_n(word, __ATOMIC_ACQUIRE);
		struct intm_message m;

		while (intm_message(f->intel, &m))
			send_message(f, &m);
		syscall(SYS_futex, word, FUTEX_WAIT, seen, NULL, NULL, 0);
	}
	return NULL;
}
