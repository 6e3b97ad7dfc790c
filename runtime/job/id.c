/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/id.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rte_common.h>

#include "base/deal.h"
#include "base/error.h"
#include "base/exit.h"
#include "base/file.h"
#include "base/state.h"
#include "base/thread.h"
#include "host/blocked.h"
#include "job/exchange.h"
#include "job/id_server.h"
#include "job/id_wire.h"

/* The PE's side. */

enum {
	GRACE_S = 5 /* the maker of the id has the same limit, and says who is missing */
};

static struct {
	bool given;
	struct rb_idm_join hello;
	struct sockaddr_in maker;
	struct rb_file file;
	pid_t pid;
	bool closed; /* it decides whether the maker's end is one of the job, and orders nothing */
	bool left;
	uint8_t *all; /* what all PEs have shared last */
	size_t len;   /* of each */
} job = {.file.fd = -1};

bool
rb_id_given(void)
{
	return job.given;
}

int
rb_id_give(const char *id, int pe, int pes)
{
	char address[INET_ADDRSTRLEN] = "";
	unsigned int port = 0;
	int end = -1;

	if (id != NULL)
		sscanf(id, "ringbell1:%15[0-9.]:%u:%16" SCNx64 "%16" SCNx64 "%n", address, &port,
		       &job.hello.secret[0], &job.hello.secret[1], &end);
	job.maker = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	if (end < 0 || id[end + (int)strspn(id + end, "\r\n ")] != '\0' || port - 1 >= UINT16_MAX ||
	    inet_pton(AF_INET, address, &job.maker.sin_addr) != 1)
		return rb_fail(-EINVAL, "\"%.*s\" is not an id that shmemx_make_id has made",
			       id == NULL ? 0 : (int)RTE_MIN(strcspn(id, "\r\n"), 40u),
			       id == NULL ? "" : id);
	if (pes < 1 || pes > RB_MAX_PES)
		return rb_fail(-EINVAL, "%d PEs: 1 to %d", pes, RB_MAX_PES);
	if (pe < 0 || pe >= pes)
		return rb_fail(-EINVAL, "PE %d of %d: 0 to %d", pe, pes, pes - 1);
	job.hello.pe = (uint32_t)pe;
	job.hello.pes = (uint32_t)pes;
	job.given = true;
	rb.pe = pe; /* for messages */
	return 0;
}

static int
maker_gone(const char *why)
{
	char address[INET_ADDRSTRLEN] = "";

	inet_ntop(AF_INET, &job.maker.sin_addr, address, sizeof(address));
	return rb_fail(-ECONNREFUSED,
		       "the process that made the job's id does not answer at %s, port %u: %s; it "
		       "has to live as long as the job",
		       address, ntohs(job.maker.sin_port), why);
}

/* @return false: it does not come before the limit, or never */
static bool
receive_all(void *to, size_t len, uint64_t until)
{
	struct pollfd p = {.fd = job.file.fd, .events = POLLIN};
	uint8_t *at = to;

	while (len > 0) {
		uint64_t now = rb_now_ms();
		ssize_t n;

		if (now >= until ||
		    (poll(&p, 1, (int)RTE_MIN(until - now, (uint64_t)INT_MAX)) < 0 &&
		     errno != EINTR))
			return false;
		n = recv(job.file.fd, at, len, MSG_DONTWAIT);
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			return false;
		at += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* What comes is the maker's, and not to be trusted: its length is checked before it is taken. */
static int
await_message(enum rb_idm_type type, void *bytes, size_t len)
{
	uint64_t until = rb_now_ms() + (uint64_t)(job.hello.limit + GRACE_S) * 1000;
	char text[RB_IDM_TEXT + 1] = "";
	struct rb_idm_head head;

	if (!receive_all(&head, sizeof(head), until))
		return maker_gone("it has said nothing, or has ended");
	if (head.magic == RB_IDM_MAGIC && head.type == type && head.len == len)
		return receive_all(bytes, len, until) ? 0
						      : maker_gone("it has stopped amid a message");
	if (head.magic == RB_IDM_MAGIC && head.len <= RB_IDM_TEXT &&
	    (head.type == RB_IDM_REFUSED || head.type == RB_IDM_END) &&
	    receive_all(text, head.len, until))
		return rb_fail(-ECANCELED, "%s", text[0] == '\0' ? "another PE ended" : text);
	return maker_gone("what it says is not Ringbell's");
}

static int
join_job(int *rank, int *size)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), ret;

	rb_id_server_forget();
	if (fd < 0)
		return rb_fail(-errno, "no socket: %s", strerror(errno));
	job.file = rb_file_keep(fd);
	job.pid = getpid();
	job.hello.limit = (uint32_t)rb_block_limit();
	if (connect(job.file.fd, (struct sockaddr *)&job.maker, sizeof(job.maker)) < 0)
		return maker_gone(strerror(errno));
	if (!rb_idm_send(job.file.fd, RB_IDM_JOIN, 0, &job.hello, sizeof(job.hello)))
		return maker_gone(strerror(errno));
	ret = await_message(RB_IDM_JOINED, NULL, 0);
	*rank = (int)job.hello.pe;
	*size = (int)job.hello.pes;
	return ret;
}

