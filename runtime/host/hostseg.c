/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/hostseg.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"

struct rb_host_seg *rb_hostseg;

int
rb_hostseg_open_fd(int fd, const char *what)
{
	char path[64];
	int ret;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", rb_hostseg->lead_pid, fd);
	ret = open(path, O_RDWR | O_CLOEXEC);
	return ret >= 0 ? ret
			: rb_fail(-errno, "cannot open %s %s: %s", what, path, strerror(errno));
}

void
rb_hostseg_bell(void)
{
	if (atomic_load_explicit(&rb_hostseg->asleep, memory_order_relaxed) == 0)
		return;
	atomic_fetch_add_explicit(&rb_hostseg->bell, 1, memory_order_release);
	syscall(SYS_futex, &rb_hostseg->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
