/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <linux/futex.h>

#include "raw.h"
#include "token.h"

/*
 * Faults at numbered steps: whoever has the token then makes them. Cables are handled by the
 * watcher (cable.c), since this process may be in the model at this point.
 */
enum {
	RETRY = 64, /* steps, where there is no cable yet, or another process handles it */
	AHEAD_S = 5000,
};

#define seg DST_AT

/* @return false: later */
static bool
handle_cable(void)
{
	if (seg->ends[0] != 0) {
		dst_wire_fault(&seg->fault[seg->next_fault]);
		return true;
	}
	__atomic_store_n(&seg->cable_go, 1, __ATOMIC_RELEASE);
	RAW6(SYS_futex, &seg->cable_go, FUTEX_WAKE, 1, 0, 0, 0);
	while (__atomic_load_n(&seg->cable_go, __ATOMIC_ACQUIRE) != 0)
		RAW6(SYS_futex, &seg->cable_go, FUTEX_WAIT, 1, 0, 0, 0);
	seg->changes++;
	seg->events++;
	return seg->cable_ret != -EAGAIN && seg->cable_ret != -ENODATA;
}

static void
handle_process(struct slot *s, enum dst_verb verb)
{
	switch (verb) {
	case DST_KILL:
		dst_end(s->pid);
		break;
	case DST_STOP:
	case DST_CONTINUE:
		s->stopped = verb == DST_STOP;
		break;
	case DST_SLOW:
		s->slow = true;
		break;
	default:
		s->refused = true;
	}
}

static bool
is_meant(const struct slot *s, const struct dst_fault *f)
{
	return s->state != SLOT_DEAD && &seg->slot[s->proc] == s &&
	       (f->of_host ? s->host : s->pe) == f->a;
}

/* This process comes last, which may end by it. */
static void
handle_processes(const struct dst_fault *f)
{
	struct slot *mine = dst_self == NULL ? NULL : &seg->slot[dst_self->proc];

	for (unsigned int i = 0; i < seg->slots; i++)
		if (&seg->slot[i] != mine && is_meant(&seg->slot[i], f))
			handle_process(&seg->slot[i], f->verb);
	if (mine != NULL && is_meant(mine, f))
		handle_process(mine, f->verb);
}

/* Who holds the cable may be stopped, and be continued only after it. */
static bool
let_process_first(bool now)
{
	struct dst_fault *f = &seg->fault[seg->next_fault], first = *f;

	if (seg->next_fault + 1 == seg->n_faults || f[1].verb <= DST_HEAR ||
	    (!now && f[1].at > seg->steps))
		return false;
	f[0] = f[1];
	f[1] = first;
	seg->fault_at = 0;
	return true;
}

bool
dst_act(bool now)
{
	unsigned int before = seg->next_fault;

	while (seg->fault_at != NEVER && (now || seg->fault_at <= seg->steps)) {
		const struct dst_fault *f = &seg->fault[seg->next_fault];

		if (f->verb <= DST_HEAR && !handle_cable()) {
			seg->fault_at = seg->steps + RETRY;
			if (!let_process_first(now))
				break;
			continue;
		}
		seg->fault_at = ++seg->next_fault == seg->n_faults ? NEVER : f[1].at;
		now = false;
		if (f->verb == DST_FAST)
			seg->clock[f->a].fast_from = seg->now;
		else if (f->verb == DST_AHEAD)
			seg->clock[f->a].ahead = AHEAD_S * 1000000000ull;
		else if (f->verb > DST_HEAR)
			handle_processes(f);
	}
	return seg->next_fault != before;
}
