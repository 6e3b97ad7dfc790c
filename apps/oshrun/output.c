/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "oshrun.h"

enum {
	LINE_BYTES = 64 * 1024,	  /* a longer line is passed on in pieces */
	CHOKE_BYTES = 256 * 1024, /* waiting for a slow reader: let the PEs wait too */
	PARTIAL_MS = 100,	  /* a prompt has no newline and must be visible nevertheless */
	WRITES_A_TURN = 16,
};

/* stdout and stderr of oshrun. It writes only when poll() allows it, so a reader that has
 * stopped never keeps oshrun from ending a job. */
static struct sink {
	int fd;
	bool dead;
	bool plain; /* an ordinary file never blocks */
	char *buf;
	size_t len;
	size_t size;
	struct stream *mid; /* stream that has left it within a line */
} sinks[STREAMS];

static bool tagged;

int64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t
now_ms(void)
{
	return now_ns() / 1000000;
}

static void
sink_add(struct sink *k, const char *data, size_t len)
{
	if (k->dead)
		return;
	if (k->size - k->len < len) {
		size_t size = (k->len + len) * 2;
		char *buf = realloc(k->buf, size);

		if (buf == NULL) {
			k->dead = true;
			return;
		}
		k->buf = buf;
		k->size = size;
	}
	memcpy(k->buf + k->len, data, len);
	k->len += len;
}

void
say(const char *fmt, ...)
{
	struct sink *k = &sinks[STREAM_ERR];
	char line[1024];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n >= sizeof(line))
		n = sizeof(line) - 1;
	if (k->mid != NULL) {
		sink_add(k, "\n", 1);
		k->mid->mid_line = false;
		k->mid = NULL;
	}
	sink_add(k, "oshrun: ", 8);
	sink_add(k, line, (size_t)n);
	sink_add(k, "\n", 1);
}

void
output_open(bool tag)
{
	struct stat st;
	int i;

	tagged = tag;
	for (i = 0; i < STREAMS; i++) {
		sinks[i].fd = i == STREAM_OUT ? STDOUT_FILENO : STDERR_FILENO;
		sinks[i].plain = fstat(sinks[i].fd, &st) == 0 && S_ISREG(st.st_mode);
	}
}

int
stream_open(struct stream *s, int pe, enum stream_id id, int fd)
{
	*s = (struct stream){.fd = fd, .pe = pe, .id = id};
	s->buf = malloc(LINE_BYTES);
	return s->buf == NULL ? -ENOMEM : 0;
}

/* Pass on one line, or a piece of one. */
static void
emit_line(struct stream *s, const char *data, size_t len)
{
	struct sink *k = &sinks[s->id];
	char tag[32];

	if (tagged && k->mid != NULL && k->mid != s) {
		sink_add(k, "\n", 1);
		k->mid->mid_line = false;
	}
	if (tagged && !s->mid_line) {
		snprintf(tag, sizeof(tag), "[PE %d] ", s->pe);
		sink_add(k, tag, strlen(tag));
	}
	sink_add(k, data, len);
	s->mid_line = data[len - 1] != '\n';
	k->mid = s->mid_line ? s : NULL;
}

static void
emit_bytes(struct stream *s, size_t len)
{
	const char *data = s->buf;
	size_t left = len;

	if (len == 0)
		return;
	while (left > 0) {
		const char *nl = memchr(data, '\n', left);
		size_t n = nl == NULL ? left : (size_t)(nl - data) + 1;

		emit_line(s, data, n);
		data += n;
		left -= n;
	}
	s->len -= len;
	memmove(s->buf, s->buf + len, s->len);
}

void
stream_read(struct stream *s)
{
	const char *nl;
	ssize_t n;

	n = read(s->fd, s->buf + s->len, LINE_BYTES - s->len);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		stream_close(s);
		return;
	}
	s->len += (size_t)n;
	s->since = now_ms();
	nl = memrchr(s->buf, '\n', s->len);
	if (nl != NULL)
		emit_bytes(s, (size_t)(nl - s->buf) + 1);
	if (s->len == LINE_BYTES)
		emit_bytes(s, s->len);
}

void
stream_close(struct stream *s)
{
	struct sink *k = &sinks[s->id];

	if (s->fd < 0)
		return;
	emit_bytes(s, s->len);
	if (tagged && s->mid_line) {
		sink_add(k, "\n", 1);
		s->mid_line = false;
	}
	if (k->mid == s)
		k->mid = NULL;
	close(s->fd);
	s->fd = -1;
	free(s->buf);
	s->buf = NULL;
}

int64_t
stream_flush_due(const struct stream *s)
{
	return s->fd >= 0 && s->len > 0 ? s->since + PARTIAL_MS : 0;
}

void
stream_flush_partial(struct stream *s)
{
	emit_bytes(s, s->len);
}

bool
output_choked(enum stream_id id)
{
	return sinks[id].len > CHOKE_BYTES;
}

int
output_fd(enum stream_id id)
{
	return sinks[id].len > 0 && !sinks[id].dead ? sinks[id].fd : -1;
}

int
output_write(enum stream_id id)
{
	struct sink *k = &sinks[id];
	struct pollfd p = {.fd = k->fd, .events = POLLOUT};
	size_t done = 0;
	int turn;

	for (turn = 0; turn < WRITES_A_TURN && done < k->len; turn++) {
		size_t len = k->len - done;
		ssize_t n;

		/* a pipe that polls writable takes PIPE_BUF bytes without blocking, not more */
		if (!k->plain && len > PIPE_BUF)
			len = PIPE_BUF;
		if (turn > 0 && !k->plain && (poll(&p, 1, 0) <= 0 || !(p.revents & POLLOUT)))
			break;
		n = write(k->fd, k->buf + done, len);
		if (n < 0) {
			if (errno == EINTR || errno == EAGAIN)
				break;
			k->dead = true;
			k->len = 0;
			return -errno;
		}
		done += (size_t)n;
	}
	k->len -= done;
	memmove(k->buf, k->buf + done, k->len);
	return 0;
}
