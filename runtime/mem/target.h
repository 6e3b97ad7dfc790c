/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_TARGET_H
#define RB_MEM_TARGET_H

#include "base/state.h"
#include "mem/mem.h"
#include "host/lbuf.h"

/** An operation on its way: where to, through what. */
struct rb_target {
	int pe;
	int host;
	enum rb_side side;
	unsigned int hops;
	struct rb_loc loc;
};

/** Resolve (pe, addr, len). 0 or -EFAULT. */
int rb_target(struct rb_target *t, int pe, const void *addr, size_t len);
/** The same from a place in a segment, checked by the caller. */
void rb_target_at(struct rb_target *t, int pe, const struct rb_loc *loc);

/** For waits under the lock of a channel, or for what all operations need. */
#define RB_WAIT_INNER                      \
	{                                  \
		.turns = 64, .inner = true \
	}

/** Fill rb_near[], once links and routes are known. */
void rb_near_fill(void);
/** Stores towards @p host go the long way until it has executed the first @p issued requests of
 *  channel @p chan. */
void rb_near_close(int host, unsigned int chan, uint64_t issued);
/** The long way did not have to wait: try the short one again. */
void rb_near_open(int host);

/** Has @p host completed so many requests? Acquire: pairs with the release of whoever acknowledges
 *  (relay/ack.c). */
static inline bool
rb_acked(int host, unsigned int chan, enum rb_class cls, uint64_t issued)
{
	const uint64_t *ack = &rb.link[rb.route[host].side].mine->ack[host][chan][cls];

	return (int64_t)(__atomic_load_n(ack, __ATOMIC_ACQUIRE) - issued) >= 0;
}

/** Memory of a place on this host; NULL: other host, or private to another process. */
uint8_t *rb_local(const struct rb_target *t);

/** Cross Memory Attach, where another local PE's static data is private. 0 or -errno. */
int rb_cma_put(const struct rb_target *t, const void *src, size_t len);
int rb_cma_get(const struct rb_target *t, void *dst, size_t len);

/** Address in the window of a place on a neighbour host; NULL where there is no such way. */
uint8_t *rb_direct(const struct rb_target *t);

/** Will the last relay store a put in its final place? */
bool rb_placed(const struct rb_target *t);

/** Send one request frame and count it; waits for room. d->len bytes of payload come from
 *  @p src + @p off; @p src may be NULL. */
void rb_send(struct rb_ctx *ctx, const struct rb_target *t, struct rb_desc *d,
	     const struct rb_ref *src, size_t off);

/** Claim a request entry; waits for one. */
struct rb_req *rb_req_claim(const struct rb_ref *dst, uint32_t len, _Atomic uint32_t *pending);

/** Wait until @p pending is 0. */
void rb_pending_wait(_Atomic uint32_t *pending);

/* To another host, by a process that has the ports. */
void rb_put_remote(struct rb_ctx *ctx, struct rb_target *t, const struct rb_ref *src, size_t len,
		   bool nbi);
void rb_get_remote(struct rb_ctx *ctx, struct rb_target *t, const struct rb_ref *dst, size_t len,
		   _Atomic uint32_t *pending);
void rb_amo_remote(struct rb_ctx *ctx, const struct rb_target *t, const struct rb_amo *op,
		   const struct rb_ref *fetch, _Atomic uint32_t *pending);

/** Before a store that may overtake frames: wait for those a fence put before it. */
void rb_fence_apply(struct rb_ctx *ctx, int host);

#endif /* RB_MEM_TARGET_H */
