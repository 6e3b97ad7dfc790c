/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/exit.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/env.h"
#include "base/file.h"
#include "base/launcher_msg.h"
#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/window.h"
#include "base/wire.h"

bool
rb_ctl_send(enum rb_ctl_type type, int status, const char *text)
{
	struct rb_ctl_msg msg = {.magic = RB_CTL_MAGIC, .type = type, .status = status};
	struct pollfd room = {.fd = rb.env.ctl.fd, .events = POLLOUT};

	if (!rb_file_ours(&rb.env.ctl))
		return false;
	if (text != NULL) {
		msg.length = (uint32_t)strnlen(text, sizeof(msg.text) - 1);
		memcpy(msg.text, text, msg.length);
	}
	/* Errors are ignored: a launcher that is gone has ended this process, or is about to. A
	 * launcher that is stopped or busy delays its PEs, as it delays those that print, so that
	 * no message is lost. */
	while (send(rb.env.ctl.fd, &msg, sizeof(msg), MSG_NOSIGNAL) < 0)
		if (errno == EAGAIN || errno == ENOBUFS)
			poll(&room, 1, -1);
		else if (errno != EINTR)
			break;
	return true;
}

void
rb_report(const char *fmt, ...)
{
	char text[RB_CTL_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	/* before rb_open() only the environment knows the number of this PE */
	if (rb.pe < 0 && rb.env.ctl.fd < 0 && rb_env_read(&rb.env) < 0)
		rb.env.pe = 0;
	if (rb_process_child())
		fprintf(stderr, "child %d of PE %d: %s\n", (int)getpid(), rb.pe, text);
	else if (!rb_ctl_send(RB_CTL_ERROR, 0, text))
		fprintf(stderr, "PE %d: %s\n", rb.pe < 0 ? rb.env.pe : rb.pe, text);
}

void
rb_note(const char *fmt, ...)
{
	char text[RB_CTL_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (!rb_ctl_send(RB_CTL_NOTE, 0, text))
		fprintf(stderr, "%s\n", text);
}

/* Stores the abort word at each neighbour, which passes it on (rb_abort_check()): the hosts need no
 * common launcher for it. */
static void
store_abort_words(uint64_t word)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++) {
		struct rb_link *link = &rb.link[port];

		/* acquire: pairs with rb_cable_watch(), for threads that watch the job */
		if (!__atomic_load_n(&link->up, __ATOMIC_ACQUIRE) || rb_link_lost(link))
			continue;
		rb_win_store64(&link->theirs->abort, word);
		rb_win_ring(link->port, RB_DB_ABORT);
	}
}

static uint64_t
abort_word(uint64_t host, uint32_t status)
{
	return host << RB_ABORT_HOST | 1ull << RB_ABORT_SET | status;
}

void
rb_abort_broadcast(int status)
{
	store_abort_words(abort_word((uint64_t)rb.host, (uint32_t)status));
}

const struct rb_end_ops *rb_end_ops;

static void
announce_here(int status)
{
	if (rb_end_ops != NULL)
		rb_end_ops->announce(status);
}

static void
stop_watching(void)
{
	if (rb_end_ops != NULL)
		rb_end_ops->stop();
}

void
rb_abort_announce(int status)
{
	announce_here(status);
	rb_ctl_send(RB_CTL_ABORT, status, NULL);
	rb_abort_broadcast(status);
	stop_watching();
}

void
rb_abort(int status)
{
	fflush(NULL);
	if (rb_process_child())
		_exit(status);
	rb_abort_announce(status);
	rb_leave(status);
}

/* Reports the end to the launcher of this host: the launcher where the end began does not reach
 * it. */
static void
report_end(uint64_t word)
{
	int status = (int)(uint32_t)word;

	rb_report("host %u ended the job with status %d",
		  (unsigned int)(word >> RB_ABORT_HOST & 0xff), status);
	rb_ctl_send(RB_CTL_ABORT, status, NULL);
}

/* Untrusted: where no host stores such a word, the job ends too, but with the reason. */
static void
check_word(uint64_t word, unsigned int port)
{
	static atomic_flag reported = ATOMIC_FLAG_INIT;
	uint64_t host = word >> RB_ABORT_HOST;

	if (host < (uint64_t)rb.hosts && word == abort_word(host, (uint32_t)word))
		return;
	if (!atomic_flag_test_and_set_explicit(&reported, memory_order_relaxed)) {
		rb_report("the neighbour at %s of host %d, host %d, has stored an end of the job "
			  "that no host stores (%#llx)",
			  rb_port_name(port), rb.host, rb.neighbour[port],
			  (unsigned long long)word);
		rb_abort_announce(EXIT_FAILURE);
	}
	rb_leave(EXIT_FAILURE);
}

void
rb_abort_check(void)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++) {
		const struct rb_link *link = &rb.link[port];
		uint64_t word;

		if (link->port == NULL)
			continue;
		word = __atomic_load_n(&link->mine->abort, __ATOMIC_ACQUIRE);
		if (likely(word == 0))
			continue;
		check_word(word, port);
		store_abort_words(word);
		stop_watching();
		if (rb.env.per_host_launcher)
			report_end(word);
		announce_here((int)(uint32_t)word);
		rb_leave((int)(uint32_t)word);
	}
}

/*
 * Any thread may find the end of the job, while the other threads go on. The first one that finds
 * it ends the process as exit() does: handlers run, streams are flushed (OpenSHMEM 1.6, 9.1.4). If
 * the process hangs in them, the launcher ends it by a signal.
 */

enum {
	FLUSH_MS = 200 /* longest wait for a stream that a thread of the program has locked */
};

/* The thread that ends this process, 0: none. Once; it only decides, and orders nothing. */
static _Atomic int leaver;

bool
rb_leaving(void)
{
	return atomic_load_explicit(&leaver, memory_order_relaxed) != 0;
}

static bool
flush_stream(FILE *stream)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	int i;

	for (i = 0; i < FLUSH_MS; i++) {
		if (ftrylockfile(stream) == 0) {
			fflush_unlocked(stream);
			funlockfile(stream);
			return true;
		}
		nanosleep(&moment, NULL);
	}
	return false;
}

void
rb_leave_flush(void)
{
	bool out = flush_stream(stdout), err = flush_stream(stderr);

	/* fflush(NULL) waits for the locks of all streams */
	if (out && err)
		fflush(NULL);
}

void
rb_leave(int status)
{
	int other = 0, me = (int)gettid();

	if (!atomic_compare_exchange_strong_explicit(&leaver, &other, me, memory_order_relaxed,
						     memory_order_relaxed)) {
		if (other == me) /* a handler of exit() ends the job once more */
			_exit(status);
		for (;;)
			pause();
	}
	/* before the handlers: these may crash while other threads run */
	flush_stream(stdout);
	flush_stream(stderr);
	exit(status);
}
