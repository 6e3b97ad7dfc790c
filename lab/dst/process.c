/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <ucontext.h>

#include "raw.h"
#include "token.h"

#define BIT(sig) (1ull << ((sig)-1))

static __thread bool interrupted __attribute__((tls_model("initial-exec")));

bool
dst_interrupted(void)
{
	bool ret = interrupted;

	interrupted = false;
	return ret;
}

/* ---- processes ---- */

/* A child with memory and a stack of its own, also where it would have shared them until exec(). */
long
dst_fork(long flags, long stack, long ptid, long ctid, void *context)
{
	struct slot *child;
	long ret;

	if ((flags & CLONE_THREAD) != 0)
		dst_stop("a thread that pthread_create() did not make");
	dst_point(DST_CALL + SYS_clone, 0, 0);
	child = dst_slot_new(NULL);
	child->blocked = dst_self->blocked;
	ret = RAW6(SYS_clone, flags & ~(CLONE_VM | CLONE_VFORK | CLONE_SETTLS), 0, ptid, ctid, 0,
		   0);
	if (ret == 0) {
		if (stack != 0)
			((ucontext_t *)context)->uc_mcontext.gregs[REG_RSP] = stack;
		dst_enter(child);
		return 0;
	}
	if (ret < 0)
		child->state = SLOT_DEAD;
	child->pid = (int)ret;
	return ret;
}

long
dst_wait_child(const long *a)
{
	long ret;

	dst_point(DST_CALL + SYS_wait4, 0, 0);
	for (;;) {
		ret = RAW4(SYS_wait4, a[0], a[1], a[2] | WNOHANG, a[3]);
		if (ret != 0 || (a[2] & WNOHANG) != 0)
			return ret;
		dst_self->seen = DST_AT->events;
		dst_wait(SLOT_FD, NEVER);
	}
}

/* ---- signals ---- */

static bool
ends_process(int sig)
{
	struct raw_action act;

	if (sig == SIGCHLD || sig == SIGURG || sig == SIGWINCH || sig == SIGCONT)
		return false;
	return RAW4(SYS_rt_sigaction, sig, 0, &act, 8) == 0 && act.handler == SIG_DFL;
}

/* This thread takes the pending signals that it does not block. */
void
dst_deliver(void)
{
	struct slot *s = dst_self, *proc = &DST_AT->slot[s->proc];
	uint64_t now = (s->signals | proc->signals) & ~s->blocked;

	for (int sig = 1; now != 0; sig++, now >>= 1) {
		if ((now & 1) == 0)
			continue;
		s->signals &= ~BIT(sig);
		proc->signals &= ~BIT(sig);
		if (ends_process(sig))
			dst_leave(true);
		interrupted = true;
		RAW3(SYS_tgkill, s->pid, s->tid, sig);
	}
}

void
dst_end(int pid)
{
	if (dst_self != NULL && pid == dst_self->pid) {
		dst_gone(true);
		RAW2(SYS_kill, pid, SIGKILL);
	}
	dst_end_other(pid);
}

/* Is there a thread of the process that takes the signal? */
static bool
signal_taken(const struct slot *proc, int sig)
{
	for (unsigned int i = 0; i < DST_AT->slots; i++) {
		const struct slot *s = &DST_AT->slot[i];

		if (s->pid == proc->pid && s->state != SLOT_DEAD && (s->blocked & BIT(sig)) == 0)
			return true;
	}
	return false;
}

static long
send_signal(struct slot *to, bool process, int sig)
{
	long ret = 0;

	if (sig == SIGKILL) {
		dst_end(to->pid);
	} else if (sig == SIGSTOP || sig == SIGCONT) {
		to->stopped = sig == SIGSTOP;
	} else if (process ? signal_taken(to, sig) : (to->blocked & BIT(sig)) == 0) {
		to->signals |= BIT(sig);
	} else {
		ret = process ? RAW2(SYS_kill, to->pid, sig)
			      : RAW3(SYS_tgkill, to->pid, to->tid, sig);
		DST_AT->events++;
	}
	dst_deliver();
	return ret;
}

long
dst_kill(long nr, const long *a)
{
	bool process = nr == SYS_kill;
	long id = nr == SYS_tgkill ? a[1] : a[0], sig = nr == SYS_tgkill ? a[2] : a[1];

	dst_point(DST_CALL + SYS_kill, 0, (uint64_t)sig);
	for (unsigned int i = 0; i < DST_AT->slots && sig != 0; i++) {
		struct slot *s = &DST_AT->slot[i];

		if (s->state == SLOT_DEAD)
			continue;
		if (process ? s->pid == id && s->proc == i : s->tid == id)
			return send_signal(s, process, (int)sig);
	}
	return dst_raw(nr, a[0], a[1], a[2], 0, 0, 0);
}

long
dst_sigaction(const long *a)
{
	struct raw_action act;

	if (a[0] == SIGSYS || a[1] == 0)
		return RAW4(SYS_rt_sigaction, a[0], 0, a[2], 8);
	act = *(const struct raw_action *)a[1];
	act.restorer = dst_restore;
	act.mask &= ~BIT(SIGSYS);
	return RAW4(SYS_rt_sigaction, a[0], &act, a[2], 8);
}

/* A signal that came while it was blocked may end the process now. The kernel would do it when the
 * trap's handler returns, at no point of the schedule: so this thread leaves at one before. */
static void
leave_if_pending(uint64_t mask)
{
	uint64_t pending = 0;

	RAW2(SYS_rt_sigpending, &pending, sizeof(pending));
	pending &= ~mask;
	for (int sig = 1; pending != 0; sig++, pending >>= 1)
		if ((pending & 1) != 0 && ends_process(sig)) {
			dst_leave(true);
			return;
		}
}

/* The mask comes into force when the trap's handler returns. */
long
dst_sigmask(const long *a, void *context)
{
	uint64_t *mask = (uint64_t *)(void *)&((ucontext_t *)context)->uc_sigmask, old = *mask;
	uint64_t set = a[1] != 0 ? *(const uint64_t *)a[1] : 0;

	if (a[1] != 0) {
		if (a[0] == SIG_BLOCK)
			*mask |= set;
		else if (a[0] == SIG_UNBLOCK)
			*mask &= ~set;
		else
			*mask = set;
		*mask &= ~BIT(SIGSYS);
		dst_self->blocked = *mask;
		leave_if_pending(*mask);
	}
	if (a[2] != 0)
		*(uint64_t *)a[2] = old;
	return 0;
}
