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

/** One element of the ring. Written by a PE of the same job, which the lead trusts as it trusts
 *  itself: both can write all of the region anyway. */
struct handed {
	uint8_t kind;
	uint8_t near;
	uint8_t chan;
	uint8_t seg;
	uint16_t local; /**< who asks */
	uint16_t pe;	/**< whom it is for */
	uint32_t amo;	/**< op | size << 8 */
	uint32_t nbi;	/**< the near end stays until a flush */
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

static struct rte_ring *
ring(void)
{
	return (struct rte_ring *)rb.seg->ring;
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

/* Waiting for a place in the ring, and for the lead: it is another process, with its own turns. */
static uint64_t
post(struct rb_ctx *ctx, struct handed *h)
{
	struct rb_host_line *line = &rb.seg->pe[rb.local];
	struct rb_wait w = {0};
	uint64_t ticket;

	h->chan = (uint8_t)ctx->chan;
	h->local = (uint16_t)rb.local;
	/* tickets are in ring order: the lead counts elements as it finishes them */
	lock(&rb.post_lock);
	while (rte_ring_mp_enqueue_elem(ring(), h, sizeof(*h)) != 0)
		rb_wait_turn(&w);
	rb_wait_end(&w);
	ticket = atomic_load_explicit(&line->posted, memory_order_relaxed) + 1;
	atomic_store_explicit(&line->posted, ticket, memory_order_relaxed);
	atomic_store_explicit(h->kind == KIND_FENCE ? &ctx->ordered : &ctx->handed, ticket,
			      memory_order_relaxed);
	unlock(&rb.post_lock);
	/* pairs with the fence in rb_sleep(): it sees the element, or this sees it asleep */
	atomic_thread_fence(memory_order_seq_cst);
	if (atomic_load_explicit(&rb.seg->asleep, memory_order_relaxed) != 0) {
		atomic_fetch_add_explicit(&rb.seg->bell, 1, memory_order_release);
		syscall(SYS_futex, &rb.seg->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	}
	return ticket;
}

static void
wait_done(uint64_t ticket)
{
	const struct rb_host_line *line = &rb.seg->pe[rb.local];
	struct rb_wait w = {0};

	/* acquire: pairs with finish() */
	while (atomic_load_explicit(&line->done, memory_order_acquire) < ticket)
		rb_wait_turn(&w);
	rb_wait_end(&w);
}

static void
aim(struct handed *h, const struct rb_target *t, size_t len)
{
	h->pe = (uint16_t)t->pe;
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

	if (rte_ring_get_memsize_elem(RB_HANDED_SIZE, RB_HANDED_COUNT) > RB_HANDED_RING ||
	    rte_ring_init(ring(), "ringbell_agent", RB_HANDED_COUNT, RING_F_SC_DEQ) != 0)
		return rb_fail(-EINVAL, "no ring for the PEs without ports");
	for (l = 0; l < RB_MAX_LOCALS; l++)
		for (c = 0; c < RB_MAX_CHANNELS; c++)
			contexts[l][c].chan = c;
	return 0;
}

static struct rb_ref
near_end(const struct handed *h)
{
	struct rb_host_line *line = &rb.seg->pe[h->local];

	switch (h->near) {
	case NEAR_INLINE:
		return rb_ref_own(h->arg);
	case NEAR_REGION:
		return rb_ref_own(rb.region + h->at);
	case NEAR_VALUE:
		return rb_ref_own(line->value);
	default:
		return (struct rb_ref){.ptr = (uint8_t *)(uintptr_t)h->at,
				       .pid = rb.seg->pid[h->local]};
	}
}

static void
act(const struct handed *h)
{
	struct rb_ctx *ctx = &contexts[h->local][h->chan];
	const struct rb_loc loc = {.seg = h->seg, .off = h->off};
	const struct rb_amo amo = {
		.op = h->amo & 0xff, .size = h->amo >> 8, .operand = h->arg[0], .cond = h->arg[1]};
	const struct rb_ref near = near_end(h);
	_Atomic uint32_t pending = 0;
	struct rb_target t;

	rb_target_at(&t, h->pe, &loc);
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

bool
rb_agent_serve(void)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	struct rb_host_line *line;
	struct handed h;
	bool any;

	if (rb.locals == 1 || rb_agent_idle())
		return false;
	/* one at a time, in order; also keeps out what act() itself waits with */
	if (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
		return false;
	any = rte_ring_sc_dequeue_elem(ring(), &h, sizeof(h)) == 0;
	if (any) {
		line = &rb.seg->pe[h.local];
		rb_race_came();
		act(&h);
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

/* A hint, after which a fence and another look follow where it matters: rte_ring_empty(), but for
 * its plain loads of words that others store to. */
bool
rb_agent_idle(void)
{
	const struct rte_ring *r;

	if (rb.locals == 1)
		return true;
	r = ring();
	return __atomic_load_n(&r->cons.tail, __ATOMIC_RELAXED) ==
	       __atomic_load_n(&r->prod.tail, __ATOMIC_RELAXED);
}
