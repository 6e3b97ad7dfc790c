/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/background.h"

#include <sched.h>
#include <stddef.h>

#include "base/thread.h"

enum {
	RIPE_NS = 20 * 1000,	      /* what has been under way for so long is not new */
	RECENT_NS = 20 * 1000 * 1000, /* more may come so long after something was under way */
};

struct rb_background rb_background;
void (*rb_background_call)(void);

/* Service lcores in the function: it is not taken away under one. */
static _Atomic unsigned int serving;

void
rb_background_register(bool (*turn)(bool service))
{
	/* seq_cst: in rb_background_serve() a service lcore counts itself before it reads the
	 * function. Either it reads NULL there, or the loop below sees its count. */
	__atomic_store_n(&rb_background.turn, turn, __ATOMIC_SEQ_CST);
	while (turn == NULL && atomic_load_explicit(&serving, memory_order_seq_cst) != 0)
		sched_yield();
}

bool
rb_background_turn(void)
{
	bool (*turn)(bool) = __atomic_load_n(&rb_background.turn, __ATOMIC_RELAXED);

	return turn != NULL && turn(false);
}

/* The service lcore's: since when it has seen something under way, and when it did so last. */
static uint64_t since, last;

bool
rb_background_serve(bool crowded)
{
	bool (*turn)(bool), worked;

	if (!rb_background_pending()) {
		since = 0;
		return false;
	}
	last = rb_now_ns();
	if (since == 0)
		since = last;
	if (crowded && last - since < RIPE_NS)
		return false;
	atomic_fetch_add_explicit(&serving, 1, memory_order_seq_cst);
	turn = __atomic_load_n(&rb_background.turn, __ATOMIC_SEQ_CST);
	worked = turn != NULL && turn(true);
	/* release: pairs with the loop in rb_background_register() */
	atomic_fetch_sub_explicit(&serving, 1, memory_order_release);
	return worked;
}

bool
rb_background_sleep(void)
{
	atomic_store_explicit(&rb_background.sleeps, RB_BACKGROUND_SLEEPS, memory_order_seq_cst);
	/* seq_cst: after `sleeps`; see struct rb_background */
	if (atomic_load_explicit(&rb_background.pending, memory_order_seq_cst) == 0 &&
	    (last == 0 || rb_now_ns() - last > RECENT_NS)) {
		last = 0;
		return false;
	}
	atomic_store_explicit(&rb_background.sleeps, RB_BACKGROUND_NAPS, memory_order_relaxed);
	return true;
}

void
rb_background_woke(void)
{
	atomic_store_explicit(&rb_background.sleeps, RB_BACKGROUND_AWAKE, memory_order_relaxed);
}
