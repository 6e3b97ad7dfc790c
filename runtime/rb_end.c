/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rb_end.h"
#include "rb_int.h"
#include "rb_pmix.h"

void
rb_ctl_send(enum rb_ctl_type type, int status, const char *text)
{
	struct rb_ctl_msg msg = {.magic = RB_CTL_MAGIC, .type = type, .status = status};

	if (rb.env.ctl_fd < 0)
		return;
	if (text != NULL) {
		msg.length = (uint32_t)strnlen(text, sizeof(msg.text) - 1);
		memcpy(msg.text, text, msg.length);
	}
	/* a launcher that is gone has already ended this process, or is about to */
	while (send(rb.env.ctl_fd, &msg, sizeof(msg), MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

void
rb_report(const char *fmt, ...)
{
	char text[RB_CTL_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (rb.env.ctl_fd >= 0)
		rb_ctl_send(RB_CTL_ERROR, 0, text);
	else
		fprintf(stderr, "PE %d: %s\n", rb.pe < 0 ? 0 : rb.pe, text);
}

/* One word to each neighbour, which pass it on (rb_end_look): the way without a launcher. */
static void
tell_neighbours(uint64_t word)
{
	unsigned int side;

	for (side = 0; side < RB_SIDES; side++) {
		struct rb_link *link = &rb.link[side];

		if (link->port == NULL)
			continue;
		__atomic_store_n(&link->theirs->abort, word, __ATOMIC_RELEASE);
		ntb_db_ring(link->port, RB_DB_ABORT);
	}
}

void
rb_abort(int status)
{
	fflush(NULL);
	rb_ctl_send(RB_CTL_ABORT, status, NULL);
	if (rb.booted)
		tell_neighbours(1ull << 32 | (uint32_t)status);
	rb_pmix_abort(status);
	_exit(status);
}

void
rb_end_look(void)
{
	unsigned int side;

	for (side = 0; side < RB_SIDES; side++) {
		const struct rb_link *link = &rb.link[side];
		uint64_t word;

		if (link->port == NULL)
			continue;
		word = __atomic_load_n(&link->mine->abort, __ATOMIC_ACQUIRE);
		if (likely(word == 0))
			continue;
		tell_neighbours(word);
		_exit((int)(uint32_t)word);
	}
}

const char *
rb_strerror(int err)
{
	switch (err) {
	case -EFAULT:
		return "address is not in the symmetric heap or static data";
	case -EOPNOTSUPP:
		return "atomics on another PE's static data need RINGBELL_STATIC=remap";
	case -ENOMEM:
		return "out of memory";
	default:
		return strerror(-err);
	}
}
