/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>

#include "raw.h"
#include "token.h"

static uint64_t
ns_of_ms(long ms)
{
	return (int)ms < 0 ? NEVER : (uint64_t)ms * 1000000;
}

static long
affinity_calls(long nr, const long *a)
{
	size_t len = (size_t)a[1] < sizeof(cpu_set_t) ? (size_t)a[1] : sizeof(cpu_set_t);
	cpu_set_t set;

	if (nr == SYS_sched_setaffinity)
		return 0;
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	CPU_SET(1, &set);
	memcpy((void *)a[2], &set, len);
	return (long)len;
}

static long
fill_random(const long *a)
{
	for (long i = 0; i < a[1]; i++)
		((uint8_t *)a[0])[i] = (uint8_t)dst_random();
	return a[1];
}

static bool
wait_calls(long *ret, long nr, const long *a)
{
	switch (nr) {
	case SYS_futex:
		*ret = dst_futex(a);
		return true;
	case SYS_futex_waitv:
		*ret = a[1] == 0 ? -EINVAL : dst_futex_waitv(a);
		return true;
	case SYS_nanosleep:
		*ret = dst_sleep(false, (long[]){CLOCK_MONOTONIC, 0, a[0]});
		return true;
	case SYS_clock_nanosleep:
		*ret = dst_sleep((a[1] & TIMER_ABSTIME) != 0, a);
		return true;
	case SYS_pause:
		dst_wait(SLOT_SLEEP, NEVER);
		*ret = -EINTR;
		return true;
	case SYS_sched_yield:
		dst_pause();
		*ret = 0;
		return true;
	case SYS_poll:
		*ret = dst_poll(nr, a, ns_of_ms(a[2]));
		return true;
	case SYS_ppoll:
		*ret = dst_poll(SYS_poll, a,
				a[2] == 0 ? NEVER : dst_ns((const struct timespec *)a[2]));
		return true;
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
		*ret = dst_poll(SYS_epoll_wait, a, ns_of_ms(a[3]));
		return true;
	case SYS_fcntl:
		*ret = dst_lock(a);
		return true;
	case SYS_timerfd_settime:
		*ret = dst_timer_set(a);
		return true;
	default:
		return false;
	}
}

static bool
io_calls(long *ret, long nr, const long *a)
{
	switch (nr) {
	case SYS_read:
	case SYS_readv:
	case SYS_accept:
	case SYS_accept4:
		*ret = dst_io(nr, a, POLLIN, false);
		return true;
	case SYS_recvfrom:
		*ret = dst_io(nr, a, POLLIN, (a[3] & MSG_DONTWAIT) != 0);
		return true;
	case SYS_recvmsg:
		*ret = dst_io(nr, a, POLLIN, (a[2] & MSG_DONTWAIT) != 0);
		return true;
	case SYS_write:
	case SYS_writev:
		*ret = dst_io(nr, a, POLLOUT, false);
		return true;
	case SYS_sendto:
		dst_said((const void *)a[1], (uint64_t)a[2]);
		*ret = dst_io(nr, a, POLLOUT, (a[3] & MSG_DONTWAIT) != 0);
		return true;
	case SYS_sendmsg:
		*ret = dst_io(nr, a, POLLOUT, (a[2] & MSG_DONTWAIT) != 0);
		return true;
	case SYS_close:
		dst_timer_closed((int)a[0]);
		/* fall through */
	case SYS_dup2:
	case SYS_dup3:
	case SYS_shutdown:
	case SYS_connect:
	case SYS_listen:
	case SYS_close_range:
		*ret = dst_raw(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
		DST_AT->events++;
		return true;
	default:
		return false;
	}
}

static bool
process_calls(long *ret, long nr, const long *a, void *context)
{
	switch (nr) {
	case SYS_clone:
		*ret = dst_fork(a[0], a[1], a[2], a[3], context);
		return true;
	case SYS_clone3: {
		const struct clone_args *c = (const struct clone_args *)a[0];

		*ret = dst_fork((long)(c->flags | c->exit_signal), (long)(c->stack + c->stack_size),
				(long)c->parent_tid, (long)c->child_tid, context);
		return true;
	}
	case SYS_fork:
	case SYS_vfork:
		*ret = dst_fork(SIGCHLD, 0, 0, 0, context);
		return true;
	case SYS_execve:
	case SYS_execveat:
		dst_point(DST_CALL + SYS_execve, 0, 0);
		*ret = dst_raw(nr, a[0], a[1], a[2], a[3], a[4], 0);
		return true;
	case SYS_wait4:
		*ret = dst_wait_child(a);
		return true;
	case SYS_kill:
	case SYS_tkill:
	case SYS_tgkill:
		*ret = dst_kill(nr, a);
		return true;
	case SYS_rt_sigaction:
		*ret = dst_sigaction(a);
		return true;
	case SYS_rt_sigprocmask:
		*ret = dst_sigmask(a, context);
		return true;
	case SYS_exit:
	case SYS_exit_group:
		dst_leave(nr == SYS_exit_group);
		*ret = RAW1(nr, a[0]);
		return true;
	default:
		return false;
	}
}

static bool
other_calls(long *ret, long nr, const long *a)
{
	switch (nr) {
	case SYS_clock_gettime:
		*ret = clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
		return true;
	case SYS_sched_setaffinity:
	case SYS_sched_getaffinity:
		*ret = affinity_calls(nr, a);
		return true;
	case SYS_getcpu:
		if (a[0] != 0)
			*(unsigned int *)a[0] = 0;
		if (a[1] != 0)
			*(unsigned int *)a[1] = 0;
		*ret = 0;
		return true;
	case SYS_alarm: /* in real time: --job-limit is what ends a job */
	case SYS_setitimer:
		*ret = 0;
		return true;
	case SYS_getrandom:
		*ret = fill_random(a);
		return true;
	case SYS_mmap:
		if (DST_AT->slot[dst_self->proc].refused) {
			DST_AT->slot[dst_self->proc].refused = false;
			*ret = -ENOMEM;
			return true;
		}
		*ret = dst_raw(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
		if (*ret < 0 && *ret > -4096)
			return true;
		if ((a[3] & MAP_TYPE) == MAP_SHARED || (a[3] & MAP_TYPE) == MAP_SHARED_VALIDATE)
			dst_mapped((uint64_t)*ret, (uint64_t)a[1], (uint64_t)a[4], (uint64_t)a[5],
				   (a[3] & MAP_FIXED) != 0);
		else if ((a[3] & MAP_FIXED) != 0)
			dst_unmapped((uint64_t)*ret, (uint64_t)a[1], true);
		return true;
	case SYS_munmap:
		*ret = dst_raw(nr, a[0], a[1], 0, 0, 0, 0);
		dst_unmapped((uint64_t)a[0], (uint64_t)a[1], false);
		return true;
	case SYS_prctl:
		if (a[0] == PR_SET_PDEATHSIG)
			DST_AT->slot[dst_self->proc].dies_with_parent = a[1] != 0;
		return false;
	default:
		return false;
	}
}

bool
dst_call(long *ret, long nr, const long *a, void *context)
{
	return other_calls(ret, nr, a) || dst_wire(ret, nr, a) || io_calls(ret, nr, a) ||
	       wait_calls(ret, nr, a) || process_calls(ret, nr, a, context);
}
