/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "id/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "core/shmemi.h"
#include "id/wire.h"
#include "rb.h"
#include "shmemx.h"

/*
 * The maker's side: one thread for each id. Who connects is a stranger until he has said the
 * secret, and gets no more than a few hundred bytes and seconds.
 */

enum {
	STRANGERS = 32,
	STRANGER_MS = 10 * 1000,
	END_MS = 10 * 1000, /* the thread outlives its job so long at most */
	LEAVE_S = 2,
	FIXED = 2, /* polled besides connections */
	CONNS = RB_MAX_PES + STRANGERS,
};

struct conn {
	int fd;
	int pe; /* -1: a stranger */
	bool shared, done;
	uint64_t since;
	size_t have;
	struct {
		struct shmemi_id_head head;
		uint8_t bytes[SHMEMI_ID_SHARE_MAX];
	} in;
};

static struct server {
	struct server *next;
	int listener, stop;
	sem_t ended;
	bool served;	   /* a thread has taken it; under the lock */
	bool left, closed; /* with status: written before stop, under the lock */
	int status;
	uint64_t secret[2];
	/* the rest is the thread's */
	struct conn conn[CONNS];
	struct pollfd poll[FIXED + CONNS];
	int conns, strangers;
	uint32_t pes, joined, gone, shared;
	uint32_t rounds;	       /* in which all have shared; after two they are in the job */
	uint64_t began, limit, ending; /* ms; 0: not yet */
	uint8_t *all;
	size_t len;
	uint8_t present[RB_MAX_PES];
} * servers;

/* Of the list, of what its servers have open, and of how this process leaves. Held over fork(), so
 * that a child finds them whole. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void __attribute__((format(printf, 3, 4)))
end_job(struct server *s, int status, const char *fmt, ...)
{
	char text[SHMEMI_ID_TEXT] = "";
	va_list ap;
	int i;

	if (s->ending != 0)
		return;
	s->ending = rb_now_ms();
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (i = 0; i < s->conns; i++)
		if (s->conn[i].pe >= 0 && !s->conn[i].done)
			shmemi_id_send(s->conn[i].fd, SHMEMI_ID_END, status, text, strlen(text));
	/* once the job has begun no call fails, which would say it */
	if (s->rounds > 1 && text[0] != '\0')
		fprintf(stderr, "ringbell: %s\n", text);
}

static void
drop_conn(struct server *s, int i)
{
	struct conn c = s->conn[i];

	pthread_mutex_lock(&lock);
	s->conn[i] = s->conn[--s->conns];
	close(c.fd);
	pthread_mutex_unlock(&lock);
	s->gone += c.pe >= 0;
	if (c.pe < 0)
		s->strangers--;
	else if (!c.done)
		end_job(s, EXIT_FAILURE, "PE %d has ended without leaving the job", c.pe);
}

