/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "unwind.h"

#include "error.h"

static _Thread_local struct shmemi_guard *last;

void
shmemi_guard_begin(struct shmemi_guard *guard)
{
	guard->outer = last;
	last = guard;
}

struct shmemi_guard *
shmemi_guard_swap(struct shmemi_guard *guard)
{
	struct shmemi_guard *before = last;

	last = guard;
	return before;
}

int
shmemi_guard_end(void)
{
	last = last->outer;
	if (!rb_gone_stopped())
		return 0;
	rb_gone_note(-1);
	return -1;
}

void
shmemi_unwind(void)
{
	struct shmemi_guard *guard = last;

	if (guard == NULL)
		shmemi_fatal("a collective on an active set",
			     "a host is lost, and only collectives on teams return then");
	last = guard->outer;
	rb_gone_note(-1);
	longjmp(guard->at, 1);
}
