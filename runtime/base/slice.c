/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/slice.h"

#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * struct sched_attr of the kernel (sched_setattr(2)). C libraries before glibc 2.41 do not declare
 * it, and the kernel's header clashes with the sched.h of some.
 */
struct attr {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime; /* ns; of an ordinary thread: its slice, from Linux 6.12 on */
	uint64_t deadline;
	uint64_t period;
};

void
rb_slice_short(void)
{
	struct attr a = {.size = sizeof(a)};

	if (syscall(SYS_sched_getattr, 0, &a, sizeof(a), 0) != 0 || a.policy != SCHED_OTHER)
		return;
	/* policy and nice value stay; older kernels take no notice */
	a.runtime = RB_SLICE_NS;
	(void)syscall(SYS_sched_setattr, 0, &a, 0);
}