static bool __attribute__((format(printf, 2, 3))) refuse(struct conn *c, const char *fmt, ...)
{
	char text[SHMEMI_ID_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	shmemi_id_send(c->fd, SHMEMI_ID_REFUSED, 0, text, strlen(text));
	return false;
}

static bool
take_join(struct server *s, struct conn *c)
{
	struct shmemi_id_join j;

	if (c->pe >= 0 || c->in.head.len != sizeof(j))
		return false;
	memcpy(&j, c->in.bytes, sizeof(j));
	if (j.secret[0] != s->secret[0] || j.secret[1] != s->secret[1])
		return refuse(c, "this id is another job's");
	if (j.pes == 0 || j.pes > RB_MAX_PES || j.pe >= j.pes)
		return false;
	if (s->pes != 0 && j.pes != s->pes)
		return refuse(c, "PE %u says that the job has %u PEs, another one said %u", j.pe,
			      j.pes, s->pes);
	if (s->present[j.pe])
		return refuse(c, "PE %u is another process already", j.pe);
	if (s->ending != 0)
		return refuse(c, "the job has ended");
	s->present[j.pe] = 1;
	s->pes = j.pes;
	if (s->joined++ == 0) {
		s->began = rb_now_ms();
		s->limit = (uint64_t)j.limit * 1000;
	}
	c->pe = (int)j.pe;
	s->strangers--;
	return shmemi_id_send(c->fd, SHMEMI_ID_JOINED, 0, NULL, 0);
}

static void
send_all(struct server *s)
{
	int i;

	for (i = 0; i < s->conns; i++) {
		struct conn *c = &s->conn[i];

		c->shared = false;
		if (c->pe >= 0 && !shmemi_id_send(c->fd, SHMEMI_ID_ALL, 0, s->all, s->pes * s->len))
			shutdown(c->fd, SHUT_RDWR); /* found by the next poll */
	}
	s->shared = 0;
	s->rounds++;
	s->began = rb_now_ms();
	free(s->all);
	s->all = NULL;
}

static bool
take_share(struct server *s, struct conn *c)
{
	size_t len = c->in.head.len;

	if (c->pe < 0 || c->shared || len == 0)
		return false;
	if (s->all == NULL) {
		s->len = len;
		s->all = calloc(s->pes, len);
	}
	if (s->all == NULL || s->len != len) {
		end_job(s, EXIT_FAILURE, "PE %d runs another version of Ringbell", c->pe);
		return true;
	}
	memcpy(s->all + (size_t)c->pe * len, c->in.bytes, len);
	c->shared = true;
	if (++s->shared == s->pes)
		send_all(s);
	return true;
}

/* @return false: the connection is over */
static bool
take_message(struct server *s, struct conn *c)
{
	switch (c->in.head.type) {
	case SHMEMI_ID_JOIN:
		return take_join(s, c);
	case SHMEMI_ID_SHARE:
		return take_share(s, c);
	case SHMEMI_ID_DONE:
		c->done = c->in.head.status != 0;
		return c->pe >= 0;
	case SHMEMI_ID_END:
		if (c->pe < 0)
			return false;
		c->done = true;
		end_job(s, c->in.head.status, "%s", "");
		return true;
	default:
		return false;
	}
}

/* As much as is there, and not beyond one message: a head first, then the bytes that it names. */
static bool
read_some(struct server *s, struct conn *c)
{
	const size_t head = sizeof(c->in.head);

	for (;;) {
		size_t want = c->have < head ? head : head + c->in.head.len;
		ssize_t n = recv(c->fd, (uint8_t *)&c->in + c->have, want - c->have, MSG_DONTWAIT);

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return true;
		if (n < 0 || (n == 0 && want != c->have))
			return false;
		c->have += (size_t)n;
		if (c->have < head)
			continue;
		if (c->in.head.magic != SHMEMI_ID_MAGIC || c->in.head.len > sizeof(c->in.bytes))
			return false;
		if (c->have < head + c->in.head.len)
			continue;
		c->have = 0;
		if (!take_message(s, c))
			return false;
	}
}

static void
take_caller(struct server *s)
{
	int size = 1 << 18, fd;

	pthread_mutex_lock(&lock);
	fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);
	if (fd >= 0 && s->strangers < STRANGERS && s->conns < CONNS) {
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
		s->conn[s->conns++] = (struct conn){.fd = fd, .pe = -1, .since = rb_now_ms()};
		s->strangers++;
	} else if (fd >= 0) {
		close(fd);
	}
	pthread_mutex_unlock(&lock);
}

/* "PEs 1, 4": those that have not come, or have come and not shared. */
static void
name_missing(const struct server *s, char *text, size_t size)
{
	uint8_t here[RB_MAX_PES] = {0};
	size_t at = 0;
	uint32_t pe;
	int i;

	for (i = 0; i < s->conns; i++)
		if (s->conn[i].pe >= 0 && (s->joined < s->pes || s->conn[i].shared))
			here[s->conn[i].pe] = 1;
	text[0] = '\0';
	for (pe = 0; pe < s->pes && at < size; pe++)
		if (!here[pe])
			at += (size_t)snprintf(text + at, size - at, "%s%u", at > 0 ? ", " : "",
					       pe);
}

/* Where PEs are waited for, and strangers say nothing. */
static void
check_times(struct server *s)
{
	uint64_t now = rb_now_ms();
	char missing[64];
	int i;

	for (i = s->conns - 1; i >= 0; i--)
		if (s->conn[i].pe < 0 && now - s->conn[i].since > STRANGER_MS)
			drop_conn(s, i);
	if (s->limit == 0 || s->ending != 0 || (s->joined == s->pes && s->shared == 0) ||
	    now - s->began < s->limit)
		return;
	name_missing(s, missing, sizeof(missing));
	end_job(s, EXIT_FAILURE,
		"of %u PEs these did not come to the start: %s (waited %u s, "
		"RINGBELL_HELLO_TIMEOUT)",
		s->pes, missing, (unsigned int)(s->limit / 1000));
}

static bool
all_over(const struct server *s)
{
	if (s->ending != 0)
		return s->conns == 0 || rb_now_ms() - s->ending > END_MS;
	return s->pes != 0 && s->gone == s->pes;
}

static void
look_once(struct server *s, struct pollfd p[])
{
	int i, n = s->conns;

	p[0] = (struct pollfd){.fd = s->stop, .events = POLLIN};
	p[1] = (struct pollfd){.fd = s->listener, .events = POLLIN};
	for (i = 0; i < n; i++)
		p[FIXED + i] = (struct pollfd){.fd = s->conn[i].fd, .events = POLLIN};
	/* without connections nothing has a limit */
	if (poll(p, (nfds_t)(FIXED + n), n > 0 ? 1000 : -1) <= 0)
		memset(p, 0, (size_t)(FIXED + n) * sizeof(p[0]));
	for (i = n - 1; i >= 0; i--)
		if (p[FIXED + i].revents != 0 && !read_some(s, &s->conn[i]))
			drop_conn(s, i);
	if (p[1].revents != 0)
		take_caller(s);
}

static void
close_sockets(struct server *s)
{
	int i;

	for (i = 0; i < s->conns; i++)
		close(s->conn[i].fd);
	close(s->listener);
	close(s->stop);
}

