/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <linux/futex.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>

#include "raw.h"
#include "token.h"

enum {
	STALL = 4,	     /* longer than what a thread runs between stalls, at most */
	SPIN = 20000,	     /* PCT: points of a thread, after which all others come first */
	IDLE_NS = 100,	     /* the first idle turn of a row, at most */
	IDLE_DOUBLINGS = 14, /* 1.6 ms */
	BUSY = 128,	     /* more points since its last turn: it has not been idle */
	WEARY = 10000, /* turns of a row: some that wait for a cable wake one another for ever */
	QUIET_NS = 100000000, /* nothing runs for so long: the next fault comes first */
};

__thread struct slot *dst_self __attribute__((tls_model("initial-exec")));

#define seg DST_AT

uint64_t
dst_random(void)
{
	uint64_t z = seg->random += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

static void
hash_in(uint64_t v)
{
	seg->hash = (seg->hash ^ v) * 0x9E3779B97F4A7C15u;
	seg->hash ^= seg->hash >> 29;
}

static void
log_in(unsigned int thread, unsigned int kind, uint64_t where, uint64_t value)
{
	if (seg->logged < seg->log_size)
		DST_LOG_AT[seg->logged++] =
			(struct dst_record){seg->now, where, value, thread, kind};
}

static unsigned int
number_of(const struct slot *s)
{
	return (unsigned int)(s - seg->slot);
}

void
dst_stop(const char *why)
{
	if (seg->verdict == NULL) {
		strncpy(seg->text, why, sizeof(seg->text) - 1);
		seg->verdict = seg->text;
	}
	/* the whole PID namespace */
	RAW2(SYS_kill, -1, 9);
	RAW2(SYS_kill, RAW0(SYS_getpid), 9);
	for (;;)
		RAW0(SYS_pause);
}

static bool
may_run(const struct slot *s)
{
	if (seg->slot[s->proc].stopped)
		return false;
	if (((s->signals | seg->slot[s->proc].signals) & ~s->blocked) != 0 && s->state != SLOT_DEAD)
		return true;
	switch (s->state) {
	case SLOT_READY:
		return true;
	case SLOT_IDLE:
		return (s->seen != seg->changes && s->idle < WEARY) || s->deadline <= seg->now;
	case SLOT_FD:
		return s->seen != seg->events || s->deadline <= seg->now;
	case SLOT_FUTEX:
		return s->woken >= 0 || s->deadline <= seg->now;
	case SLOT_SLEEP:
		return s->deadline <= seg->now;
	default:
		return false;
	}
}

/* The best by priority; by the random walk, any. NULL: none may run. */
static struct slot *
choose_slot(void)
{
	struct slot *may[DST_SLOTS];
	unsigned int n = 0, best = 0;

	for (unsigned int i = 0; i < seg->slots; i++)
		if (may_run(&seg->slot[i]))
			may[n++] = &seg->slot[i];
	if (n == 0)
		return NULL;
	if (seg->depth == 0) {
		best = dst_random() % n;
		return may[best];
	}
	for (unsigned int i = 1; i < n; i++)
		if (may[i]->priority > may[best]->priority)
			best = i;
	return may[best];
}

/* Nobody may run: time passes until somebody may, or the next fault comes. */
static void
jump_time(void)
{
	uint64_t first = NEVER;

	for (unsigned int i = 0; i < seg->slots; i++) {
		const struct slot *s = &seg->slot[i];

		if (s->state > SLOT_READY && s->state < SLOT_DEAD && s->deadline < first &&
		    !seg->slot[s->proc].stopped)
			first = s->deadline;
	}
	if (seg->fault_at != NEVER && (first == NEVER || first > seg->now + QUIET_NS) &&
	    dst_act(true))
		return;
	if (first == NEVER && seg->slot[0].state == SLOT_DEAD)
		dst_stop("left behind: a process");
	if (first == NEVER)
		dst_stop("deadlock: no thread can run, and none waits for a time");
	if (first > seg->now)
		seg->now = first;
	if (seg->now > seg->max_now)
		dst_stop("livelock: the job's time is over");
	hash_in(DST_TIME);
	hash_in(seg->now);
}

static void
until_gone(void)
{
	int pid = seg->leaving_pid, tid = seg->leaving_tid;
	long fd;

	seg->leaving_pid = 0;
	seg->leaving_tid = 0;
	if (pid == 0)
		return;
	if (tid == pid)
		return; /* stays a zombie until the process ends */
	if (tid != 0) {
		while (RAW3(SYS_tgkill, pid, tid, 0) == 0)
			RAW0(SYS_sched_yield);
		return;
	}
	fd = RAW2(SYS_pidfd_open, pid, 0);
	if (fd >= 0) {
		struct pollfd p = {.fd = (int)fd, .events = POLLIN};

		RAW3(SYS_poll, &p, 1, -1);
		RAW1(SYS_close, fd);
	}
}

static void
await_token(struct slot *s)
{
	while (__atomic_load_n(&s->go, __ATOMIC_ACQUIRE) == 0)
		RAW6(SYS_futex, &s->go, FUTEX_WAIT, 0, 0, 0, 0);
	s->go = 0;
	until_gone();
}

static void
give_token(struct slot *to)
{
	seg->running = number_of(to);
	__atomic_store_n(&to->go, 1, __ATOMIC_RELEASE);
	RAW6(SYS_futex, &to->go, FUTEX_WAKE, 1, 0, 0, 0);
}

static void
draw_countdown(void)
{
	if (seg->depth == 0 && seg->steps < seg->until) {
		seg->countdown = 1 + dst_random() % (2 * seg->k);
		return;
	}
	seg->countdown = seg->depth == 0 ? SPIN : UINT64_MAX;
	for (unsigned int i = 0; i < seg->depth; i++)
		if (seg->change_at[i] > seg->steps && seg->change_at[i] < seg->until &&
		    seg->change_at[i] - seg->steps < seg->countdown)
			seg->countdown = seg->change_at[i] - seg->steps;
}

static struct slot *
next_slot(void)
{
	struct slot *to;

	while ((to = choose_slot()) == NULL)
		jump_time();
	draw_countdown();
	hash_in(DST_SWITCH);
	log_in(number_of(to), DST_SWITCH, seg->events << 32 | (uint32_t)seg->changes,
	       seg->countdown);
	hash_in(number_of(to));
	return to;
}

static void
pass_on(void)
{
	struct slot *me = dst_self, *to = next_slot();

	if (to == me)
		return;
	give_token(to);
	await_token(me);
}

void
dst_wait(enum slot_state state, uint64_t deadline)
{
	struct slot *s = dst_self;

	s->state = state;
	s->deadline = deadline;
	pass_on();
	s->state = SLOT_READY;
	dst_deliver();
}

/* As if the kernel took its CPU away, for a time in which others do whole operations. 0: not now */
static uint64_t
draw_stall(const struct slot *s)
{
	uint64_t most = STALL * seg->k * (seg->stall + 1) * seg->point_ns;

	if (!seg->slot[s->proc].slow && (seg->stall == 0 || dst_random() % seg->stall != 0))
		return 0;
	return 1 + (dst_random() % most >> dst_random() % 8);
}

void
dst_point(enum dst_kind kind, uint64_t where, uint64_t value)
{
	struct slot *s = dst_self;

	if (s == NULL)
		return;
	seg->now += seg->point_ns;
	s->point = (uint64_t)kind << 48 ^ where;
	hash_in((uint64_t)number_of(s) << 58 ^ (uint64_t)kind << 48 ^ where);
	log_in(number_of(s), kind, where, value);
	if (value != 0)
		hash_in(value);
	s->busy++;
	if (++seg->steps == seg->max_steps)
		dst_stop("livelock: the bound of steps is reached");
	if (seg->steps >= seg->fault_at)
		dst_act(false);
	if (--seg->countdown != 0 && (seg->depth == 0 || ++s->ran < SPIN))
		return;
	s->ran = 0;
	if (seg->depth != 0)
		s->priority = --seg->lowest;
	dst_wait(SLOT_SLEEP, seg->now + draw_stall(s));
}

void
dst_changed(void)
{
	seg->changes++;
}

void
dst_pause(void)
{
	struct slot *s = dst_self;
	unsigned int doublings;

	if (s == NULL)
		return;
	dst_point(DST_PAUSE, 0, 0);
	if (seg->depth != 0)
		s->priority = --seg->lowest;
	s->seen = seg->changes;
	s->idle = s->busy > BUSY ? 1 : s->idle + 1;
	s->busy = 0;
	doublings = s->idle < IDLE_DOUBLINGS ? s->idle : IDLE_DOUBLINGS;
	dst_wait(SLOT_IDLE, seg->now + ((uint64_t)IDLE_NS << doublings));
}

/* One that nobody refers to. */
static struct slot *
free_slot(void)
{
	unsigned int i, k;

	for (i = 1; i < seg->slots; i++) { /* the first shows whether the job is over */
		if (seg->slot[i].state != SLOT_DEAD)
			continue;
		for (k = 0; k < seg->slots; k++)
			if (seg->slot[k].state != SLOT_DEAD &&
			    (seg->slot[k].proc == i || seg->slot[k].parent == i))
				break;
		if (k == seg->slots)
			return &seg->slot[i];
	}
	if (seg->slots == DST_SLOTS)
		dst_stop("more threads than there are slots for");
	return &seg->slot[seg->slots++];
}

struct slot *
dst_slot_new(const struct slot *proc)
{
	struct slot *s = free_slot();

	*s = (struct slot){.state = SLOT_READY,
			   .proc = proc == NULL ? number_of(s) : proc->proc,
			   .pid = proc == NULL ? 0 : proc->pid,
			   .pe = dst_self == NULL ? -1 : dst_self->pe,
			   .host = dst_self == NULL ? -1 : dst_self->host,
			   .priority = (int)(dst_random() >> 34) + 1};
	if (dst_self != NULL)
		s->parent = dst_self->proc;
	hash_in(DST_START);
	seg->threads++;
	return s;
}

void
dst_enter(struct slot *s)
{
	dst_self = s;
	await_token(s);
	s->pid = (int)RAW0(SYS_getpid);
	s->tid = (int)RAW0(SYS_gettid);
	dst_trap_on();
}

void
dst_end_other(int pid)
{
	RAW2(SYS_kill, pid, 9);
	seg->leaving_pid = pid;
	until_gone();
	dst_bury(pid, NULL);
}

/* Its children that die with it are killed by the kernel. */
static void
bury_children(unsigned int proc)
{
	for (unsigned int i = 0; i < seg->slots; i++) {
		struct slot *s = &seg->slot[i];

		if (s->state != SLOT_DEAD && s->parent == proc && s->dies_with_parent &&
		    s->proc == i)
			dst_end_other(s->pid);
	}
}

void
dst_bury(int pid, const struct slot *left)
{
	for (unsigned int i = 0; i < seg->slots; i++) {
		struct slot *s = &seg->slot[i];

		if (s->pid != pid || s == left || s->state == SLOT_DEAD)
			continue;
		s->state = SLOT_DEAD;
		if (s->proc == i && left == NULL)
			bury_children(i);
	}
	/* robust mutexes of the dead: waiters look again */
	for (unsigned int i = 0; i < seg->slots; i++)
		if (seg->slot[i].state == SLOT_FUTEX && seg->slot[i].woken < 0)
			seg->slot[i].woken = 0;
	seg->events++;
	seg->changes++;
}

static bool
any_left(void)
{
	unsigned int i;

	for (i = 0; i < seg->slots && seg->slot[i].state == SLOT_DEAD; i++)
		;
	return i < seg->slots;
}

void
dst_leave(bool process)
{
	dst_point(DST_END, process, 0);
	dst_gone(process);
}

void
dst_gone(bool process)
{
	struct slot *s = dst_self;

	if (process)
		dst_bury(s->pid, NULL);
	else
		s->state = SLOT_DEAD;
	for (unsigned int i = 0; i < seg->slots; i++)
		if (seg->slot[i].pid == s->pid && seg->slot[i].state == SLOT_FUTEX)
			seg->slot[i].woken = 0;
	seg->leaving_pid = s->pid;
	seg->leaving_tid = process ? 0 : s->tid;
	if (any_left())
		give_token(next_slot());
}

void
dst_lost(int pid)
{
	dst_bury(pid, NULL);
	if (any_left())
		give_token(next_slot());
}
