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

static long
wait_calls(long nr, const long *a)
{
	switch (nr) {
	case SYS_futex:
		return dst_futex(a);
	case SYS_futex_waitv:
		return a[1] == 0 ? -EINVAL : dst_futex_waitv(a);
	case SYS_nanosleep:
		return dst_sleep(false, (long[]){CLOCK_MONOTONIC, 0, a[0]});
	case SYS_clock_nanosleep:
		return dst_sleep((a[1] & TIMER_ABSTIME) != 0, a);
	case SYS_pause:
		dst_wait(SLOT_SLEEP, NEVER);
		return -EINTR;
	case SYS_sched_yield:
		dst_pause();
		return 0;
	case SYS_poll:
		return dst_poll(nr, a, ns_of_ms(a[2]));
	case SYS_ppoll:
		return dst_poll(SYS_poll, a,
				a[2] == 0 ? NEVER : dst_ns((const struct timespec *)a[2]));
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
		return dst_poll(SYS_epoll_wait, a, ns_of_ms(a[3]));
	case SYS_fcntl:
		return dst_lock(a);
	case SYS_timerfd_settime:
		return dst_timer_set(a);
	default:
		return dst_raw(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
	}
}

/* Of descriptors: which event they wait for, and where their flags are. */
static const struct {
	int nr;
	short events, flags_at; /* 0: no flags */
} waiting[] = {
	{SYS_read, POLLIN, 0},	   {SYS_readv, POLLIN, 0},    {SYS_accept, POLLIN, 0},
	{SYS_accept4, POLLIN, 0},  {SYS_recvfrom, POLLIN, 3}, {SYS_recvmsg, POLLIN, 2},
	{SYS_write, POLLOUT, 0},   {SYS_writev, POLLOUT, 0},  {SYS_sendto, POLLOUT, 3},
	{SYS_sendmsg, POLLOUT, 2},
};

static long
io_calls(long nr, const long *a)
{
	long ret;

	for (size_t i = 0; i < sizeof(waiting) / sizeof(waiting[0]); i++) {
		short at = waiting[i].flags_at;

		if (nr != waiting[i].nr)
			continue;
		if (nr == SYS_sendto)
			dst_said((const void *)a[1], (uint64_t)a[2]);
		return dst_io(nr, a, waiting[i].events, at != 0 && (a[at] & MSG_DONTWAIT) != 0);
	}
	switch (nr) {
	case SYS_close:
		dst_timer_closed((int)a[0]);
		/* fall through */
	case SYS_dup2:
	case SYS_dup3:
	case SYS_shutdown:
	case SYS_connect:
	case SYS_listen:
	case SYS_close_range:
		ret = dst_raw(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
		DST_AT->events++;
		return ret;
	default:
		return wait_calls(nr, a);
	}
}

static long
map_memory(const long *a)
{
	struct slot *proc = &DST_AT->slot[dst_self->proc];
	long type = a[3] & MAP_TYPE, ret;

	if (proc->refused) {
		proc->refused = false;
		return -ENOMEM;
	}
	ret = dst_raw(SYS_mmap, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (ret < 0 && ret > -4096)
		return ret;
	if (type == MAP_SHARED || type == MAP_SHARED_VALIDATE)
		dst_mapped((uint64_t)ret, (uint64_t)a[1], (uint64_t)a[4], (uint64_t)a[5],
			   (a[3] & MAP_FIXED) != 0);
	else if ((a[3] & MAP_FIXED) != 0)
		dst_unmapped((uint64_t)ret, (uint64_t)a[1], true);
	return ret;
}

static long
other_calls(long nr, const long *a)
{
	switch (nr) {
	case SYS_clock_gettime:
		return clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
	case SYS_sched_setaffinity:
	case SYS_sched_getaffinity:
		return affinity_calls(nr, a);
	case SYS_getcpu:
		if (a[0] != 0)
			*(unsigned int *)a[0] = 0;
		if (a[1] != 0)
			*(unsigned int *)a[1] = 0;
		return 0;
	case SYS_alarm: /* in real time: --job-limit is what ends a job */
	case SYS_setitimer:
		return 0;
	case SYS_getrandom:
		return fill_random(a);
	case SYS_mmap:
		return map_memory(a);
	case SYS_munmap:
		dst_unmapped((uint64_t)a[0], (uint64_t)a[1], false);
		break;
	case SYS_prctl:
		if (a[0] == PR_SET_PDEATHSIG)
			DST_AT->slot[dst_self->proc].dies_with_parent = a[1] != 0;
		break;
	default:
		return io_calls(nr, a);
	}
	return dst_raw(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static long
process_calls(long nr, const long *a, void *context)
{
	switch (nr) {
	case SYS_clone:
		return dst_fork(a[0], a[1], a[2], a[3], context);
	case SYS_clone3: {
		const struct clone_args *c = (const struct clone_args *)a[0];

		return dst_fork((long)(c->flags | c->exit_signal), (long)(c->stack + c->stack_size),
				(long)c->parent_tid, (long)c->child_tid, context);
	}
	case SYS_fork:
	case SYS_vfork:
		return dst_fork(SIGCHLD, 0, 0, 0, context);
	case SYS_execve:
	case SYS_execveat:
		dst_point(DST_CALL + SYS_execve, 0, 0);
		return dst_raw(nr, a[0], a[1], a[2], a[3], a[4], 0);
	case SYS_wait4:
		return dst_wait_child(a);
	case SYS_kill:
	case SYS_tkill:
	case SYS_tgkill:
		return dst_kill(nr, a);
	case SYS_rt_sigaction:
		return dst_sigaction(a);
	case SYS_rt_sigprocmask:
		return dst_sigmask(a, context);
	case SYS_exit:
	case SYS_exit_group:
		dst_leave(nr == SYS_exit_group);
		return RAW1(nr, a[0]);
	default:
		return other_calls(nr, a);
	}
}

long
dst_call(long nr, const long *a, void *context)
{
	long ret;

	return dst_wire(&ret, nr, a) ? ret : process_calls(nr, a, context);
}
