/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <sys/uio.h>

#include "rb_host.h"
#include "rb_xfer.h"

/*
 * Cross Memory Attach: the way to another process's static data where RINGBELL_STATIC=copy keeps
 * it private. All PEs run the same program; its own load address is not ours, so the place is
 * found through the base that each PE left in the host segment.
 */
typedef ssize_t (*cma_call)(pid_t, const struct iovec *, unsigned long, const struct iovec *,
			    unsigned long, unsigned long);

static int
cma(cma_call call, const struct rb_target *t, void *local, size_t len)
{
	unsigned int peer = rb.place[t->pe].local;
	struct iovec here = {.iov_base = local, .iov_len = len};
	struct iovec there = {.iov_base = rb.seg->data[peer] + t->loc.off, .iov_len = len};

	while (here.iov_len > 0) {
		ssize_t n = call(rb.seg->pid[peer], &here, 1, &there, 1, 0);

		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		here.iov_base = (uint8_t *)here.iov_base + n;
		there.iov_base = (uint8_t *)there.iov_base + n;
		here.iov_len -= (size_t)n;
		there.iov_len -= (size_t)n;
	}
	return 0;
}

int
rb_cma_put(const struct rb_target *t, const void *src, size_t len)
{
	return cma(process_vm_writev, t, (void *)(uintptr_t)src, len);
}

int
rb_cma_get(const struct rb_target *t, void *dst, size_t len)
{
	return cma(process_vm_readv, t, dst, len);
}
