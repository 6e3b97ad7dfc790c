/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_LBUF_H
#define RB_HOST_LBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <rte_branch_prediction.h>

#include "base/window.h"
#include "mem/fastpath.h"

/** The local buffer of a transfer: memory of this process, or of another PE of this host. */
struct rb_lbuf {
	uint8_t *ptr;
	pid_t pid; /**< 0: this process; else ptr is an address there (Cross Memory Attach) */
};

static inline struct rb_lbuf
rb_lbuf_own(const void *ptr)
{
	return (struct rb_lbuf){.ptr = (uint8_t *)(uintptr_t)ptr};
}

/** Cross Memory Attach, or by the PE itself; the process is a PE of this job, so a failure ends the
 *  job. */
void rb_lbuf_pull(void *dst, const struct rb_lbuf *src, size_t off, size_t len);
void rb_lbuf_push(const struct rb_lbuf *dst, size_t off, const void *src, size_t len);

static inline void
rb_lbuf_read(void *dst, const struct rb_lbuf *src, size_t off, size_t len)
{
	if (likely(src->pid == 0))
		rb_copy(dst, src->ptr + off, len);
	else
		rb_lbuf_pull(dst, src, off, len);
}

static inline void
rb_lbuf_write(const struct rb_lbuf *dst, size_t off, const void *src, size_t len)
{
	if (likely(dst->pid == 0))
		rb_copy(dst->ptr + off, src, len);
	else
		rb_lbuf_push(dst, off, src, len);
}

enum rb_cma_reach {
	RB_CMA_UNKNOWN,
	RB_CMA_REACHES,
	RB_CMA_FORBIDDEN,
};

/** Test whether the kernel allows copies between the private memories of this host's PEs, after all
 *  of them have stored their process ids. The lead does it for all. */
void rb_cma_open(void);
/** The result of that test; waits for it. */
bool rb_cma_reaches(void);

#endif /* RB_HOST_LBUF_H */
