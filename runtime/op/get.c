/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "op/get.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/types.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/window.h"
#include "base/wire.h"
#include "link/copy.h"
#include "host/proxy_client.h"
#include "host/wait_choose.h"
#include "link/cable.h"
#include "link/frame.h"
#include "mem/fastpath.h"
#include "mem/layout.h"
#include "mem/target.h"
#include "observe/span.h"
#include "observe/stats.h"
#include "observe/trace_file.h"
#include "relay/request.h"
#include "relay/send.h"

enum {
	PART = 256 /* bytes that are loaded through a window before they are looked at */
};

/* Offset in this host's region of a local buffer that is wholly inside it: in symmetric memory of
 * this PE, or of another PE that posted the get. 0: the buffer is elsewhere, and no window reaches
 * it. */
static uint64_t
region_offset(const uint8_t *dst, size_t len)
{
	struct rb_loc loc;
	uint64_t at;

	if (rb_locate(dst, len, &loc) == 0) {
		at = rb_seg_shown(loc.seg, (unsigned int)rb.local);
		return at == 0 ? 0 : at + loc.off;
	}
	at = (uintptr_t)dst - (uintptr_t)rb_mem.region;
	return rb_region_public(at, len) ? at : 0;
}

static void
get_frames(struct rb_ctx *ctx, struct rb_target *t, uint8_t *dst, size_t len,
	   _Atomic uint32_t *pending)
{
	uint32_t piece = rb_rule_piece(len, rb.chunk, !rb_waiting.crowded);
	uint64_t reply_off = region_offset(dst, len);
	uint32_t word = len <= sizeof(uint64_t) ? rb_send_word(ctx, t->host, pending) : 0;
	size_t done = 0;

	while (done < len) {
		uint32_t n = len - done < piece ? (uint32_t)(len - done) : piece;
		struct rb_req *req = rb_req_claim(dst + done, n, pending);
		struct rb_desc d = rb_frame_get(t->loc.off + done, n, req->id,
						reply_off != 0 ? reply_off + done : 0);

		d.flags |= word;
		req->remote_store = reply_off != 0;
		rb_send(ctx, t, &d, NULL);
		done += n;
	}
}

/* Loads give ones where the link is down, and the program must not take them for data: a flush ends
 * the job then. Any load may be of one byte. */
static void
load_window(const struct rb_target *t, uint8_t *dst, const uint8_t *from, size_t len)
{
	_Alignas(RB_FAST_WORD) uint8_t part[PART];
	size_t done = 0, n;

	for (; done < len; done += n) {
		n = len - done < PART ? len - done : PART;
		if (!rb_win_loaded(part, from + done, n))
			rb_copy(part, from + done, n);
		if (memchr(part, 0xff, n) != NULL)
			(rb_cable_flush)(t->port); /* also in builds with weak_window */
		rb_copy(dst + done, part, n);
	}
}

/* A port of messages reads any length by one request, and this thread waits for it. */
static bool
load_message(struct rb_ctx *ctx, const struct rb_target *t, uint8_t *dst, const uint8_t *from,
	     size_t len, const _Atomic uint32_t *pending)
{
	if (from == NULL || !rb.link[t->port].messages || pending == &ctx->pending)
		return false;
	rb_win_load(dst, from, len);
	if (*dst == 0xff) /* or all of it, where the link is down */
		(rb_cable_flush)(t->port);
	rb_got();
	rb_stats_load(t->port, len);
	return true;
}

void
rb_get_rings(struct rb_ctx *ctx, struct rb_target *t, uint8_t *dst, size_t len,
	     _Atomic uint32_t *pending)
{
	const uint8_t *from = rb_direct(t);

	if (load_message(ctx, t, dst, from, len, pending))
		return;
	if (from == NULL || rb_copy_requests(rb_dist_of(&rb.link[t->port]), len)) {
		get_frames(ctx, t, dst, len, pending);
		return;
	}
	rb_win_rmb(&rb.link[t->port]);
	if (rb.link[t->port].memory)
		rb_copy(dst, from, len);
	else
		load_window(t, dst, from, len);
	rb_got();
	rb_stats_load(t->port, len);
}

static int
get_slow(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len, bool nbi)
{
	_Atomic uint32_t pending = 0;
	struct rb_target t;
	void *from;

	if (unlikely(len == 0))
		return 0;
	if (unlikely(rb_target(&t, pe, src, len) < 0))
		return -EFAULT;
	from = rb_local(&t);
	if (from != NULL) {
		rb_copy(dst, from, len);
		rb_got();
		return 0;
	}
	if (rb.local != 0) {
		rb_proxy_get(ctx, &t, dst, len, nbi);
		return 0;
	}
	rb_get_rings(ctx, &t, dst, len, nbi ? &ctx->pending : &pending);
	rb_pending_wait(&pending);
	return 0;
}

/* @return 1: by the fast path; 0: by another one; or -errno */
static inline int
get_by_reach(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len, bool nbi)
{
	void *from;

	if (unlikely(!rb_fast_at(pe, src, len, &from)))
		return get_slow(ctx, pe, dst, src, len, nbi);
	rb_copy(dst, from, len);
	rb_got();
	return 1;
}

static int
get_counted(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len, bool nbi)
{
	struct rb_span span = rb_span_begin(RB_TRACE_GET, pe, len);
	int ret = get_by_reach(ctx, pe, dst, src, len, nbi);

	rb_stats_get(pe, len, ret > 0);
	rb_span_end(&span);
	return RTE_MIN(ret, 0);
}

static inline int
get_any(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len, bool nbi)
{
	int ret;

	if (unlikely(rb.instrument != 0))
		return get_counted(ctx, pe, dst, src, len, nbi);
	ret = get_by_reach(ctx, pe, dst, src, len, nbi);
	return RTE_MIN(ret, 0);
}

int
rb_get(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len)
{
	return get_any(ctx, pe, dst, src, len, false);
}

int
rb_get_nbi(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len)
{
	return get_any(ctx, pe, dst, src, len, true);
}
