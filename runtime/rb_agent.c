/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <rte_ring_elem.h>

#include "rb_agent.h"
#include "rb_amo.h"
#include "rb_host.h"
#include "rb_race.h"

enum kind {
	KIND_PUT,
	KIND_GET,
	KIND_AMO,
	KIND_FENCE,
	KIND_FLUSH
};

/** Where the near end of an operation is, as seen from the lead. */
enum near {
	NEAR_NONE,
	NEAR_INLINE,  /**< in the element */
	NEAR_REGION,  /**< offset in the region */
	NEAR_VALUE,   /**< the poster's value cell in the host segment */
	NEAR_PRIVATE, /**< address in the poster */
};

/** One element of a ring. Written by a PE of the same job, which the lead trusts as it trusts
 *  itself: both can write all of the region anyway. */
struct handed {
	uint8_t kind;
	uint8_t near;
	uint8_t chan;
	uint8_t seg;
	uint32_t pe;  /**< whom it is for */
	uint32_t amo; /**< op | size << 8 */
	uint32_t nbi; /**< the near end stays until a flush */
	uint64_t off;
	uint64_t len;
	uint64_t at;	 /**< near end */
	uint64_t arg[2]; /**< operand and cond, or inline data */
};
_Static_assert(sizeof(struct handed) == RB_HANDED_SIZE, "rb_host.h reserves the ring's memory");

enum {
	VALUE_MAX = sizeof(((struct rb_host_line *)0)->value)
};

static struct rb_ctx contexts[RB_MAX_LOCALS][RB_MAX_CHANNELS]; /* lead: on whose behalf */

/*
 * Each PE has a ring of its own, with one producer and one consumer: no PE ever waits for another
 * one's place in it, so a PE that loses its CPU, or is stopped, between the two halves of an
 * enqueue holds up nobody but itself. A bit for each PE in seg->posts says where to look:
 *
 *   PE                               lead, or whoever polls for it
 *   enqueue (tail)                   due |= bits of posts that are not due yet
 *   full fence                       posts &= ~those, a full fence
 *   bit not in posts: set it         look at the rings that are due
 *   full fence                       ring empty: due &= ~bit
 *   lead asleep: ring its bell
 *
 * Invariant: a ring that holds an element has its bit in posts or in due, or its PE is about to set
 * it. For the lead clears the bit of posts before it looks: of this look and the PE's look at posts
 * at least one sees the other side's store (store buffering, tests/spin/agent.pml). The bit is in
 * due before it leaves posts, so somebody who reads posts (acquire) and then due, as
 * rb_agent_idle() does, finds it in one of them.
 */
static struct rte_ring *
ring(unsigned int local)
{
	return (struct rte_ring *)rb.seg->ring[local];
}

/* ---- posting ---- */

/* One value cell for all threads of a PE: a fetch is held up by the lead's round trip anyway. */
static void
lock(atomic_flag *flag)
{
	struct rb_wait w = {0};

	while (atomic_flag_test_and_set_explicit(flag, memory_order_acquire))
		rb_wait_turn(&w);
	rb_wait_end(&w);
}

static void
unlock(atomic_flag *flag)
{
	atomic_flag_clear_explicit(flag, memory_order_release);
}

