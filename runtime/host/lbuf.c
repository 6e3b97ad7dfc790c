/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/lbuf.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit.h"
#include "base/state.h"
#include "base/window.h"
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
	int ret;

	if (unlikely(rb.messages != NULL) && pull_pieces(dst, src, off, len))
		return;
	/* the kernel stores where this thread may have stored before */
	rb_win_port_drains(dst);
	ret = rb_cma_read(src->pid, src->ptr + off, dst, len);
	check_copy(ret, src->pid, len);
}

void
rb_lbuf_push(const struct rb_lbuf *dst, size_t off, const void *src, size_t len)
{
	int ret = rb_cma_write(dst->pid, dst->ptr + off, src, len);

	check_copy(ret, dst->pid, len);
}
