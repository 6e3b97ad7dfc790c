/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rb_agent.h"
#include "rb_boot.h"
#include "rb_chan.h"
#include "rb_end.h"
#include "rb_serve.h"

/*
 * A service lcore that has nothing to do sleeps on the words that the doorbells of its ports
 * change. Nobody rings for a receiver that is awake, so it says that it sleeps: need_bell in the
 * neighbour's memory is odd from before its last look at the rings until it is awake again.
 *
 *   receiver                          sender
 *   need_bell = odd                   publish a descriptor (turn)
 *   full fence                        full fence
 *   look at the rings                 load need_bell; odd: ring
 *   wait on the word read before
 *
 * Of the two loads at least one sees the other side's store (store buffering, closed by the two
 * fences; tests/spin/sleep.pml). This needs the stores to be visible when the fence is done, as
 * in memory that both processes share. Over a real bridge a store is still on its way then, and
 * a receiver there polls: its port has no wake word, and rb.bells stays false.
 */

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

/* struct futex_waitv of Linux 5.16, whose header may be older than the kernel */
struct waiter {
	uint64_t val;
	uint64_t uaddr;
	uint32_t flags;
	uint32_t reserved;
};
enum {
	WAITER_U32 = 2
};

void
rb_sleep_init(void)
{
	unsigned int side;

	rb.bells = rb.wait == RB_WAIT_SLEEP;
	for (side = 0; side < RB_SIDES; side++) {
		struct ntb_port *port = rb.link[side].port;

		if (port != NULL && port->ops->wake_word(port) == NULL)
			rb.bells = false;
	}
	/* ENOSYS is the one answer that a kernel without the call gives */
	if (syscall(SYS_futex_waitv, NULL, 0, 0, NULL, 0) < 0 && errno == ENOSYS)
		rb.bells = false;
	for (side = 0; rb.bells && side < RB_SIDES; side++) {
		struct ntb_port *port = rb.link[side].port;

		if (port != NULL)
			port->ops->db_unmask(port, RB_DB_WAKE | RB_DB_ABORT);
	}
}

void
rb_bell(struct rb_link *link)
{
	uint64_t asked;

	/* pairs with the fence in rb_sleep() */
	atomic_thread_fence(memory_order_seq_cst);
	asked = __atomic_load_n(&link->mine->need_bell, __ATOMIC_RELAXED);
	if ((asked & 1) == 0 ||
	    atomic_exchange_explicit(&link->rung, asked, memory_order_relaxed) == asked)
		return;
	ntb_db_ring(link->port, RB_DB_WAKE);
}

static void
ask(struct rb_link *link, bool sleeping)
{
	uint64_t v = link->asked;

	if ((v & 1) != sleeping)
		link->asked = ++v;
	__atomic_store_n(&link->theirs->need_bell, v, __ATOMIC_RELAXED);
}

static unsigned int
arm(struct waiter *w)
{
	unsigned int side, n = 0;
	uint32_t seen = 0, *bell = rb_agent_arm(&seen);

	if (bell != NULL)
		w[n++] =
			(struct waiter){.val = seen, .uaddr = (uintptr_t)bell, .flags = WAITER_U32};
	w[n++] = (struct waiter){
		.val = 0, .uaddr = (uintptr_t)&rb.stop, .flags = WAITER_U32, .reserved = 0};
	for (side = 0; side < RB_SIDES; side++) {
		struct rb_link *link = &rb.link[side];
		uint32_t *word;

		if (link->port == NULL)
			continue;
		/* A bit that is pending does not change the word again, so it is cleared; after the
		 * word is read, or a ring between the two would be in the word and pending too. */
		word = link->port->ops->wake_word(link->port);
		w[n++] = (struct waiter){.val = __atomic_load_n(word, __ATOMIC_ACQUIRE),
					 .uaddr = (uintptr_t)word,
					 .flags = WAITER_U32};
		ntb_db_clear(link->port, RB_DB_WAKE);
		ask(link, true);
	}
	return n;
}

void
rb_sleep(void)
{
	struct waiter w[2 + RB_SIDES];
	unsigned int n, side;

	if (atomic_flag_test_and_set_explicit(&rb.poll_lock, memory_order_acquire))
		return;
	n = arm(w);
	atomic_thread_fence(memory_order_seq_cst); /* pairs with the fence in rb_bell() */
	rb_end_look();
	if (rb_serve() == RB_TURN_IDLE && rb_agent_idle()) {
		atomic_flag_clear_explicit(&rb.poll_lock, memory_order_release);
		/* returns for a ring, a changed word, a signal: the caller looks again */
		syscall(SYS_futex_waitv, w, n, 0, NULL, 0);
		while (atomic_flag_test_and_set_explicit(&rb.poll_lock, memory_order_acquire))
			sched_yield();
	}
	rb_agent_disarm();
	for (side = 0; side < RB_SIDES; side++)
		if (rb.link[side].port != NULL)
			ask(&rb.link[side], false);
	atomic_flag_clear_explicit(&rb.poll_lock, memory_order_release);
}
