/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "id/pe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "id/server.h"
#include "id/wire.h"
#include "rb.h"

enum {
	GRACE_S = 30 /* the maker of the id has the same limit, and says who is missing, where it
			has a CPU; its end shows at once */
};

static struct {
	struct shmemi_id_join hello;
	struct sockaddr_in maker;
	struct rb_file file;
	bool closed;  /* it decides whether the maker's end is one of the job, and orders nothing */
	uint8_t *all; /* what all PEs have shared last */
} job = {.file.fd = -1};

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

/* @return false: it does not come within the limit, or never */
static bool
receive_all(void *to, size_t len, uint64_t began)
{
	struct pollfd p = {.fd = job.file.fd, .events = POLLIN};
	uint8_t *at = to, *end = at + len;

	while (at < end) {
		ssize_t n;

		poll(&p, 1, 1000);
		n = recv(p.fd, at, (size_t)(end - at), MSG_DONTWAIT);
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR) ||
		    (n < 0 && rb_block_late(began, GRACE_S)))
			return false;
		at += n > 0 ? n : 0;
	}
	return true;
}

/* What comes is the maker's, and not to be trusted: its length is checked before it is taken. */
static int
await_message(enum shmemi_id_type type, void *bytes, size_t len)
{
	char text[SHMEMI_ID_TEXT + 1] = "";
	uint64_t began = rb_now_ns();
	struct shmemi_id_head head;

	if (!receive_all(&head, sizeof(head), began))
		return maker_gone("it has said nothing, or has ended");
	if (head.magic == SHMEMI_ID_MAGIC && head.type == type && head.len == len)
		return receive_all(bytes, len, began) ? 0
						      : maker_gone("it has stopped amid a message");
	if (head.magic == SHMEMI_ID_MAGIC && head.len <= SHMEMI_ID_TEXT &&
	    (head.type == SHMEMI_ID_REFUSED || head.type == SHMEMI_ID_END) &&
	    receive_all(text, head.len, began))
		return rb_fail(-ECANCELED, "%s", text[0] == '\0' ? "another PE ended" : text);
	return maker_gone("what it says is not Ringbell's");
}

static int
join_job(int *rank, int *size)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return rb_fail(-errno, "no socket: %s", strerror(errno));
	job.file = rb_file_keep(fd);
	__atomic_store_n(&job.closed, false, __ATOMIC_RELAXED); /* by a start that failed */
	job.hello.limit = (uint32_t)rb_block_limit();
	*rank = (int)job.hello.pe;
	*size = (int)job.hello.pes;
	if (connect(job.file.fd, (struct sockaddr *)&job.maker, sizeof(job.maker)) < 0 ||
	    !shmemi_id_send(job.file.fd, SHMEMI_ID_JOIN, 0, &job.hello, sizeof(job.hello)))
		return maker_gone(strerror(errno));
	return await_message(SHMEMI_ID_JOINED, NULL, 0);
}

static int
share_bytes(const char *key, void *mine, size_t len)
{
	(void)key;
	free(job.all);
	job.all = malloc(job.hello.pes * len);
	if (job.all == NULL)
		return rb_fail(-ENOMEM, "no memory for what %u PEs share", job.hello.pes);
	if (!shmemi_id_send(job.file.fd, SHMEMI_ID_SHARE, 0, mine, len))
		return maker_gone(strerror(errno));
	return await_message(SHMEMI_ID_ALL, job.all, job.hello.pes * len);
}

static int
get_shared(const char *key, int rank, void *bytes, size_t len)
{
	(void)key;
	memcpy(bytes, job.all + (size_t)rank * len, len);
	return 0;
}

static bool
watch_maker(int *status)
{
	const struct rb_file file = job.file; /* as long as nobody else changes it */
	struct pollfd p = {.fd = file.fd, .events = POLLIN};
	struct shmemi_id_head head;

	while (poll(&p, 1, -1) < 0)
		;
	/* the program may have closed it, or all PEs have finalized */
	if (!rb_file_ours(&file))
		return false;
	if (recv(file.fd, &head, sizeof(head), MSG_WAITALL) == sizeof(head) &&
	    head.magic == SHMEMI_ID_MAGIC) {
		*status = head.status;
		return head.type == SHMEMI_ID_END;
	}
	if (__atomic_load_n(&job.closed, __ATOMIC_RELAXED))
		return false;
	rb_report("the process that made the job's id has ended, and the job with it");
	*status = EXIT_FAILURE;
	return true;
}

static void
tell_maker(enum shmemi_id_type type, int status)
{
	if (rb_file_ours(&job.file))
		shmemi_id_send(job.file.fd, type, status, NULL, 0);
}

static void
say_closed(bool is)
{
	__atomic_store_n(&job.closed, is, __ATOMIC_RELAXED);
	tell_maker(SHMEMI_ID_DONE, is);
}

static void
end_job(bool met, int status)
{
	(void)met;
	tell_maker(SHMEMI_ID_END, status);
	shmemi_id_server_leave(job.hello.secret, false, status);
}

static void
leave_job(bool in_order, int status)
{
	if (in_order && status == 0)
		shmemi_id_server_leave(job.hello.secret, true, 0);
	else
		end_job(true, status != 0 ? status : EXIT_FAILURE);
}

const struct rb_exchange shmemi_id_exchange = {.join = join_job,
					       .share = share_bytes,
					       .get = get_shared,
					       .watch = watch_maker,
					       .closed = say_closed,
					       .end = end_job,
					       .leave = leave_job};

int
shmemi_id_take(const char *id, int pe, int pes)
{
	char address[INET_ADDRSTRLEN] = "";
	unsigned int port = 0;
	int end = -1, shown;

	if (id == NULL)
		id = "";
	shown = (int)strcspn(id, "\r\n");
	sscanf(id, "ringbell1:%15[0-9.]:%u:%16" SCNx64 "%16" SCNx64 "%n", address, &port,
	       &job.hello.secret[0], &job.hello.secret[1], &end);
	job.maker = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	if (end < 0 || id[end + (int)strspn(id + end, "\r\n ")] != '\0' || port - 1 >= UINT16_MAX ||
	    inet_pton(AF_INET, address, &job.maker.sin_addr) != 1)
		return rb_fail(-EINVAL, "\"%.*s\" is not an id that shmemx_make_id has made",
			       shown < 40 ? shown : 40, id);
	if (pes < 1 || pes > RB_MAX_PES)
		return rb_fail(-EINVAL, "%d PEs: 1 to %d", pes, RB_MAX_PES);
	if (pe < 0 || pe >= pes)
		return rb_fail(-EINVAL, "PE %d of %d: 0 to %d", pe, pes, pes - 1);
	job.hello.pe = (uint32_t)pe;
	job.hello.pes = (uint32_t)pes;
	return 0;
}

void
shmemi_id_forget(void)
{
	rb_file_close(&job.file);
}

void
shmemi_id_give_up(void)
{
	shmemi_id_server_leave(job.hello.secret, false, EXIT_FAILURE);
	/* close() alone leaves the connection to who polls it: watch_maker(), which ends by this */
	__atomic_store_n(&job.closed, true, __ATOMIC_RELAXED);
	if (rb_file_ours(&job.file))
		shutdown(job.file.fd, SHUT_RDWR);
	rb_file_close(&job.file);
}
