/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
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
 *
 * An application thread that waits inside the library polls too. While it does, the service lcore
 * sleeps without asking for bells (rb_duty_take): one runnable thread, and no bell a frame. The
 * thread gives the duty back when its wait ends or when it naps (rb_duty_give): it asks for bells
 * in the sleeper's name, with the same fence and last look. waiters, asleep and every ask() are
 * under poll_lock, so the three never act at once.
 */

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

/* struct futex_waitv of Linux 5.16; the C library's header may be older */
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

static void
ask_both(bool sleeping)
{
	unsigned int side;

	rb_agent_ask(sleeping);
	for (side = 0; side < RB_SIDES; side++) {
		struct rb_link *link = &rb.link[side];

		if (link->port == NULL)
			continue;
		/* A bit that is pending does not change the word again, so it is cleared; after the
		 * word was read, or a ring between the two would be in the word and pending too. */
		if (sleeping)
			ntb_db_clear(link->port, RB_DB_WAKE);
		ask(link, sleeping);
	}
}

static unsigned int
read_words(struct waiter *w)
{
	unsigned int side, n = 0;
	uint32_t seen = 0, *bell = rb_agent_word(&seen);

	if (bell != NULL)
		w[n++] =
			(struct waiter){.val = seen, .uaddr = (uintptr_t)bell, .flags = WAITER_U32};
	w[n++] = (struct waiter){.val = atomic_load_explicit(&rb.call, memory_order_acquire),
				 .uaddr = (uintptr_t)&rb.call,
				 .flags = WAITER_U32};
	for (side = 0; side < RB_SIDES; side++) {
		struct rb_link *link = &rb.link[side];
		uint32_t *word;

		if (link->port == NULL)
			continue;
		word = link->port->ops->wake_word(link->port);
		w[n++] = (struct waiter){.val = __atomic_load_n(word, __ATOMIC_ACQUIRE),
					 .uaddr = (uintptr_t)word,
					 .flags = WAITER_U32};
	}
	return n;
}

/* The last look, after need_bell is odd. */
static bool
nothing_left(void)
{
	atomic_thread_fence(memory_order_seq_cst); /* pairs with the fence in rb_bell() */
	rb_end_look();
	return rb_serve() == RB_TURN_IDLE && rb_agent_idle();
}

void
rb_sleep(void)
{
	struct waiter w[2 + RB_SIDES];
	bool quiet = true;
	unsigned int n;

	if (!rb_poll_try())
		return;
	n = read_words(w);
	if (rb.waiters == 0) {
		ask_both(true);
		quiet = nothing_left();
	}
	if (quiet) {
		rb.asleep = true;
		rb_poll_end();
		/* returns for a ring, a changed word, a signal: the caller looks again */
		syscall(SYS_futex_waitv, w, n, 0, NULL, 0);
		while (!rb_poll_try())
			sched_yield();
		rb.asleep = false;
	}
	ask_both(false);
	rb_poll_end();
}

void
rb_call(void)
{
	atomic_fetch_add_explicit(&rb.call, 1, memory_order_release);
	syscall(SYS_futex, &rb.call, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

bool
rb_duty_take(void)
{
	if (!rb_poll_try())
		return false;
	if (rb.waiters++ == 0 && rb.asleep)
		ask_both(false);
	rb_poll_end();
	return true;
}

void
rb_duty_give(void)
{
	bool call = false;

	while (!rb_poll_try())
		sched_yield();
	if (--rb.waiters == 0 && rb.asleep) {
		ask_both(true);
		call = !nothing_left();
	}
	rb_poll_end();
	if (call)
		rb_call();
}