static void
close_server(struct server *s)
{
	struct server **at;
	int i;

	pthread_mutex_lock(&lock);
	for (at = &servers; *at != s; at = &(*at)->next)
		;
	*at = s->next;
	if (s->left && !s->closed)
		end_job(s, s->status, "%s", "");
	for (i = 0; i < s->conns; i++)
		if (s->left && s->closed && s->conn[i].pe >= 0)
			shmemi_id_send(s->conn[i].fd, SHMEMI_ID_BYE, 0, NULL, 0);
	close_sockets(s);
	pthread_mutex_unlock(&lock);
	free(s->all);
	if (s->left)
		sem_post(&s->ended);
	else
		free(s);
}

static void *
serve_job(void *arg)
{
	struct server *s;

	(void)arg;
	pthread_mutex_lock(&lock);
	for (s = servers; s->served;)
		s = s->next;
	s->served = true;
	pthread_mutex_unlock(&lock);
	do {
		look_once(s, s->poll);
		check_times(s);
	} while (!all_over(s) && s->poll[0].revents == 0);
	close_server(s);
	return NULL;
}

static void
own_address(char text[INET_ADDRSTRLEN])
{
	struct ifaddrs *all = NULL, *a;

	strcpy(text, "127.0.0.1");
	if (getifaddrs(&all) != 0)
		return;
	for (a = all; a != NULL; a = a->ifa_next)
		if (a->ifa_addr != NULL && a->ifa_addr->sa_family == AF_INET &&
		    (a->ifa_flags & (IFF_UP | IFF_RUNNING | IFF_LOOPBACK)) ==
			    (IFF_UP | IFF_RUNNING)) {
			inet_ntop(AF_INET, &((struct sockaddr_in *)(void *)a->ifa_addr)->sin_addr,
				  text, INET_ADDRSTRLEN);
			break;
		}
	freeifaddrs(all);
}

static void
before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void
in_parent(void)
{
	pthread_mutex_unlock(&lock);
}

/* No child holds what was open, or the end of the maker and of PEs would not show. */
static void
in_child(void)
{
	for (; servers != NULL; servers = servers->next)
		close_sockets(servers);
	pthread_mutex_unlock(&lock);
}

static int
open_server(struct server *s, struct sockaddr_in *at)
{
	socklen_t size = sizeof(*at);
	static bool forks;

	*at = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
	s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	s->stop = eventfd(0, EFD_CLOEXEC);
	if (!forks && pthread_atfork(before_fork, in_parent, in_child) != 0)
		return rb_fail(-ENOMEM, "no memory for the handlers of fork()");
	forks = true;
	if (s->listener < 0 || s->stop < 0 ||
	    bind(s->listener, (struct sockaddr *)at, sizeof(*at)) < 0 ||
	    listen(s->listener, SOMAXCONN) < 0 ||
	    getsockname(s->listener, (struct sockaddr *)at, &size) < 0)
		return rb_fail(-errno, "cannot listen for PEs: %s", strerror(errno));
	if (getrandom(s->secret, sizeof(s->secret), 0) != (ssize_t)sizeof(s->secret))
		return rb_fail(-EIO, "cannot draw a job id: getrandom failed");
	return 0;
}

SHMEMX_API(int, make_id, (char id[SHMEMX_ID_SIZE]))
{
	struct server *s = calloc(1, sizeof(*s));
	char address[INET_ADDRSTRLEN];
	struct sockaddr_in at;
	int ret;

	own_address(address);
	pthread_mutex_lock(&lock);
	ret = s == NULL ? rb_fail(-ENOMEM, "no memory for a job id") : open_server(s, &at);
	if (ret == 0)
		ret = rb_thread_start(serve_job); /* which waits for the lock */
	if (ret == 0) {
		snprintf(id, SHMEMX_ID_SIZE, "ringbell1:%s:%u:%016" PRIx64 "%016" PRIx64, address,
			 ntohs(at.sin_port), s->secret[0], s->secret[1]);
		sem_init(&s->ended, 0, 0);
		s->next = servers;
		servers = s;
	} else if (s != NULL) {
		close_sockets(s);
	}
	pthread_mutex_unlock(&lock);
	if (ret == 0)
		return 0;
	rb_report("shmemx_make_id: %s", rb_error());
	free(s);
	return ret;
}

void
shmemi_id_server_leave(const uint64_t secret[2], bool closed, int status)
{
	struct timespec until;
	struct server *s;

	pthread_mutex_lock(&lock);
	for (s = servers; s != NULL && memcmp(s->secret, secret, sizeof(s->secret)) != 0;)
		s = s->next;
	if (s != NULL) {
		s->left = true;
		s->closed = closed;
		s->status = status;
		eventfd_write(s->stop, 1);
	}
	pthread_mutex_unlock(&lock);
	if (s == NULL)
		return;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += LEAVE_S;
	while (sem_clockwait(&s->ended, CLOCK_MONOTONIC, &until) < 0 && errno == EINTR)
		;
}
