/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>

#include "raw.h"
#include "token.h"

/* A timerfd runs in virtual time: it expires really when its time has come. The EAL has one. */
static struct {
	int fd; /* 0: none */
	uint64_t deadline;
} timer;

static uint64_t
ns_later(uint64_t ns)
{
	return ns > NEVER / 2 ? NEVER : dst_due(CLOCK_MONOTONIC, dst_clock(CLOCK_MONOTONIC) + ns);
}

/* ---- futexes ---- */

static long
await_wake(uint64_t deadline)
{
	struct slot *s = dst_self;

	s->since = DST_AT->order++;
	s->woken = -1;
	dst_interrupted();
	dst_wait(SLOT_FUTEX, deadline);
	if (s->woken >= 0)
		return s->woken;
	return dst_interrupted() ? -EINTR : -ETIMEDOUT;
}

static long
futex_wait(const long *a, bool absolute)
{
	const struct timespec *t = (const struct timespec *)a[3];
	long clock = (a[1] & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
	uint64_t deadline = NEVER;
	long ret;

	dst_point(DST_CALL + SYS_futex, dst_place((uint64_t)a[0]), 0);
	if (__atomic_load_n((uint32_t *)a[0], __ATOMIC_SEQ_CST) != (uint32_t)a[2])
		return -EAGAIN;
	if (t != NULL)
		deadline = absolute ? dst_due(clock, dst_ns(t)) : ns_later(dst_ns(t));
	dst_self->key[0] = dst_key((uint64_t)a[0], (a[1] & FUTEX_PRIVATE_FLAG) == 0);
	dst_self->n_keys = 1;
	ret = await_wake(deadline);
	return ret > 0 ? 0 : ret;
}

/* The key's number in the slot, -1: it waits for another one. */
static int
which_key(const struct slot *s, struct key k)
{
	for (unsigned int i = 0; i < s->n_keys; i++)
		if (s->key[i].object == k.object && s->key[i].offset == k.offset)
			return (int)i;
	return -1;
}

static long
futex_wake(struct key k, long most)
{
	long n;

	for (n = 0; n < most; n++) {
		struct slot *first = NULL;

		for (unsigned int i = 0; i < DST_AT->slots; i++) {
			struct slot *s = &DST_AT->slot[i];

			if (s->state == SLOT_FUTEX && s->woken < 0 && which_key(s, k) >= 0 &&
			    (first == NULL || s->since < first->since))
				first = s;
		}
		if (first == NULL)
			break;
		first->woken = which_key(first, k);
	}
	return n;
}

long
dst_futex(const long *a)
{
	switch (a[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
		return futex_wait(a, false);
	case FUTEX_WAIT_BITSET:
		return futex_wait(a, true);
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		dst_point(DST_CALL + SYS_futex, dst_place((uint64_t)a[0]), 1);
		return futex_wake(dst_key((uint64_t)a[0], (a[1] & FUTEX_PRIVATE_FLAG) == 0),
				  (int)a[2]);
	default:
		dst_stop("a futex operation that is not simulated");
		return -ENOSYS;
	}
}

long
dst_futex_waitv(const long *a)
{
	const struct futex_waitv *w = (const struct futex_waitv *)a[0];
	const struct timespec *t = (const struct timespec *)a[3];

	dst_point(DST_CALL + SYS_futex, 0, (uint64_t)a[1]);
	if (a[1] > DST_KEYS)
		dst_stop("a wait for more futexes than there is room for");
	for (long i = 0; i < a[1]; i++) {
		if (__atomic_load_n((uint32_t *)w[i].uaddr, __ATOMIC_SEQ_CST) != (uint32_t)w[i].val)
			return -EAGAIN;
		dst_self->key[i] = dst_key(w[i].uaddr, (w[i].flags & FUTEX_PRIVATE_FLAG) == 0);
	}
	dst_self->n_keys = (unsigned int)a[1];
	return await_wake(t == NULL ? NEVER : dst_due(a[4], dst_ns(t)));
}

long
dst_sleep(bool absolute, const long *a)
{
	uint64_t ns = dst_ns((const struct timespec *)a[2]);

	dst_point(DST_CALL + SYS_nanosleep, 0, ns);
	dst_interrupted();
	dst_wait(SLOT_SLEEP, absolute ? dst_due(a[0], ns) : ns_later(ns));
	return dst_interrupted() ? -EINTR : 0;
}

/* ---- descriptors ---- */

long
dst_timer_set(const long *a)
{
	const struct itimerspec *t = (const struct itimerspec *)a[2];
	const struct itimerspec off = {0};
	uint64_t ns = dst_ns(&t->it_value);
	long ret = RAW4(SYS_timerfd_settime, a[0], 0, &off, a[3]);

	if (ret < 0)
		return ret;
	dst_timer_closed((int)a[0]);
	if (ns == 0)
		return 0;
	if (timer.fd != 0 || dst_ns(&t->it_interval) != 0)
		dst_stop("a second timerfd of a process, or one that expires again");
	timer.fd = (int)a[0];
	timer.deadline =
		(a[1] & TFD_TIMER_ABSTIME) != 0 ? dst_due(CLOCK_MONOTONIC, ns) : ns_later(ns);
	return 0;
}

void
dst_timer_closed(int fd)
{
	if (timer.fd == fd)
		timer.fd = 0;
}

/* If its time has come it expires. @return when it does */
static uint64_t
fire_timer(void)
{
	const struct itimerspec soon = {.it_value.tv_nsec = 1};
	struct pollfd p = {.fd = timer.fd, .events = POLLIN};

	if (timer.fd == 0)
		return NEVER;
	if (timer.deadline <= DST_AT->now) {
		RAW4(SYS_timerfd_settime, p.fd, 0, &soon, 0);
		RAW3(SYS_poll, &p, 1, -1);
		timer.deadline = NEVER;
	}
	return timer.deadline;
}

/* Until something may have become ready. @return false: @p deadline has come first */
static bool
await_event(uint64_t deadline, uint64_t timers)
{
	if (deadline <= DST_AT->now)
		return false;
	dst_self->seen = DST_AT->events;
	dst_wait(SLOT_FD, deadline < timers ? deadline : timers);
	return true;
}

/* poll(), or the wait of an epoll. */
long
dst_poll(long nr, const long *a, uint64_t timeout_ns)
{
	uint64_t deadline = ns_later(timeout_ns), timers;
	long ret;

	dst_point(DST_CALL + (unsigned int)nr, 0, timeout_ns);
	dst_interrupted();
	do {
		timers = fire_timer();
		ret = nr == SYS_poll ? RAW3(nr, a[0], a[1], 0) : RAW4(nr, a[0], a[1], a[2], 0);
		if (ret != 0)
			return ret;
		if (!await_event(deadline, timers))
			return 0;
	} while (!dst_interrupted());
	return -EINTR;
}

static bool
is_file(long fd)
{
	struct stat st;

	return RAW2(SYS_fstat, fd, &st) == 0 && S_ISREG(st.st_mode);
}

long
dst_io(long nr, const long *a, short events, bool dont_wait)
{
	long ret;

	if ((nr == SYS_read || nr == SYS_write) && is_file(a[0]))
		return RAW3(nr, a[0], a[1], a[2]);
	dst_point(DST_CALL + (unsigned int)nr, 0, 0);
	if ((RAW2(SYS_fcntl, a[0], F_GETFL) & O_NONBLOCK) != 0)
		dont_wait = true;
	for (;;) {
		struct pollfd p = {.fd = (int)a[0], .events = events};
		uint64_t timers = fire_timer();

		if (dont_wait || RAW3(SYS_poll, &p, 1, 0) != 0)
			break;
		await_event(NEVER, timers);
	}
	ret = dst_raw(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (ret >= 0)
		DST_AT->events++;
	return ret;
}

long
dst_lock(const long *a)
{
	long try = a[1] == F_SETLKW ? F_SETLK : a[1], ret;

	while ((ret = RAW3(SYS_fcntl, a[0], try, a[2])) == -EAGAIN && try != a[1])
		await_event(NEVER, NEVER);
	DST_AT->events += try == F_SETLK || try == F_OFD_SETLK;
	return ret;
}
