/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/proxy_client.h"

#include <stdbool.h>
#include <string.h>

#include <rte_ring_elem.h>

#include "base/rules.h"
#include "base/state.h"
#include "base/types.h"
#include "host/hostseg.h"
#include "host/proxy_queue.h"
#include "host/wait.h"
#include "mem/layout.h"
#include "mem/target.h"

static atomic_flag post_lock = ATOMIC_FLAG_INIT;  /* tickets in ring order */
static atomic_flag value_lock = ATOMIC_FLAG_INIT; /* the value cell */

enum {
	VALUE_MAX = sizeof(((struct rb_host_line *)0)->value)
};

/*
 * Each PE has a ring of its own, with one producer and one consumer. A PE that loses its CPU, or is
 * stopped, between the two halves of an enqueue delays only itself, because no PE waits for another
 * PE's entry. A bit for each PE in seg->posts tells the lead which rings to read, and a counter in
 * the lead's process (host/proxy_queue.c) whether an operation of the PE is under way:
 *
 *   PE                               lead, or a thread that polls for it
 *   enqueue (tail)                   due |= bits of posts that are not due yet
 *   full fence                       posts &= ~those, a full fence
 *   bit not in posts: set it         look at the rings that are due, of PEs with none under way
 *   full fence                       ring empty: due &= ~bit
 *   lead asleep: ring its bell
 *
 * Invariant: a ring that holds an element has its bit in posts or in due, or its PE is about to set
 * it. The reason: the lead clears the bit in posts before it reads the ring. Of this read and the
 * PE's read of posts, at least one sees the other side's store (store buffering,
 * tests/spin/proxy.pml). The bit is set in due before it is cleared in posts, so a thread that
 * reads posts (acquire) and then due, as rb_proxy_idle() does, finds it in one of them.
 */

/* All threads of a PE share one value cell: the lead's round trip takes longer than this lock.
 * Nothing runs while a thread waits here that may need one of the locks, which it may hold. */
static void
lock_flag(atomic_flag *flag)
{
	RB_WAIT_FOR(!atomic_flag_test_and_set_explicit(flag, memory_order_acquire), .inner = true);
}

static void
unlock_flag(atomic_flag *flag)
{
	atomic_flag_clear_explicit(flag, memory_order_release);
}

/* Fences: see the head of this file and relay/sleep.c. */
static void
announce_post(void)
{
	_Atomic uint64_t *word = &rb_hostseg->posts[rb.local / 64];
	uint64_t bit = 1ull << rb.local % 64;

	/* pairs with the clearing of posts in collect(), and with the fence in rb_sleep() */
	atomic_thread_fence(memory_order_seq_cst);
	if ((atomic_load_explicit(word, memory_order_relaxed) & bit) == 0) {
		atomic_fetch_or_explicit(word, bit, memory_order_release);
		/* pairs with the fence in rb_sleep(): it sees the bit, or this sees it asleep */
		atomic_thread_fence(memory_order_seq_cst);
	}
	rb_hostseg_bell();
}

/* May wait for a free ring entry. The wait names the lead, which is another process and empties the
 * ring. */
static uint64_t
post_op(struct rb_ctx *ctx, struct rb_proxy_op *h)
{
	struct rb_host_line *line = &rb_hostseg->pe[rb.local];
	uint64_t ticket;

	h->chan = (uint8_t)ctx->chan;
	/* The lock makes one thread of this PE the producer, and keeps tickets in ring order: the
	 * lead counts operations as it finishes them. */
	lock_flag(&post_lock);
	RB_WAIT_FOR(
		rte_ring_sp_enqueue_elem(rb_proxy_ring((unsigned int)rb.local), h, sizeof(*h)) == 0,
		.what = RB_FOR_LOCAL, .whom = 0, .inner = true);
	ticket = atomic_load_explicit(&line->posted, memory_order_relaxed) + 1;
	atomic_store_explicit(&line->posted, ticket, memory_order_relaxed);
	atomic_store_explicit(h->kind == RB_PROXY_FENCE ? &ctx->ordered : &ctx->handed, ticket,
			      memory_order_relaxed);
	unlock_flag(&post_lock);
	announce_post();
	return ticket;
}

