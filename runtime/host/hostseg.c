/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/hostseg.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"

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
