/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/lbuf.h"

#include <stdlib.h>
#include <string.h>

#include "base/exit.h"
#include "host/cma.h"

static void
check_copy(int ret, pid_t pid, size_t len)
{
	if (ret == 0)
		return;
	rb_report("cannot copy %zu bytes from or to process %d by Cross Memory Attach: %s", len,
		  (int)pid, strerror(-ret));
	rb_abort(EXIT_FAILURE);
}

void
rb_lbuf_pull(void *dst, const struct rb_lbuf *src, size_t off, size_t len)
{
	/* the kernel stores where this thread may have stored before */
	rb_win_port_drains(dst);
	check_copy(rb_cma_read(src->pid, src->ptr + off, dst, len), src->pid, len);
}

void
rb_lbuf_push(const struct rb_lbuf *dst, size_t off, const void *src, size_t len)
{
	check_copy(rb_cma_write(dst->pid, dst->ptr + off, src, len), dst->pid, len);
}