static void
wait_done(uint64_t ticket)
{
	const struct rb_host_line *line = &rb_hostseg->pe[rb.local];

	/* acquire: pairs with complete_op() of the lead (host/proxy_queue.c) */
	RB_WAIT_FOR(atomic_load_explicit(&line->done, memory_order_acquire) >= ticket,
		    .what = RB_FOR_LOCAL, .whom = 0, .inner = true);
}

static void
set_target(struct rb_proxy_op *h, const struct rb_target *t, size_t len)
{
	h->pe = (uint32_t)t->pe;
	h->seg = (uint8_t)t->loc.seg;
	h->off = t->loc.off;
	h->len = len;
}

/* Heap and remapped static data are in the region, where the lead reaches them too. False: the
 * memory is private. */
static bool
set_lbuf(struct rb_proxy_op *h, const void *ptr, size_t len)
{
	struct rb_loc loc;
	uint64_t base;

	if (rb_locate(ptr, len, &loc) < 0)
		return false;
	base = rb_seg_base(loc.seg, (unsigned int)rb.local);
	h->lbuf = RB_PROXY_BUF_REGION;
	h->at = base + loc.off;
	return base != 0;
}

/*
 * Private memory is copied through a buffer that the lead maps too, piece by piece: a put is over
 * for its source then, and a get has the next piece under way while it takes one out. The lead may
 * not reach it otherwise: a container or the kernel may forbid Cross Memory Attach, and the kernel
 * does where a process has dropped its rights.
 */
static atomic_flag bounce_lock = ATOMIC_FLAG_INIT;

enum {
	BLOCK = RB_PAGE,
	BLOCKS = RB_BOUNCES * RB_BOUNCE / BLOCK
};

/* Operations that have used the blocks last, and the next block; of the holder of bounce_lock. */
static uint64_t users[BLOCKS];
static unsigned int next_block;

struct piece {
	uint8_t *at;
	size_t len;
	uint64_t ticket;
};

/* Post the operation of the next bytes of @p h, of @p left. @p from: those of a put. A quarter of
 * the buffer at most: two in a row do not overlap. */
static struct piece
post_piece(struct rb_ctx *ctx, struct rb_proxy_op *h, size_t left, const uint8_t *from)
{
	struct piece p = {.len = RTE_MIN(left, (size_t)RB_BOUNCE)};
	unsigned int n = (unsigned int)((p.len + BLOCK - 1) / BLOCK), i;

	if (next_block + n > BLOCKS)
		next_block = 0;
	for (i = next_block; i < next_block + n; i++)
		wait_done(users[i]);
	h->at = (uint64_t)next_block * BLOCK;
	h->len = p.len;
	p.at = &rb_hostseg->bounce[rb.local][h->at];
	if (from != NULL)
		memcpy(p.at, from, p.len);
	p.ticket = post_op(ctx, h);
	for (i = next_block; i < next_block + n; i++)
		users[i] = p.ticket;
	next_block += n;
	h->off += p.len;
	return p;
}

static void
put_private(struct rb_ctx *ctx, struct rb_proxy_op *h, const uint8_t *from)
{
	size_t left = h->len, n;

	h->lbuf = RB_PROXY_BUF_BOUNCE;
	h->nbi = 0; /* the buffer is used again */
	lock_flag(&bounce_lock);
	for (; left > 0; left -= n, from += n)
		n = post_piece(ctx, h, left, from).len;
	unlock_flag(&bounce_lock);
}

static void
get_private(struct rb_ctx *ctx, struct rb_proxy_op *h, uint8_t *to)
{
	struct piece now, before = {.len = 0};
	size_t left = h->len;

	h->lbuf = RB_PROXY_BUF_BOUNCE;
	lock_flag(&bounce_lock);
	do {
		now = (struct piece){.len = 0};
		if (left > 0)
			now = post_piece(ctx, h, left, NULL);
		left -= now.len;
		if (before.len > 0) {
			wait_done(before.ticket);
			memcpy(to, before.at, before.len);
			to += before.len;
		}
		before = now;
	} while (now.len > 0);
	unlock_flag(&bounce_lock);
}

