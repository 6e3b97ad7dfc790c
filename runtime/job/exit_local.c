/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/exit_local.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/exit.h"
#include "base/launcher.h"
#include "base/leave.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/wire.h"
#include "host/hostseg.h"

/*
 * Under a PMIx launcher, a PE that ends the job announces it to all others, and each of them leaves
 * by itself. Other hosts read the abort word of the ring. The PEs of this host read a word in their
 * segment: a thread of each PE sleeps on it, because the program's own threads may be computing.
 * PMIx_Abort() alone would kill the others with unflushed output, and if the job's status is 0,
 * Slurm would take the kill as their status.
 */

/* The half of the abort word that is not 0 once the job ends, whatever the status is. */
static uint32_t *
set_half(struct rb_host_seg *seg)
{
	return (uint32_t *)(void *)&seg->abort + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

static void *
listen_for_end(void *arg)
{
	(void)arg;
	for (;;) {
		/* relaxed: what it points to was there before this thread, and stays */
		struct rb_host_seg *seg = __atomic_load_n(&rb_hostseg, __ATOMIC_RELAXED);
		uint64_t word;

		if (seg == NULL) /* the process is ending */
			return NULL;
		/* acquire: pairs with announce_locals() */
		word = atomic_load_explicit(&seg->abort, memory_order_acquire);
		if (word != 0) {
			if (rb.local == 0 && rb.hosts > 1)
				rb_abort_broadcast((int)(uint32_t)word);
			rb_leave((int)(uint32_t)word);
		}
		if (syscall(SYS_futex, set_half(seg), FUTEX_WAIT, 0, NULL, NULL, 0) < 0 &&
		    errno != EAGAIN && errno != EINTR)
			return NULL;
	}
}

static void
announce_locals(int status)
{
	if (rb_hostseg == NULL)
		return;
	/* release: also for the watchdog of the lead; the launcher kills the lead next */
	atomic_store_explicit(&rb_hostseg->abort, 1ull << RB_ABORT_SET | (uint32_t)status,
			      memory_order_release);
	syscall(SYS_futex, set_half(rb_hostseg), FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

int
rb_exit_local_start(void)
{
	static struct rb_abort_hook hook = {.fn = announce_locals};

	rb_abort_hook(RB_ABORT_ANNOUNCE, &hook);
	return rb_pmix_here() && rb.locals > 1 ? rb_thread_start(listen_for_end) : 0;
}