/* Fences: see the head of this file and rb_sleep.c. */
static void
announce(void)
{
	_Atomic uint64_t *word = &rb.seg->posts[rb.local / 64];
	uint64_t bit = 1ull << rb.local % 64;

	/* pairs with the clearing of posts in collect(), and with the fence in rb_sleep() */
	atomic_thread_fence(memory_order_seq_cst);
	if ((atomic_load_explicit(word, memory_order_relaxed) & bit) == 0) {
		atomic_fetch_or_explicit(word, bit, memory_order_release);
		/* pairs with the fence in rb_sleep(): it sees the bit, or this sees it asleep */
		atomic_thread_fence(memory_order_seq_cst);
	}
	if (atomic_load_explicit(&rb.seg->asleep, memory_order_relaxed) != 0) {
		atomic_fetch_add_explicit(&rb.seg->bell, 1, memory_order_release);
		syscall(SYS_futex, &rb.seg->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	}
}

/* Waiting for a place in the ring, and for the lead: it is another process, with its own turns. */
static uint64_t
post(struct rb_ctx *ctx, struct handed *h)
{
	struct rb_host_line *line = &rb.seg->pe[rb.local];
	struct rb_wait w = {.what = RB_FOR_LOCAL, .whom = 0};
	uint64_t ticket;

	h->chan = (uint8_t)ctx->chan;
	/* One thread of this PE at a time is the producer, and tickets are in ring order: the lead
	 * counts elements as it finishes them. */
	lock(&rb.post_lock);
	while (rte_ring_sp_enqueue_elem(ring((unsigned int)rb.local), h, sizeof(*h)) != 0)
		rb_wait_turn(&w);
	rb_wait_end(&w);
	ticket = atomic_load_explicit(&line->posted, memory_order_relaxed) + 1;
	atomic_store_explicit(&line->posted, ticket, memory_order_relaxed);
	atomic_store_explicit(h->kind == KIND_FENCE ? &ctx->ordered : &ctx->handed, ticket,
			      memory_order_relaxed);
	unlock(&rb.post_lock);
	announce();
	return ticket;
}

static void
wait_done(uint64_t ticket)
{
	const struct rb_host_line *line = &rb.seg->pe[rb.local];
	struct rb_wait w = {.what = RB_FOR_LOCAL, .whom = 0};

	/* acquire: pairs with finish() */
	while (atomic_load_explicit(&line->done, memory_order_acquire) < ticket)
		rb_wait_turn(&w);
	rb_wait_end(&w);
}

static void
aim(struct handed *h, const struct rb_target *t, size_t len)
{
	h->pe = (uint32_t)t->pe;
	h->seg = (uint8_t)t->loc.seg;
	h->off = t->loc.off;
	h->len = len;
}

/* Heap and remapped static data are in the region, where the lead sees them too. */
static void
set_near(struct handed *h, const void *ptr, size_t len)
{
	struct rb_loc loc;
	uint64_t base;

	if (rb_locate(ptr, len, &loc) == 0) {
		base = rb_seg_base(loc.seg, (unsigned int)rb.local);
		if (base != 0) {
			h->near = NEAR_REGION;
			h->at = base + loc.off;
			return;
		}
	}
	h->near = NEAR_PRIVATE;
	h->at = (uintptr_t)ptr;
}

void
rb_agent_put(struct rb_ctx *ctx, const struct rb_target *t, const void *src, size_t len, bool nbi)
{
	struct handed h = {.kind = KIND_PUT, .nbi = nbi};
	uint64_t ticket;

	aim(&h, t, len);
	if (len <= sizeof(h.arg)) {
		h.near = NEAR_INLINE;
		memcpy(h.arg, src, len);
	} else {
		set_near(&h, src, len);
	}
	atomic_fetch_or_explicit(&ctx->dirty, 1ull << t->host, memory_order_relaxed);
	ticket = post(ctx, &h);
	if (!nbi && h.near != NEAR_INLINE)
		wait_done(ticket);
}

void
rb_agent_get(struct rb_ctx *ctx, const struct rb_target *t, void *dst, size_t len, bool nbi)
{
	struct handed h = {.kind = KIND_GET};
	bool value = !nbi && len <= VALUE_MAX;
	uint64_t ticket;

	aim(&h, t, len);
	if (value)
		h.near = NEAR_VALUE;
	else
		set_near(&h, dst, len);
	if (value)
		lock(&rb.value_lock);
	ticket = post(ctx, &h);
	if (!nbi)
		wait_done(ticket);
	if (value) {
		memcpy(dst, rb.seg->pe[rb.local].value, len);
		unlock(&rb.value_lock);
	}
}

void
rb_agent_amo(struct rb_ctx *ctx, const struct rb_target *t, const struct rb_amo *op, void *fetch)
{
	struct handed h = {
		.kind = KIND_AMO,
		.amo = (uint32_t)op->op | op->size << 8,
		.arg = {op->operand, op->cond},
	};

	aim(&h, t, op->size);
	if (!rb_amo_fetches(op->op)) {
		atomic_fetch_or_explicit(&ctx->dirty, 1ull << t->host, memory_order_relaxed);
		post(ctx, &h);
		return;
	}
	h.near = NEAR_VALUE;
	lock(&rb.value_lock);
	wait_done(post(ctx, &h));
	memcpy(fetch, rb.seg->pe[rb.local].value, op->size);
	unlock(&rb.value_lock);
}

uint64_t
rb_agent_fence(struct rb_ctx *ctx)
{
	struct handed h = {.kind = KIND_FENCE};
	uint64_t ticket = atomic_load_explicit(&ctx->ordered, memory_order_relaxed);

	if (atomic_load_explicit(&ctx->handed, memory_order_relaxed) > ticket)
		ticket = post(ctx, &h);
	if (rb.link[RB_LEFT].peer == NULL && rb.link[RB_RIGHT].peer == NULL)
		return 0;
	/* also for a fence that another thread has just handed over */
	wait_done(ticket);
	return atomic_load_explicit(&ctx->dirty, memory_order_relaxed);
}

void
rb_agent_drain(void)
{
	wait_done(atomic_load_explicit(&rb.seg->pe[rb.local].posted, memory_order_relaxed));
}

void
rb_agent_flush(struct rb_ctx *ctx)
{
	struct handed h = {.kind = KIND_FLUSH};

	if (atomic_load_explicit(&ctx->dirty, memory_order_relaxed) == 0)
		rb_agent_drain();
	else
		wait_done(post(ctx, &h));
}

/* ---- doing ---- */

int
rb_agent_init(void)
{
	unsigned int l, c;

	if (rte_ring_get_memsize_elem(RB_HANDED_SIZE, RB_HANDED_COUNT) > RB_HANDED_RING)
		return rb_fail(-EINVAL, "the rings of the PEs without ports are too small");
	for (l = 1; l < (unsigned int)rb.locals; l++)
		if (rte_ring_init(ring(l), "ringbell_agent", RB_HANDED_COUNT,
				  RING_F_SP_ENQ | RING_F_SC_DEQ) != 0)
			return rb_fail(-EINVAL, "no ring for the PEs without ports");
	for (l = 0; l < RB_MAX_LOCALS; l++)
		for (c = 0; c < RB_MAX_CHANNELS; c++)
			contexts[l][c].chan = c;
	return 0;
}

static struct rb_ref
near_end(const struct handed *h, unsigned int local)
{
	struct rb_host_line *line = &rb.seg->pe[local];

	switch (h->near) {
	case NEAR_INLINE:
		return rb_ref_own(h->arg);
	case NEAR_REGION:
		return rb_ref_own(rb.region + h->at);
	case NEAR_VALUE:
		return rb_ref_own(line->value);
	default:
		return (struct rb_ref){.ptr = (uint8_t *)(uintptr_t)h->at,
				       .pid = rb.seg->pid[local]};
	}
}

static void
act(const struct handed *h, unsigned int local)
{
	struct rb_ctx *ctx = &contexts[local][h->chan];
	const struct rb_loc loc = {.seg = h->seg, .off = h->off};
	const struct rb_amo amo = {
		.op = h->amo & 0xff, .size = h->amo >> 8, .operand = h->arg[0], .cond = h->arg[1]};
	const struct rb_ref near = near_end(h, local);
	_Atomic uint32_t pending = 0;
	struct rb_target t;

	rb_target_at(&t, (int)h->pe, &loc);
	switch (h->kind) {
	case KIND_PUT:
		rb_put_remote(ctx, &t, &near, h->len, h->nbi != 0);
		break;
	case KIND_GET:
		rb_get_remote(ctx, &t, &near, h->len, &pending);
		break;
	case KIND_AMO:
		rb_amo_remote(ctx, &t, &amo, &near, &pending);
		break;
	case KIND_FENCE:
		rb_fence(ctx);
		break;
	case KIND_FLUSH:
		rb_quiet(ctx);
		break;
	}
	rb_pending_wait(&pending);
}

static unsigned int
post_words(void)
{
	return ((unsigned int)rb.locals + 63) / 64;
}

/* PEs whose rings may hold something, and were found in posts. Of whoever is busy below; read by
 * rb_agent_idle() as well. */
static _Atomic uint64_t due[RB_POST_WORDS];

static void
collect(void)
{
	unsigned int w;

	for (w = 0; w < post_words(); w++) {
		uint64_t was = atomic_load_explicit(&due[w], memory_order_relaxed);
		uint64_t more =
			atomic_load_explicit(&rb.seg->posts[w], memory_order_relaxed) & ~was;

		if (more == 0)
			continue;
		atomic_store_explicit(&due[w], was | more, memory_order_relaxed);
		/* release: due first, for rb_agent_idle(); the fence pairs with that in announce()
		 */
		atomic_fetch_and_explicit(&rb.seg->posts[w], ~more, memory_order_acq_rel);
		atomic_thread_fence(memory_order_seq_cst);
	}
}

/* From one of the PEs of @p mask in word @p w, the lowest that has something. A ring that is empty
 * thereafter is not due any more: nobody is to stay awake for it while this operation is done. */
static bool
take_from(unsigned int w, uint64_t mask, struct handed *h, unsigned int *local)
{
	uint64_t all = atomic_load_explicit(&due[w], memory_order_relaxed), left;
	unsigned int more = 0;
	bool any = false;

	for (left = all & mask; !any && left != 0; left &= left - 1) {
		*local = w * 64 + (unsigned int)__builtin_ctzll(left);
		any = rte_ring_sc_dequeue_bulk_elem(ring(*local), h, sizeof(*h), 1, &more) == 1;
		if (more != 0)
			continue;
		all &= ~(left & -left);
		atomic_store_explicit(&due[w], all, memory_order_relaxed);
	}
	return any;
}

/* PEs take turns: between two operations of a PE that has some there is at most one of each other
 * PE. */
static bool
take(struct handed *h, unsigned int *local)
{
	static unsigned int next;
	unsigned int first = next / 64, words = post_words(), i;
	uint64_t upper = ~0ull << next % 64;
	bool any;

	collect();
	any = take_from(first, upper, h, local);
	for (i = 1; !any && i < words; i++)
		any = take_from((first + i) % words, ~0ull, h, local);
	any = any || take_from(first, ~upper, h, local);
	if (any)
		next = (*local + 1) % (unsigned int)rb.locals;
	return any;
}

bool
rb_agent_serve(void)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	struct rb_host_line *line;
	unsigned int local;
	struct handed h;
	bool any;

	if (rb.locals == 1 || rb_agent_idle())
		return false;
	/* one at a time, in order; also keeps out what act() itself waits with */
	if (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
		return false;
	any = take(&h, &local);
	if (any) {
		line = &rb.seg->pe[local];
		rb_race_came();
		act(&h, local);
		rb_race_sent();
		/* release: pairs with wait_done(); the near end is done with */
		atomic_store_explicit(&line->done,
				      atomic_load_explicit(&line->done, memory_order_relaxed) + 1,
				      memory_order_release);
	}
	atomic_flag_clear_explicit(&busy, memory_order_release);
	return any;
}

uint32_t *
rb_agent_word(uint32_t *seen)
{
	if (rb.locals == 1)
		return NULL;
	*seen = atomic_load_explicit(&rb.seg->bell, memory_order_acquire);
	return (uint32_t *)&rb.seg->bell;
}

void
rb_agent_ask(bool sleeping)
{
	if (rb.locals > 1)
		atomic_store_explicit(&rb.seg->asleep, sleeping, memory_order_relaxed);
}

/* A hint, after which a fence and another look follow where it matters. */
bool
rb_agent_idle(void)
{
	unsigned int w;

	if (rb.locals == 1)
		return true;
	/* acquire: what left posts is in due, see collect() */
	for (w = 0; w < post_words(); w++)
		if (atomic_load_explicit(&rb.seg->posts[w], memory_order_acquire) != 0 ||
		    atomic_load_explicit(&due[w], memory_order_relaxed) != 0)
			return false;
	return true;
}
