/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OBSERVE_STATS_H
#define RB_OBSERVE_STATS_H

/**
 * @file
 * Counters of what threads do, for telemetry and trace. Nothing is counted here unless one of the
 * two was asked for: rb.instrument is constant after open, and the short way of puts and gets in
 * the API functions (mem/fastpath.h) has no test of it: shmem/ closes that way where rb_traced()
 * says so, and rb_fast[] is empty then, for what programs have compiled in.
 *
 * Each thread has a slot that it alone writes. The slots of a host's PEs are in the host segment,
 * where the lead finds them. A word is stored and loaded as a whole (relaxed): who reads may see
 * one count older than another, never half of one.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/rules.h"
#include "base/state.h"

/** Bits of rb.instrument. */
enum {
	RB_INSTRUMENT_COUNT = 1, /**< telemetry */
	RB_INSTRUMENT_TRACE = 2,
};

enum {
	RB_STATS_THREADS = 64, /**< a bit each in rb_stats_pe.used */
};

enum rb_doing {
	RB_DOING_RUN, /**< the program's own work, or an operation */
	RB_DOING_WAIT,
	RB_DOING_BARRIER,
};

enum rb_pe_state {
	RB_PE_STARTING,
	RB_PE_RUNNING,
	RB_PE_LEFT,
};

/** What one thread did. */
struct rb_stats {
	_Alignas(64) uint64_t puts, put_bytes; /**< wherever to */
	uint64_t gets, get_bytes;
	uint64_t amos;
	uint64_t stores[RB_SIDES], store_bytes[RB_SIDES]; /**< through the window of a link */
	uint64_t loads[RB_SIDES], load_bytes[RB_SIDES];
	uint64_t waits, wait_ticks; /**< that the first looks did not end; of rb_trace_clock() */
	uint64_t barriers, barrier_ticks;
	uint32_t doing; /**< enum rb_doing */
};

/** What one PE did. The slot of a thread that ended goes to the next new one, which counts on. */
struct rb_stats_pe {
	_Atomic uint32_t state; /**< enum rb_pe_state; the PE */
	_Atomic uint64_t used;	/**< slots that have a thread */
	struct rb_stats thread[RB_STATS_THREADS];
};

/** The counts of this host's PEs are at @p pes; NULL: they go away. */
void rb_stats_attach(struct rb_stats_pe *pes);
/** Where rb.instrument is not 0, begin to count, before another thread of the library runs. 0 or
 *  -errno, words. */
int rb_stats_open(void);
void rb_stats_state(enum rb_pe_state state);
/** The counts of a PE of this host. */
struct rb_stats_pe *rb_stats_of(int local);
/** The slot of the calling thread in its PE's. */
unsigned int rb_stats_slot(void);

/* initial-exec: the library is there from the start, and a call for an address would cost more
 * than the count */
extern __thread struct rb_stats *rb_stats_self __attribute__((tls_model("initial-exec")));
struct rb_stats *rb_stats_claim(void);

static inline struct rb_stats *
rb_stats_mine(void)
{
	return likely(rb_stats_self != NULL) ? rb_stats_self : rb_stats_claim();
}

/* ---- where rb.instrument is not 0 ---- */

/** What goes through a window. */
void rb_stats_store(enum rb_side side, uint64_t len);
void rb_stats_load(enum rb_side side, uint64_t len);

/** A put or a get; @p near: within reach. */
void rb_stats_put_count(int pe, uint64_t len, bool near);
void rb_stats_get_count(int pe, uint64_t len, bool near);

static inline void
rb_stats_put(int pe, uint64_t len, bool near)
{
	if ((rb.instrument & RB_INSTRUMENT_COUNT) != 0)
		rb_stats_put_count(pe, len, near);
}

static inline void
rb_stats_get(int pe, uint64_t len, bool near)
{
	if ((rb.instrument & RB_INSTRUMENT_COUNT) != 0)
		rb_stats_get_count(pe, len, near);
}

static inline void
rb_stats_do(struct rb_stats *s, enum rb_doing doing)
{
	__atomic_store_n(&s->doing, doing, __ATOMIC_RELAXED);
}

static inline enum rb_doing
rb_doing(const struct rb_stats *s)
{
	return __atomic_load_n(&s->doing, __ATOMIC_RELAXED);
}

#endif /* RB_OBSERVE_STATS_H */
