/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/lbuf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>

#include "base/exit.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/types.h"
#include "base/window.h"
#include "host/hostseg.h"
#include "host/wait.h"

/*
 * Cross Memory Attach: access to the private memory of another PE of this host. The kernel makes
 * one copy, directly from or to the final address.
 */
typedef ssize_t (*cma_call)(pid_t, const struct iovec *, unsigned long, const struct iovec *,
			    unsigned long, unsigned long);

enum {
	END_MS = 2000 /* in which a launcher ends the job of a PE that is gone */
};

/* The other PE is ending, and its launcher names it and ends this one. Whoever says first that it
 * cannot go on would be taken for the cause. */
static void
await_end(void)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	uint64_t began = rb_now_ms();

	while (rb_now_ms() - began < END_MS)
		nanosleep(&moment, NULL);
}

static int
cma_copy(cma_call call, pid_t pid, void *there_at, void *local, size_t len)
{
	struct iovec here = {.iov_base = local, .iov_len = len};
	struct iovec there = {.iov_base = there_at, .iov_len = len};

	while (here.iov_len > 0) {
		ssize_t n = call(pid, &here, 1, &there, 1, 0);

		if (n < 0 && errno == ESRCH) {
			await_end();
			return -ESRCH;
		}
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		here.iov_base = (uint8_t *)here.iov_base + n;
		there.iov_base = (uint8_t *)there.iov_base + n;
		here.iov_len -= (size_t)n;
		there.iov_len -= (size_t)n;
	}
	return 0;
}

/* A container may forbid the calls (seccomp), and so may the kernel for processes that are not each
 * other's parents (Yama). The kernel checks rights before addresses: -EFAULT means that the call is
 * allowed. */
static bool
cma_allowed(cma_call call, pid_t pid)
{
	char c = 0;

	return cma_copy(call, pid, NULL, &c, 1) == -EFAULT;
}

void
rb_cma_open(void)
{
	enum rb_cma_reach reach = RB_CMA_REACHES;
	int local;

	if (rb.locals == 1 || rb.local != 0)
		return;
	for (local = 1; local < rb.locals; local++)
		if (!cma_allowed(process_vm_readv, rb_hostseg->pid[local]) ||
		    !cma_allowed(process_vm_writev, rb_hostseg->pid[local]))
			reach = RB_CMA_FORBIDDEN;
	/* pairs with the acquire in rb_cma_reaches() */
	atomic_store_explicit(&rb_hostseg->reach, reach, memory_order_release);
}

bool
rb_cma_reaches(void)
{
	uint32_t reach;

	RB_WAIT_FOR((reach = atomic_load_explicit(&rb_hostseg->reach, memory_order_acquire)) !=
			    RB_CMA_UNKNOWN,
		    .what = RB_FOR_LOCAL, .whom = 0);
	return reach == RB_CMA_REACHES;
}

static void
copy_or_end(cma_call call, pid_t pid, void *there, void *local, size_t len)
{
	int ret = cma_copy(call, pid, there, local, len);

	if (ret == 0)
		return;
	rb_report("cannot copy %zu bytes from or to process %d by Cross Memory Attach: %s", len,
		  (int)pid, strerror(-ret));
	rb_abort(EXIT_FAILURE);
}

/* The kernel does not store through a window of messages. False: @p dst is in none. */
static bool
pull_pieces(uint8_t *dst, const struct rb_lbuf *src, size_t off, size_t len)
{
	uint8_t piece[4096];
	size_t done, n;

	if (!rb.messages->write(dst, "", 0))
		return false;
	for (done = 0; done < len; done += n) {
		n = RTE_MIN(len - done, sizeof(piece));
		rb_lbuf_pull(piece, src, off + done, n);
		rb.messages->write(dst + done, piece, n);
	}
	return true;
}

void
rb_lbuf_pull(void *dst, const struct rb_lbuf *src, size_t off, size_t len)
{
	if (unlikely(rb.messages != NULL) && pull_pieces(dst, src, off, len))
		return;
	/* the kernel stores where this thread may have stored before */
	rb_win_port_drains(dst);
	copy_or_end(process_vm_readv, src->pid, src->ptr + off, dst, len);
}

void
rb_lbuf_push(const struct rb_lbuf *dst, size_t off, const void *src, size_t len)
{
	copy_or_end(process_vm_writev, dst->pid, dst->ptr + off, (void *)(uintptr_t)src, len);
}
