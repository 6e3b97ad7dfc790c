/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>

#include <rte_ring_elem.h>

#include "host/proxy.h"
#include "relay/amo.h"
#include "host/proxy_ring.h"
#include "base/tsan.h"

static struct rb_ctx contexts[RB_MAX_LOCALS][RB_MAX_CHANNELS]; /* lead: on whose behalf */

/*
 * The lead does not wait for the reply to a get or a fetch: meanwhile it issues the operations of
 * other PEs. At most one operation of each PE is under way, and its next one stays in its ring. So
 * the operations of a PE are done in order, and counted in order.
 *
 * under_way[] of a PE is 0 when none is. Otherwise it is 1, plus 1 while the operation is being
 * issued, plus 1 for each outstanding reply (rb_req_claim()). The thread that lowers it to 1 owns
 * it: it completes the operation (complete()) and stores 0. Only the thread that is busy in
 * rb_agent_serve() raises it from 0. The release of each decrement pairs with the acquire of the
 * last one: the data of all replies is in place before the PE sees the operation complete. The
 * release of 0 pairs with the acquire in free_of(): one thread at a time counts line->done.
 */
static _Atomic uint32_t under_way[RB_MAX_LOCALS];

int
rb_agent_init(void)
{
	unsigned int l, c;

	if (rte_ring_get_memsize_elem(RB_HANDED_SIZE, RB_HANDED_COUNT) > RB_HANDED_RING)
		return rb_fail(-EINVAL, "the rings of the PEs without ports are too small");
	for (l = 1; l < (unsigned int)rb.locals; l++)
		if (rte_ring_init(rb_handed_ring(l), "ringbell_agent", RB_HANDED_COUNT,
				  RING_F_SP_ENQ | RING_F_SC_DEQ) != 0)
			return rb_fail(-EINVAL, "no ring for the PEs without ports");
	for (l = 0; l < RB_MAX_LOCALS; l++)
		for (c = 0; c < RB_MAX_CHANNELS; c++)
			contexts[l][c].chan = c;
	return 0;
}

static struct rb_ref
near_end(const struct rb_handed *h, unsigned int local)
{
	struct rb_host_line *line = &rb.seg->pe[local];

	switch (h->near) {
	case NEAR_INLINE:
		return rb_ref_own(h->arg);
	case NEAR_REGION:
		return rb_ref_own(rb.region + h->at);
	case NEAR_VALUE:
		return rb_ref_own(line->value);
	case NEAR_BOUNCE:
		return rb_ref_own(rb.seg->bounce[local]);
	default:
		return (struct rb_ref){.ptr = (uint8_t *)(uintptr_t)h->at,
				       .pid = rb.seg->pid[local]};
	}
}

static void
act(const struct rb_handed *h, unsigned int local)
{
	struct rb_ctx *ctx = &contexts[local][h->chan];
	const struct rb_loc loc = {.seg = h->seg, .off = h->off};
	const struct rb_amo amo = {
		.op = h->amo & 0xff, .size = h->amo >> 8, .operand = h->arg[0], .cond = h->arg[1]};
	const struct rb_ref near = near_end(h, local);
	_Atomic uint32_t *pending = &under_way[local];
	struct rb_target t;

	rb_target_at(&t, (int)h->pe, &loc);
	switch (h->kind) {
	case KIND_PUT:
		rb_put_remote(ctx, &t, &near, h->len, h->nbi != 0);
		break;
	case KIND_GET:
		rb_get_remote(ctx, &t, &near, h->len, pending);
		break;
	case KIND_AMO:
		rb_amo_remote(ctx, &t, &amo, &near, pending);
		break;
	case KIND_FENCE:
		rb_fence(ctx);
		break;
	case KIND_FLUSH:
		rb_quiet(ctx);
		break;
	}
}

/* The operation of this PE is done, and its data is in place. */
static void
complete(unsigned int local)
{
	struct rb_host_line *line = &rb.seg->pe[local];

	rb_race_sent();
	/* release: pairs with wait_done(); the near end is done with */
	atomic_store_explicit(&line->done,
			      atomic_load_explicit(&line->done, memory_order_relaxed) + 1,
			      memory_order_release);
	atomic_store_explicit(&under_way[local], 0, memory_order_release);
}

void
rb_agent_replied(const _Atomic uint32_t *pending, uint32_t left)
{
	uintptr_t at = (uintptr_t)pending - (uintptr_t)under_way;

	if (left != 1 || at >= sizeof(under_way))
		return;
	complete((unsigned int)(at / sizeof(*under_way)));
	/* What this PE handed over meanwhile can go on. Pairs with the fence in rb_sleep(). */
	atomic_thread_fence(memory_order_seq_cst);
	rb_handed_ring_bell();
}

static bool
free_of(unsigned int local)
{
	return atomic_load_explicit(&under_way[local], memory_order_acquire) == 0;
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

/* From one of the PEs of @p mask in word @p w, the lowest that has something and nothing under way.
 * A ring that is empty thereafter is not due any more. */
static bool
take_from(unsigned int w, uint64_t mask, struct rb_handed *h, unsigned int *local)
{
	uint64_t all = atomic_load_explicit(&due[w], memory_order_relaxed), left;
	unsigned int more = 0;
	bool any = false;

	for (left = all & mask; !any && left != 0; left &= left - 1) {
		*local = w * 64 + (unsigned int)__builtin_ctzll(left);
		if (!free_of(*local))
			continue;
		any = rte_ring_sc_dequeue_bulk_elem(rb_handed_ring(*local), h, sizeof(*h), 1,
						    &more) == 1;
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
take(struct rb_handed *h, unsigned int *local)
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

/* Issue it; complete it at once where no reply is outstanding. */
static void
issue(const struct rb_handed *h, unsigned int local)
{
	atomic_store_explicit(&under_way[local], 2, memory_order_relaxed);
	act(h, local);
	if (atomic_fetch_sub_explicit(&under_way[local], 1, memory_order_acq_rel) == 2)
		complete(local);
}

bool
rb_agent_serve(void)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	unsigned int local;
	struct rb_handed h;
	bool any;

	if (rb.locals == 1 || rb_agent_idle())
		return false;
	/* one at a time; also keeps out what act() itself waits with */
	if (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
		return false;
	any = take(&h, &local);
	if (any) {
		rb_race_came();
		issue(&h, local);
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

/* Does one of the PEs of these bits have nothing under way? */
static bool
any_free(unsigned int w, uint64_t bits)
{
	for (; bits != 0; bits &= bits - 1)
		if (free_of(w * 64 + (unsigned int)__builtin_ctzll(bits)))
			return true;
	return false;
}

/* A hint: where it matters, the caller fences and looks again. A ring whose PE has an operation
 * under way does not count: rb_agent_replied() rings the bell when its reply has come. */
bool
rb_agent_idle(void)
{
	unsigned int w;
	uint64_t bits;

	if (rb.locals == 1)
		return true;
	for (w = 0; w < post_words(); w++) {
		/* acquire: what left posts is in due, see collect() */
		bits = atomic_load_explicit(&rb.seg->posts[w], memory_order_acquire);
		bits |= atomic_load_explicit(&due[w], memory_order_relaxed);
		if (any_free(w, bits))
			return false;
	}
	return true;
}
