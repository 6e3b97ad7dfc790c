/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/proxy_ring.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

void
rb_proxy_ring_bell(void)
{
	if (atomic_load_explicit(&rb_hostseg->asleep, memory_order_relaxed) == 0)
		return;
	atomic_fetch_add_explicit(&rb_hostseg->bell, 1, memory_order_release);
	syscall(SYS_futex, &rb_hostseg->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