/* The cards of PEs tell machines apart by themselves. */
static bool
find_node(uint32_t *number)
{
	(void)number;
	return false;
}

static int
share_bytes(const char *key, void *mine, size_t len)
{
	(void)key;
	free(job.all);
	job.len = len;
	job.all = malloc(job.hello.pes * len);
	if (job.all == NULL)
		return rb_fail(-ENOMEM, "no memory for what %u PEs share", job.hello.pes);
	if (!rb_idm_send(job.file.fd, RB_IDM_SHARE, 0, mine, len))
		return maker_gone(strerror(errno));
	return await_message(RB_IDM_ALL, job.all, job.hello.pes * len);
}

static int
get_shared(const char *key, int rank, void *bytes, size_t len)
{
	(void)key;
	memcpy(bytes, job.all + (size_t)rank * len, len);
	return 0;
}

static void
end_here(int status)
{
	rb_abort_announce(status);
	rb_leave(status);
}

static void *
watch_maker(void *arg)
{
	struct pollfd p = {.fd = job.file.fd, .events = POLLIN};
	struct rb_idm_head head;

	(void)arg;
	while (poll(&p, 1, -1) < 0)
		;
	/* the program may have closed it, or all PEs have finalized */
	if (!rb_file_ours(&job.file))
		return NULL;
	if (!receive_all(&head, sizeof(head), UINT64_MAX >> 1) || head.magic != RB_IDM_MAGIC) {
		if (__atomic_load_n(&job.closed, __ATOMIC_RELAXED))
			return NULL;
		rb_report("the process that made the job's id has ended, and the job with it");
		end_here(EXIT_FAILURE);
	}
	if (head.type != RB_IDM_END)
		return NULL;
	end_here(head.status);
	return NULL;
}

static void
say_closed(bool is)
{
	__atomic_store_n(&job.closed, is, __ATOMIC_RELAXED);
	if (rb_file_ours(&job.file))
		rb_idm_send(job.file.fd, RB_IDM_DONE, is, NULL, 0);
}

static bool
may_leave(void)
{
	return job.pid == getpid() && rb_file_ours(&job.file) &&
	       !__atomic_exchange_n(&job.left, true, __ATOMIC_RELAXED);
}

static void
end_job(bool met, int status)
{
	(void)met;
	if (!may_leave())
		return;
	rb_idm_send(job.file.fd, RB_IDM_END, status, NULL, 0);
	rb_id_server_leave(job.hello.secret, false, status);
}

static void
leave_job(bool in_order, int status)
{
	in_order &= status == 0;
	if (!may_leave())
		return;
	if (!in_order && status == 0)
		status = EXIT_FAILURE;
	if (!in_order)
		rb_idm_send(job.file.fd, RB_IDM_END, status, NULL, 0);
	rb_id_server_leave(job.hello.secret, in_order, status);
}

void
rb_id_give_up(void)
{
	rb_id_server_leave(job.hello.secret, false, EXIT_FAILURE);
	rb_file_close(&job.file);
	job.given = false;
	rb.pe = -1;
}

const struct rb_exchange rb_exchange_id = {.join = join_job,
					   .node = find_node,
					   .share = share_bytes,
					   .get = get_shared,
					   .watch = watch_maker,
					   .closed = say_closed,
					   .end = end_job,
					   .leave = leave_job};
