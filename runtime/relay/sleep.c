/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/sleep.h"

#include "base/env.h"
#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/wire.h"
#include "host/background.h"
#include "host/proxy_queue.h"
#include "host/wait.h"
#include "host/wait_choose.h"
#include "link/cable.h"
#include "relay/dispatch.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <rte_pause.h>

enum {
	WAKE_S = 1, /* between two looks of a sleeping service lcore */
	/* The same while something is under way beside the program's calls: a store through a
	 * window, which may be what it waits for, rings no bell. */
	NAP_NS = 50 * 1000
};

/*
 * An idle service lcore sleeps on the words that the doorbells of its ports change. A sender does
 * not ring for a receiver that is awake, so a receiver announces its sleep: need_bell in the
 * neighbour's memory is odd from before its last look at the rings until it is awake again.
 *
 *     receiver                          sender
 *     need_bell = odd                   publish a descriptor (seq)
 *     full fence                        full fence
 *     look at the rings                 load need_bell; odd: ring
 *     wait on the word read before
 *
 * At least one of the two loads sees the other side's store (store buffering, closed by the two
 * fences; tests/spin/sleep.pml). This needs the stores to be visible when the fence is done, as in
 * memory that both processes share. Over a real bridge a store may still be under way then, so a
 * receiver there polls: its port has no wake word, and rb.bells stays false.
 *
 * If a doorbell announces every frame (link/chan.h), the receiver does not ask for bells. Before
 * it sleeps it unmasks its doorbells, so that they change the word, and its last look reads the
 * register. A bell that the register does not show yet is not pending, so it will change the word.
 *
 * An application thread that waits inside the library polls too. Meanwhile the service lcore sleeps
 * without asking for bells (rb_poll_borrow): one runnable thread, and no bell for each frame. The
 * thread returns the polling when its wait ends or when it naps (rb_poll_return): it asks for bells
 * in the name of the sleeper, with the same fence and last look. The group's poll_lock protects
 * waiters, asleep and every call of set_need_bell(), so these three never interleave. Service
 * lcores share the words of the ports: the bell of one lcore wakes the others too; they look and
 * sleep again.
 */

static uint32_t
group_bells(unsigned int group)
{
	uint32_t bells = 0;
	unsigned int c;

	if (rb.notify == RB_NOTIFY_MEMORY)
		return RB_DB_CHAN(group);
	for (c = group; c < rb.channels; c += rb.lcores)
		bells |= RB_DB_CHAN(c);
	return bells;
}

static void
call_first(void)
{
	rb_call(0);
}

void
rb_sleep_init(void)
{
	uint32_t bells = RB_DB_ABORT | RB_DB_CUT;
	unsigned int port, g;

	rb.bells = rb_waiting.mode == RB_WAIT_SLEEP;
	rb.announce = rb.notify == RB_NOTIFY_DOORBELL;
	for (port = 0; port < rb.ports; port++) {
		struct ntb_port *ntb = rb.link[port].port;

		if (ntb != NULL && ntb_wake_word(ntb) == NULL)
			rb.bells = false;
		else if (ntb != NULL) /* a neighbour elsewhere may sleep where this host does not */
			rb.announce |= !rb_emulated();
	}
	/* only a kernel without this call returns ENOSYS */
	if (syscall(SYS_futex_waitv, NULL, 0, 0, NULL, 0) < 0 && errno == ENOSYS)
		rb.bells = false;
	for (g = 0; g < rb.lcores; g++) {
		rb_groups[g].bells = group_bells(g);
		if (rb.notify == RB_NOTIFY_MEMORY)
			bells |= rb_groups[g].bells;
	}
	for (port = 0; rb.bells && port < rb.ports; port++) {
		struct rb_link *link = &rb.link[port];

		link->unmasked = bells;
		if (link->port != NULL && link->port->db_count != 0)
			link->port->ops->db_unmask(link->port, bells);
	}
	rb_background_call = call_first;
	rb.announce |= rb.bells;
}

/* All groups share the mask register. The port orders unmasking and ringing: one of them sees the
 * other (ntb_port_ops.db_unmask). */
static void
mask_bells(struct rb_link *link, uint32_t bells, bool sleeping)
{
	while (atomic_flag_test_and_set_explicit(&link->mask_lock, memory_order_acquire))
		rte_pause();
	if (((link->unmasked & bells) != 0) != sleeping) {
		link->unmasked ^= bells;
		link->port->ops->db_unmask(link->port, link->unmasked);
	}
	atomic_flag_clear_explicit(&link->mask_lock, memory_order_release);
}

