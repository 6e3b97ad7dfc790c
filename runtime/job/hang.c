/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/hang.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"
#include "base/exit.h"
#include "base/state.h"
#include "base/thread.h"
#include "host/blocked.h"
#include "host/hostseg.h"
#include "observe/blocked_table.h"

/*
 * Under oshrun, oshrun reports hangs. Under a PMIx launcher a thread of each PE does: once a second
 * it looks at the waits of its PE, and prints a line for one that is long. Of the waiting PEs of a
 * host only the first prints. On SIGQUIT the first PE of a host that gets it reports all PEs of the
 * host; the others wait until it has, because the launcher kills the rest once one has ended. A
 * program with a SIGQUIT handler of its own keeps that.
 */

enum {
	LOOK_MS = 1000,
	LONG_S = 10,	  /* length of a wait when it is first reported; again at each doubling */
	REPORT_MS = 2000, /* bound of the wait for another PE's report */
};

static struct {
	pthread_mutex_t gate; /* the holder may read the table while the stage is THERE */
	enum {
		JOINING,
		THERE,
		GONE,
	} stage;
	uint64_t began; /* when this PE began to join the job */
	pid_t pid;
	int bell; /* eventfd: SIGQUIT has come */
} hang = {.gate = PTHREAD_MUTEX_INITIALIZER, .bell = -1};

/* The wait of a PE of this host, and its time; false: it does not wait. */
static bool
find_wait(int pe, struct rb_blocked_seen *seen, char *whom, size_t size, double *seconds)
{
	bool waits;

	pthread_mutex_lock(&hang.gate);
	if (hang.stage == JOINING) {
		*seen = (struct rb_blocked_seen){.since = hang.began, .call = "shmem_init"};
		snprintf(whom, size, "PEs that have not called it yet");
		waits = true;
	} else {
		waits = hang.stage == THERE && rb_blocked_longest(rb_block_of(pe), seen);
		if (waits)
			rb_blocked_whom(seen, whom, size);
	}
	pthread_mutex_unlock(&hang.gate);
	if (waits)
		*seconds = (double)(rb_now_ns() - seen->since) / 1e9;
	return waits;
}

/* Does a PE of this host with a lower number report its own long wait? */
static bool
other_reports(void)
{
	struct rb_blocked_seen seen;
	bool ret = false;
	int i;

	pthread_mutex_lock(&hang.gate);
	/* while joining it is not known which others wait, so only PEs 0 and 1 report */
	if (hang.stage == JOINING)
		ret = rb.env.pe > 1;
	for (i = 0; hang.stage == THERE && rb_hostseg != NULL && i < rb.local && !ret; i++)
		ret = rb_blocked_longest(&rb_hostseg->blocked[i], &seen) &&
		      rb_now_ns() - seen.since > LONG_S * UINT64_C(1000000000);
	pthread_mutex_unlock(&hang.gate);
	return ret;
}

static const char *
name_of(const struct rb_blocked_seen *seen)
{
	return seen->call[0] == '\0' ? "a call" : seen->call;
}

/* Report a long wait once, and again at each doubling of its time. */
static void
look_again(void)
{
	static double next = LONG_S;
	static uint64_t last;
	struct rb_blocked_seen seen;
	double seconds;
	char whom[96];

	if (!find_wait(rb.env.pe, &seen, whom, sizeof(whom), &seconds))
		return;
	if (seen.since != last)
		next = LONG_S;
	last = seen.since;
	if (seconds < next || other_reports())
		return;
	next *= 2;
	rb_note("ringbell: PE %d has been in %s for %.0f s, and waits for %s", rb.env.pe,
		name_of(&seen), seconds, whom);
}

static void
report_pe(int pe)
{
	struct rb_blocked_seen seen;
	double seconds;
	char whom[96];

	if (find_wait(pe, &seen, whom, sizeof(whom), &seconds))
		rb_note("ringbell: PE %d: in %s for %.1f s, waits for %s", pe, name_of(&seen),
			seconds, whom);
	else
		rb_note("ringbell: PE %d: in no call that waits: computes, or polls", pe);
}

static void
report_all(struct rb_host_seg *seg)
{
	uint32_t none = RB_REPORT_NONE;
	int i;

	/* the word chooses the PE that writes, and shows when it is done; it orders no data */
	if (atomic_compare_exchange_strong(&seg->report, &none, RB_REPORT_BEGUN)) {
		for (i = 0; i < rb.npes; i++)
			if (rb.place[i].host == rb.host)
				report_pe(i);
		atomic_store(&seg->report, RB_REPORT_DONE);
	}
	for (i = 0; i < REPORT_MS && atomic_load(&seg->report) != RB_REPORT_DONE; i++)
		poll(NULL, 0, 1);
}

static void
report_and_quit(void)
{
	bool there;

	pthread_mutex_lock(&hang.gate);
	there = hang.stage == THERE && rb_hostseg != NULL;
	pthread_mutex_unlock(&hang.gate);
	if (there)
		report_all(rb_hostseg);
	else
		report_pe(rb.env.pe);
	signal(SIGQUIT, SIG_DFL);
	kill(getpid(), SIGQUIT);
}

static void *
watch_waits(void *arg)
{
	struct pollfd p = {.fd = hang.bell, .events = POLLIN};
	int n;

	for (;;) {
		n = poll(&p, 1, LOOK_MS);
		if (n > 0 && (p.revents & POLLIN) != 0) {
			report_and_quit();
			return arg;
		}
		/* a program may close descriptors that it did not open */
		if (n > 0)
			return arg;
		look_again();
	}
}

static void
on_quit(int sig)
{
	const uint64_t one = 1;
	int err = errno;

	/* a forked child does not have the thread that reads the eventfd */
	if (getpid() != hang.pid || write(hang.bell, &one, sizeof(one)) != sizeof(one)) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
	errno = err;
}

int
rb_hang_start(void)
{
	struct sigaction act = {.sa_handler = on_quit, .sa_flags = SA_RESTART}, was;

	hang.began = rb_now_ns();
	hang.pid = getpid();
	hang.bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (hang.bell < 0)
		return rb_fail(-errno, "cannot create an eventfd: %s", strerror(errno));
	/* keep a program's own handler */
	if (sigaction(SIGQUIT, NULL, &was) == 0 && was.sa_handler == SIG_DFL)
		sigaction(SIGQUIT, &act, NULL);
	return rb_thread_start(watch_waits);
}

void
rb_hang_ready(void)
{
	pthread_mutex_lock(&hang.gate);
	hang.stage = THERE;
	pthread_mutex_unlock(&hang.gate);
}

void
rb_hang_stop(void)
{
	struct sigaction was;

	if (hang.bell < 0 || hang.pid != getpid())
		return;
	if (sigaction(SIGQUIT, NULL, &was) == 0 && was.sa_handler == on_quit)
		signal(SIGQUIT, SIG_DFL);
	pthread_mutex_lock(&hang.gate);
	hang.stage = GONE;
	pthread_mutex_unlock(&hang.gate);
}
