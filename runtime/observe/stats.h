/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OBSERVE_STATS_H
#define RB_OBSERVE_STATS_H

/**
 * @file
 * Counters of the threads' operations, for telemetry and trace. Without telemetry and trace nothing
 * is counted. rb.instrument is constant after open. The fast path of puts and gets in the API
 * functions (mem/fastpath.h) does not test it: where rb_fast_counts() is true, shmem/ does not use
 * that path.
 *
 * Each thread has a slot that only it writes. The slots of a host's PEs are in the host segment,
 * where the lead reads them. A word is stored and loaded as a whole (relaxed): a reader may see one
 * count older than another, but never half of a count.
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

/** The counts of one thread. */
struct rb_stats {
	_Alignas(64) uint64_t puts, put_bytes; /**< to any PE */
	uint64_t gets, get_bytes;
	uint64_t amos;
	uint64_t stores[RB_MAX_PORTS],
		store_bytes[RB_MAX_PORTS]; /**< through the window of a link */
	uint64_t loads[RB_MAX_PORTS], load_bytes[RB_MAX_PORTS];
	uint64_t wait_ticks; /**< of waits longer than the first polls; of rb_trace_clock() */
	uint64_t barriers;
	uint32_t doing; /**< enum rb_doing */
};

/** The counts of one PE. The slot of a thread that ended goes to the next new thread, which
 *  continues its counts. */
struct rb_stats_pe {
	_Atomic uint64_t used; /**< slots that have a thread */
	struct rb_stats thread[RB_STATS_THREADS];
};

/** Use the counts of this host's PEs at @p pes; NULL: they are unmapped next. */
void rb_stats_attach(struct rb_stats_pe *pes);
/** Begin to count, where rb.instrument is not 0; before another thread of the library runs. 0, or
 *  -errno with words in rb_error(). */
int rb_stats_open(void);
/** The counts of a PE of this host. */
struct rb_stats_pe *rb_stats_of(int local);
/** Index of the calling thread's slot among those of its PE. */
unsigned int rb_stats_slot(void);

/* initial-exec: the library is loaded at start, and a call for the address would cost more than the
 * count */
extern __thread struct rb_stats *rb_stats_self __attribute__((tls_model("initial-exec")));
struct rb_stats *rb_stats_claim(void);

static inline struct rb_stats *
rb_stats_mine(void)
{
	return likely(rb_stats_self != NULL) ? rb_stats_self : rb_stats_claim();
}

/* ---- where rb.instrument is not 0 ---- */

/** Count a store or load of @p len bytes through a window. */
void rb_stats_store(unsigned int port, uint64_t len);
void rb_stats_load(unsigned int port, uint64_t len);

/** Count a put or a get; @p direct: by stores or loads of this PE. */
void rb_stats_put_count(int pe, uint64_t len, bool direct);
void rb_stats_get_count(int pe, uint64_t len, bool direct);

static inline void
rb_stats_put(int pe, uint64_t len, bool direct)
{
	if ((rb.instrument & RB_INSTRUMENT_COUNT) != 0)
		rb_stats_put_count(pe, len, direct);
}

static inline void
rb_stats_get(int pe, uint64_t len, bool direct)
{
	if ((rb.instrument & RB_INSTRUMENT_COUNT) != 0)
		rb_stats_get_count(pe, len, direct);
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