void
rb_proxy_put(struct rb_ctx *ctx, const struct rb_target *t, const void *src, size_t len, bool nbi)
{
	struct rb_proxy_op h = {.kind = RB_PROXY_PUT, .nbi = nbi};
	uint64_t ticket;

	set_target(&h, t, len);
	if (len <= sizeof(h.arg)) {
		h.lbuf = RB_PROXY_BUF_INLINE;
		memcpy(h.arg, src, len);
	} else if (!set_lbuf(&h, src, len)) {
		atomic_fetch_or_explicit(&ctx->dirty, 1ull << t->host, memory_order_relaxed);
		put_private(ctx, &h, src);
		return;
	}
	atomic_fetch_or_explicit(&ctx->dirty, 1ull << t->host, memory_order_relaxed);
	ticket = post_op(ctx, &h);
	if (!nbi && h.lbuf != RB_PROXY_BUF_INLINE)
		wait_done(ticket);
}

void
rb_proxy_get(struct rb_ctx *ctx, const struct rb_target *t, void *dst, size_t len, bool nbi)
{
	struct rb_proxy_op h = {.kind = RB_PROXY_GET};
	bool value = !nbi && len <= VALUE_MAX;
	uint64_t ticket;

	set_target(&h, t, len);
	if (value) {
		h.lbuf = RB_PROXY_BUF_VALUE;
		lock_flag(&value_lock);
	} else if (!set_lbuf(&h, dst, len)) {
		get_private(ctx, &h, dst);
		return;
	}
	ticket = post_op(ctx, &h);
	if (!nbi)
		wait_done(ticket);
	if (value) {
		memcpy(dst, rb_hostseg->pe[rb.local].value, len);
		unlock_flag(&value_lock);
	}
}

void
rb_proxy_amo(struct rb_ctx *ctx, const struct rb_target *t, const struct rb_amo *op, void *fetch)
{
	struct rb_proxy_op h = {
		.kind = RB_PROXY_AMO,
		.amo = (uint32_t)op->op | op->size << 8,
		.arg = {op->operand, op->cond},
	};

	set_target(&h, t, op->size);
	if (!rb_amo_fetches(op->op)) {
		atomic_fetch_or_explicit(&ctx->dirty, 1ull << t->host, memory_order_relaxed);
		post_op(ctx, &h);
		return;
	}
	h.lbuf = RB_PROXY_BUF_VALUE;
	lock_flag(&value_lock);
	wait_done(post_op(ctx, &h));
	memcpy(fetch, rb_hostseg->pe[rb.local].value, op->size);
	unlock_flag(&value_lock);
}

/* Does this PE store through any window itself? */
static bool
maps_window(void)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++)
		if (rb.link[port].peer != NULL)
			return true;
	return false;
}

bool
rb_proxy_handed(const struct rb_ctx *ctx)
{
	uint64_t ticket = atomic_load_explicit(&ctx->handed, memory_order_relaxed);

	/* acquire: as in wait_done() */
	return ticket == 0 ||
	       atomic_load_explicit(&rb_hostseg->pe[rb.local].done, memory_order_acquire) >= ticket;
}

uint64_t
rb_proxy_fence(struct rb_ctx *ctx)
{
	struct rb_proxy_op h = {.kind = RB_PROXY_FENCE};
	uint64_t ticket = atomic_load_explicit(&ctx->ordered, memory_order_relaxed);

	if (atomic_load_explicit(&ctx->handed, memory_order_relaxed) > ticket)
		ticket = post_op(ctx, &h);
	if (!maps_window())
		return 0;
	/* also for a fence that another thread has just posted */
	wait_done(ticket);
	return atomic_load_explicit(&ctx->dirty, memory_order_relaxed);
}

void
rb_proxy_drain(void)
{
	wait_done(atomic_load_explicit(&rb_hostseg->pe[rb.local].posted, memory_order_relaxed));
}

void
rb_proxy_flush(struct rb_ctx *ctx)
{
	struct rb_proxy_op h = {.kind = RB_PROXY_FLUSH};

	if (atomic_load_explicit(&ctx->dirty, memory_order_relaxed) == 0)
		rb_proxy_drain();
	else
		wait_done(post_op(ctx, &h));
}
