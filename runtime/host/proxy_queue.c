/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/proxy_queue.h"

#include <errno.h>
#include <stdbool.h>

#include <rte_ring_elem.h>

#include "base/deal.h"
#include "base/error.h"
#include "base/state.h"
#include "base/tsan.h"
#include "host/hostseg.h"

/*
 * The lead does not wait for the reply to a get or a fetch: meanwhile it issues the operations of
 * other PEs. At most one operation of each PE is under way, and the PE's next one stays in its
 * ring. So the operations of a PE complete in order, and are counted in order.
 *
 * under_way[] of a PE is 0 when no operation is under way. Otherwise it is 1, plus 1 while the
 * operation is being issued, plus 1 for each outstanding reply (rb_req_claim()). The thread that
 * decrements it to 1 owns the operation: it completes the operation (complete_op()) and stores 0.
 * Only the thread that is busy in rb_proxy_serve() (op/proxy.c) raises it from 0. The release of
 * each decrement pairs with the acquire of the last one: the data of all replies is in place before
 * the PE sees the operation complete. The release of 0 pairs with the acquire in is_idle(): one
 * thread at a time counts line->done.
 */
static _Atomic uint32_t under_way[RB_MAX_LOCALS];

int
rb_proxy_rings(void)
{
	unsigned int l;

	if (rte_ring_get_memsize_elem(RB_PROXY_OP_SIZE, RB_PROXY_OPS) > RB_PROXY_RING_BYTES)
		return rb_fail(-EINVAL, "the rings of the PEs without ports are too small");
	for (l = 1; l < (unsigned int)rb.locals; l++)
		if (rte_ring_init(rb_proxy_ring(l), "ringbell_agent", RB_PROXY_OPS,
				  RING_F_SP_ENQ | RING_F_SC_DEQ) != 0)
			return rb_fail(-EINVAL, "no ring for the PEs without ports");
	return 0;
}

/* The operation of this PE is done, and its data has arrived. */
static void
complete_op(unsigned int local)
{
	struct rb_host_line *line = &rb_hostseg->pe[local];

	rb_tsan_release();
	/* release: pairs with wait_done(); the local buffer is no longer used */
	atomic_store_explicit(&line->done,
			      atomic_load_explicit(&line->done, memory_order_relaxed) + 1,
			      memory_order_release);
	atomic_store_explicit(&under_way[local], 0, memory_order_release);
}

void
rb_proxy_replied(const _Atomic uint32_t *pending, uint32_t left)
{
	uintptr_t at = (uintptr_t)pending - (uintptr_t)under_way;

	if (left != 1 || at >= sizeof(under_way))
		return;
	complete_op((unsigned int)(at / sizeof(*under_way)));
	/* Operations that the PE has posted since can be taken now. Pairs with the fence in
	 * rb_sleep(). */
	atomic_thread_fence(memory_order_seq_cst);
	rb_hostseg_bell();
}

static bool
is_idle(unsigned int local)
{
	return atomic_load_explicit(&under_way[local], memory_order_acquire) == 0;
}

static unsigned int
post_words(void)
{
	return ((unsigned int)rb.locals + 63) / 64;
}

/* PEs whose rings may hold operations, taken over from posts. Written by the one thread that is in
 * rb_proxy_take(); rb_proxy_idle() reads it too. */
static _Atomic uint64_t due[RB_POST_WORDS];

static void
collect_posts(void)
{
	unsigned int w;

	for (w = 0; w < post_words(); w++) {
		uint64_t was = atomic_load_explicit(&due[w], memory_order_relaxed);
		uint64_t more =
			atomic_load_explicit(&rb_hostseg->posts[w], memory_order_relaxed) & ~was;

		if (more == 0)
			continue;
		atomic_store_explicit(&due[w], was | more, memory_order_relaxed);
		/* release: due first, for rb_proxy_idle(); the fence pairs with that in announce()
		 */
		atomic_fetch_and_explicit(&rb_hostseg->posts[w], ~more, memory_order_acq_rel);
		atomic_thread_fence(memory_order_seq_cst);
	}
}

/* Takes from the lowest PE of @p mask in word @p w whose ring is not empty and which has no
 * operation under way. A ring that is empty afterwards is no longer due. */
static bool
take_from(unsigned int w, uint64_t mask, struct rb_proxy_op *h, unsigned int *local)
{
	uint64_t all = atomic_load_explicit(&due[w], memory_order_relaxed), left;
	unsigned int more = 0;
	bool any = false;

	for (left = all & mask; !any && left != 0; left &= left - 1) {
		*local = w * 64 + (unsigned int)__builtin_ctzll(left);
		if (!is_idle(*local))
			continue;
		any = rte_ring_sc_dequeue_bulk_elem(rb_proxy_ring(*local), h, sizeof(*h), 1,
						    &more) == 1;
		if (more != 0)
			continue;
		all &= ~(left & -left);
		atomic_store_explicit(&due[w], all, memory_order_relaxed);
	}
	return any;
}

/* Round robin: between two operations of a PE there is at most one operation of each other PE. */
bool
rb_proxy_take(struct rb_proxy_op *h, unsigned int *local)
{
	static unsigned int next;
	unsigned int first = next / 64, words = post_words(), i;
	uint64_t upper = ~0ull << next % 64;
	bool any;

	collect_posts();
	any = take_from(first, upper, h, local);
	for (i = 1; !any && i < words; i++)
		any = take_from((first + i) % words, ~0ull, h, local);
	any = any || take_from(first, ~upper, h, local);
	if (!any)
		return false;
	next = (*local + 1) % (unsigned int)rb.locals;
	atomic_store_explicit(&under_way[*local], 2, memory_order_relaxed);
	return true;
}

_Atomic uint32_t *
rb_proxy_pending(unsigned int local)
{
	return &under_way[local];
}

void
rb_proxy_issued(unsigned int local)
{
	if (atomic_fetch_sub_explicit(&under_way[local], 1, memory_order_acq_rel) == 2)
		complete_op(local);
}

uint32_t *
rb_proxy_word(uint32_t *seen)
{
	if (rb.locals == 1)
		return NULL;
	*seen = atomic_load_explicit(&rb_hostseg->bell, memory_order_acquire);
	return (uint32_t *)&rb_hostseg->bell;
}

void
rb_proxy_ask(bool sleeping)
{
	if (rb.locals > 1)
		atomic_store_explicit(&rb_hostseg->asleep, sleeping, memory_order_relaxed);
}

/* Does one of the PEs of these bits have nothing under way? */
static bool
any_idle(unsigned int w, uint64_t bits)
{
	for (; bits != 0; bits &= bits - 1)
		if (is_idle(w * 64 + (unsigned int)__builtin_ctzll(bits)))
			return true;
	return false;
}

/* A hint: where it matters, the caller fences and checks again. A ring whose PE has an operation
 * under way does not count, because rb_proxy_replied() rings the bell when the reply has come. */
bool
rb_proxy_idle(void)
{
	unsigned int w;
	uint64_t bits;

	if (rb.locals == 1)
		return true;
	for (w = 0; w < post_words(); w++) {
		/* acquire: a bit that left posts is in due, see collect_posts() */
		bits = atomic_load_explicit(&rb_hostseg->posts[w], memory_order_acquire);
		bits |= atomic_load_explicit(&due[w], memory_order_relaxed);
		if (any_idle(w, bits))
			return false;
	}
	return true;
}
