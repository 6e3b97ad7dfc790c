/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_WAIT_CHOOSE_H
#define RB_HOST_WAIT_CHOOSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/env.h"

/** Turns without work of a waiter that has a CPU of its own, before it lets others run. */
enum {
	RB_SPIN_TURNS = 100
};

/** How threads of this process wait. Constant after open. */
struct rb_waiting {
	/** Turns without work before a waiter gives its CPU away: few where waiters outnumber CPUs,
	 *  because spinning takes CPU time from the thread that has the work. */
	uint32_t spin_turns;
	uint32_t skip_looks; /**< polls of its word that a waiter leaves out, for the same reason */
	enum rb_wait_mode mode; /**< never RB_WAIT_AUTO */
	bool crowded;		/**< waiters outnumber CPUs */
	bool fits;		/**< each PE has a CPU, which service lcores may share */
	bool lcores_nap;	/**< crowded, but fewer than two PEs share each CPU */
	bool shared_cpus;	/**< crowded by PEs of one host only, which may yield */
	uint64_t awake_ns;	/**< idle time after which a service lcore sleeps */
	uint64_t lost_ns;	/**< a yield that takes longer shows other programs; 0: none does */
	uint64_t none_ns;	/**< a yield shorter than this switched to nobody */
	uint32_t lone_turns;	/**< spin_turns after such a yield */
};
extern struct rb_waiting rb_waiting;

/** Choose how to wait; after the PEs' hosts are known. */
void rb_wait_choose(void);

#endif /* RB_HOST_WAIT_CHOOSE_H */
