/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/hostseg.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <rte_branch_prediction.h>

#include "base/error.h"
#include "base/exit.h"
#include "base/state.h"

struct rb_host_seg *rb_hostseg;

int
rb_hostseg_open(const struct rb_file *file, const char *what)
{
	int ret = rb_file_open(rb_hostseg->lead_pid, file);

	return ret >= 0 ? ret
			: rb_fail(ret, "cannot open %s, descriptor %d of process %d: %s", what,
				  (int)file->fd, (int)rb_hostseg->lead_pid, strerror(-ret));
}

void
rb_hostseg_bell(void)
{
	if (atomic_load_explicit(&rb_hostseg->asleep, memory_order_relaxed) == 0)
		return;
	atomic_fetch_add_explicit(&rb_hostseg->bell, 1, memory_order_release);
	syscall(SYS_futex, &rb_hostseg->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void
run_errand(int local, uint8_t *at, uint32_t len, bool push)
{
	struct rb_host_errand *e = &rb_hostseg->errand[local];
	uint32_t asked = atomic_load_explicit(&e->asked, memory_order_relaxed) + 1;

	e->at = at;
	e->len = len;
	e->push = push;
	/* release, and acquire below: pair with those in rb_hostseg_answer() */
	atomic_store_explicit(&e->asked, asked, memory_order_release);
	while (atomic_load_explicit(&e->done, memory_order_acquire) != asked) {
		rb_abort_check();
		sched_yield();
	}
}

void
rb_hostseg_carry(int local, uint8_t *there, void *here, size_t len, bool push)
{
	static atomic_flag lock = ATOMIC_FLAG_INIT; /* one errand at a time */
	uint8_t *carried = rb_hostseg->carried[local], *at = here;

	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		sched_yield();
	while (len > 0) {
		uint32_t n = len < RB_PAGE ? (uint32_t)len : RB_PAGE;

		if (push)
			memcpy(carried, at, n);
		run_errand(local, there, n, push);
		if (!push)
			memcpy(at, carried, n);
		there += n;
		at += n;
		len -= n;
	}
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

bool
rb_hostseg_answer(void)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT; /* threads of this PE */
	struct rb_host_errand *e;
	uint8_t *carried;
	uint32_t asked;

	if (rb.local == 0 || rb_hostseg == NULL)
		return false;
	e = &rb_hostseg->errand[rb.local];
	if (likely(atomic_load_explicit(&e->asked, memory_order_relaxed) ==
		   atomic_load_explicit(&e->done, memory_order_relaxed)) ||
	    atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
		return false;
	asked = atomic_load_explicit(&e->asked, memory_order_acquire);
	if (asked != atomic_load_explicit(&e->done, memory_order_relaxed)) {
		carried = rb_hostseg->carried[rb.local];
		memcpy(e->push ? e->at : carried, e->push ? carried : e->at, e->len);
		atomic_store_explicit(&e->done, asked, memory_order_release);
	}
	atomic_flag_clear_explicit(&busy, memory_order_release);
	return true;
}