static void
set_need_bell(struct rb_link *link, unsigned int group, bool sleeping)
{
	uint64_t v = link->asked[group];

	/* A pending bit does not change the word again, so clear it. Clear it after the word was
	 * read: a ring between the two would otherwise be both in the word and pending. */
	if (sleeping && link->port->db_count != 0)
		ntb_db_clear(link->port, RB_DB_CHAN(group));
	if ((v & 1) != sleeping)
		link->asked[group] = ++v;
	__atomic_store_n(&link->theirs->need_bell[group], v, __ATOMIC_RELAXED);
}

static void
ask_bells(unsigned int group, bool sleeping)
{
	unsigned int port;

	if (group == 0)
		rb_proxy_ask(sleeping);
	for (port = 0; port < rb.ports; port++) {
		struct rb_link *link = &rb.link[port];

		if (link->port == NULL || rb_link_lost(link))
			continue;
		if (rb.notify == RB_NOTIFY_MEMORY)
			set_need_bell(link, group, sleeping);
		else
			mask_bells(link, rb_groups[group].bells, sleeping);
	}
}

static struct futex_waitv
word_as(const void *word, uint32_t seen)
{
	return (struct futex_waitv){.val = seen, .uaddr = (uintptr_t)word, .flags = FUTEX_32};
}

static unsigned int
read_words(unsigned int group, struct futex_waitv *w)
{
	_Atomic uint32_t *call = &rb_groups[group].call;
	unsigned int port, n = 0;
	uint32_t seen = 0, *bell = group == 0 ? rb_proxy_word(&seen) : NULL;

	if (bell != NULL)
		w[n++] = word_as(bell, seen);
	w[n++] = word_as(call, atomic_load_explicit(call, memory_order_acquire));
	for (port = 0; port < rb.ports; port++) {
		struct rb_link *link = &rb.link[port];
		uint32_t *word;

		if (link->port == NULL)
			continue;
		word = ntb_wake_word(link->port);
		w[n++] = word_as(word, __atomic_load_n(word, __ATOMIC_ACQUIRE));
	}
	return n;
}

/* The last look, after need_bell has become odd or the doorbells are unmasked. */
static bool
nothing_left(unsigned int group)
{
	atomic_thread_fence(memory_order_seq_cst); /* pairs with the fence in rb_tx_awaited() */
	rb_cable_look();
	return rb_poll_rings(group) == RB_PROGRESS_IDLE && (group != 0 || rb_proxy_idle());
}

/* Until when it sleeps: it returns then, because a broken cable does not ring, and other PEs of
 * this host may wait. */
static struct timespec
next_look(bool nap)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += nap ? 0 : WAKE_S;
	t.tv_nsec += nap ? NAP_NS : 0;
	if (t.tv_nsec >= 1000000000) {
		t.tv_nsec -= 1000000000;
		t.tv_sec++;
	}
	return t;
}

void
rb_sleep(unsigned int group)
{
	struct rb_group *g = &rb_groups[group];
	struct futex_waitv w[2 + RB_MAX_PORTS];
	struct timespec wake;
	bool quiet = true, nap;
	unsigned int n;

	if (!rb_poll_try(group))
		return;
	n = read_words(group, w); /* a call that comes after this ends the sleep */
	nap = group == 0 && rb_background_sleep();
	if (g->waiters == 0) {
		ask_bells(group, true);
		quiet = nothing_left(group);
	}
	if (quiet) {
		g->asleep = true;
		rb_poll_end(group);
		/* Returns after a ring, a changed word or a signal; the caller looks again. */
		wake = next_look(nap);
		syscall(SYS_futex_waitv, w, n, 0, &wake, CLOCK_MONOTONIC);
		rb_cable_check();
		while (!rb_poll_try(group))
			rb_yield();
		g->asleep = false;
	}
	if (group == 0)
		rb_background_woke();
	ask_bells(group, false);
	rb_poll_end(group);
}

void
rb_call(unsigned int group)
{
	_Atomic uint32_t *call = &rb_groups[group].call;

	atomic_fetch_add_explicit(call, 1, memory_order_release);
	syscall(SYS_futex, call, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

uint32_t
rb_poll_borrow(uint32_t groups)
{
	unsigned int group;

	for (group = 0; group < rb.lcores; group++) {
		struct rb_group *g = &rb_groups[group];

		if ((groups & 1u << group) != 0 || !rb_poll_try(group))
			continue;
		if (g->waiters++ == 0 && g->asleep)
			ask_bells(group, false);
		rb_poll_end(group);
		groups |= 1u << group;
	}
	return groups;
}

static void
return_group(unsigned int group)
{
	struct rb_group *g = &rb_groups[group];
	bool call = false;

	while (!rb_poll_try(group))
		rb_yield();
	if (--g->waiters == 0 && g->asleep) {
		ask_bells(group, true);
		call = !nothing_left(group);
	}
	rb_poll_end(group);
	if (call)
		rb_call(group);
}

void
rb_poll_return(uint32_t groups)
{
	for (; groups != 0; groups &= groups - 1)
		return_group((unsigned int)__builtin_ctz(groups));
}
