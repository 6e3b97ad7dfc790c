/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_H
#define RB_H

/**
 * @file
 * The Ringbell runtime: symmetric memory and one-sided operations between the PEs of a ring. The
 * only runtime header that shmem/ may include. It knows no OpenSHMEM names.
 *
 * One process is one PE, hence no handle: the state is private to the runtime. Errors are negative
 * errno values; rb_open() also leaves one line of words in rb_error().
 *
 * Remote addresses are symmetric addresses: the address of the *local* copy of a symmetric object
 * (heap, or static data of the main executable), as OpenSHMEM passes them.
 *
 * Threads: every call may be made by any thread once rb_open() returned. Operations that one
 * thread issues on one context to one PE and that rb_fence() separates are delivered in order.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "mem/fastpath.h"
#include "mem/fastpath_traced.h"

/** What rb_open() needs that the environment does not say. */
struct rb_params {
	size_t heap_size; /**< bytes of symmetric heap of a PE; alike on all PEs */
	size_t heap_own;  /**< bytes on top of them, for the library itself */
	bool heap_given;  /**< the user asked for just that; else less will do */
	bool threads;	  /**< several threads will call (SERIALIZED or MULTIPLE) */
	/** Write the name of the call by which this thread entered the library. For waits that last
	 *  (observe/blocked_table.h): it need not be fast, and must not lock. May be NULL. */
	void (*caller)(char *name, size_t size);
};

/**
 * Join the job that the environment describes (base/env.def); without any, be its only PE.
 * Collective. On return both links are up, checked, and every PE's heap can be written.
 * @return 0, -EINVAL (bad environment or heap size), -ENOMEM, -ENODEV (no such port), -ETIMEDOUT
 *         (a neighbour is missing), -EPROTO (wrong wiring, version, job); words in rb_error()
 */
int rb_open(const struct rb_params *params);

/** Leave: collective; completes everything outstanding first. Then rb_open() may follow again. */
void rb_close(void);

const char *rb_error(void);	  /**< one line for the last failed rb_open(), without newline */
const char *rb_strerror(int err); /**< words for a negative errno that the runtime returned */

int rb_pe(void); /**< number of this PE, 0..rb_npes()-1; before rb_open(): -1 */
int rb_npes(void);
bool rb_pe_shares(int pe); /**< can this PE load and store that PE's heap (same host)? */
int
rb_place_host(int pe); /**< id of the host that PE runs on; neighbours on the ring differ by 1 */
bool rb_place_lead(int pe); /**< does that PE own the ports of its host? */

/* ---- symmetric memory ---- */

void *rb_heap_base(void);
size_t rb_heap_size(void);
/** Have memory for [0, upto) of the heap, and give back what lies beyond.
 *  @return 0, or -ENOMEM with words in rb_error() (nothing changed) */
int rb_heap_commit(size_t upto);
/** Make [from, upto) of the heap zero, where nothing is in use; ordinary memory is given back until
 *  somebody writes there. */
void rb_heap_clear(size_t from, size_t upto);
/** Is [addr, addr+len) inside a symmetric segment (heap or static data)? Overflow safe. */
bool rb_symmetric(const void *addr, size_t len);
/** Address at which this PE may load and store PE @p pe's copy of @p addr; NULL if it cannot. */
void *rb_ptr(const void *addr, int pe);

/** Where [addr, addr+len) lies in this PE's symmetric memory, as a number for other PEs of this
 * host. 0 where it is not in it, or in a part that they do not map. */
uint64_t rb_sym_name(const void *addr, size_t len);
/** Memory of PE @p pe, of this host, that it has named; NULL where that cannot be. */
void *rb_sym_at(uint64_t name, size_t len, int pe);

/** The window onto a PE's heap on a neighbour host, as memory of this process: what a put of ours
 *  stores through, for measurements. NULL where the PE is here, or more than one hop away. */
void *rb_window(int pe, size_t *len);

/** One line of a file of copy methods (copy/tune.c), in force at once. No operation may be
 *  outstanding.
 *  @return 0, or -EINVAL with words in rb_error() */
int rb_tune_line(const char *line);

/** How this process copies, and how it reaches static data of others: a few lines, for people. */
void rb_describe(FILE *out);

/* ---- contexts: ordering and completion domains ---- */

struct rb_ctx;
extern struct rb_ctx *const rb_ctx_default;

/** @return a context, or NULL with errno. @p private: used by one thread only. */
struct rb_ctx *rb_ctx_create(bool private);
void rb_ctx_destroy(struct rb_ctx *ctx); /**< quiets it first */

/* ---- one-sided operations; -EFAULT where the remote address is not symmetric ---- */

/** Returns when @p src may be reused. Zero length is fine with any address. Aligned 4 and 8 bytes
 *  from an aligned source are one store. */
int rb_put(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len);
/** Returns when queued; @p src must stay until rb_quiet(). */
int rb_put_nbi(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len);
/** Blocks of @p bytes each, so many bytes apart here and there. */
struct rb_blocks {
	void *dst;
	const void *src;
	size_t dst_step, src_step;
	size_t bytes;
	size_t n; /**< at least 1 */
};
/** Returns when the source may be reused. -ENOTSUP: nothing is done, put them one by one. */
int rb_put_blocks(struct rb_ctx *ctx, int pe, const struct rb_blocks *b);
/** Returns when @p dst holds the data. */
int rb_get(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len);
/** Returns when queued; @p dst is valid after rb_quiet(). */
int rb_get_nbi(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len);

/** Atomic operations on aligned words of 4 or 8 bytes. Operands travel as bit patterns. */
enum rb_amo_op {
	RB_AMO_SET,
	RB_AMO_ADD,
	RB_AMO_AND,
	RB_AMO_OR,
	RB_AMO_XOR,
	RB_AMO_FETCH,
	RB_AMO_SWAP,  /**< RB_AMO_FETCH and later return the old value */
	RB_AMO_CSWAP, /**< store operand where the word equals cond */
	RB_AMO_FADD,
	RB_AMO_FAND,
	RB_AMO_FOR,
	RB_AMO_FXOR,
	RB_AMO_MAX_OP
};

struct rb_amo {
	enum rb_amo_op op;
	unsigned int size; /**< 4 or 8 */
	uint64_t operand;
	uint64_t cond; /**< RB_AMO_CSWAP */
};

/** Non-fetching operations return when queued. Fetching ones write the old value, @p op->size
 *  bytes, to @p fetch: before returning, or with @p nbi by rb_quiet() at the latest. */
int rb_amo(struct rb_ctx *ctx, int pe, void *dst, const struct rb_amo *op, void *fetch, bool nbi);

/** Put, and update the 8-byte word @p sig (RB_AMO_SET or RB_AMO_ADD with @p val) once the data
 *  is visible to the target. @p src is reusable on return; nbi: after rb_quiet(). */
int rb_put_signal(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len, uint64_t *sig,
		  uint64_t val, enum rb_amo_op sig_op, bool nbi);

/* ---- ordering, completion, synchronisation ---- */

void rb_fence(struct rb_ctx *ctx);	      /**< orders puts and AMOs per target PE */
void rb_quiet(struct rb_ctx *ctx);	      /**< completes every operation of @p ctx everywhere */
void rb_quiet_pe(struct rb_ctx *ctx, int pe); /**< the same, for one target */
/** All PEs: arrival. Completes no operations: call rb_quiet() on the contexts in use before. */
void rb_barrier(void);

/** One bounded turn of communication work by the calling thread; call it while waiting. */
void rb_progress(void);

/**
 * State of one wait:
 *
 *     struct rb_wait w = {0};
 *     while (!condition)
 *             rb_wait_turn(&w);
 *     rb_wait_end(&w);
 *
 * what and whom cost nothing until the wait lasts: then people are told.
 *
 * A turn looks on for a moment first, then makes progress, then yields, and at last sleeps for a
 * small part of the time waited so far where waiters outnumber CPUs (RINGBELL_WAIT), so that
 * waiting never starves who has the work.
 */
enum rb_for {
	RB_FOR_OTHERS,	/**< not known */
	RB_FOR_PE,	/**< whom: its number */
	RB_FOR_LOCAL,	/**< whom: its index on this host */
	RB_FOR_HOST,	/**< whom: its id */
	RB_FOR_WORD,	/**< whom: address that the program waits at */
	RB_FOR_BARRIER, /**< who has not come to it */
};
struct rb_wait {
	uint32_t turns;
	uint32_t looks;	 /**< of rb_wait_turn_for(), since a PE that is missing was let run */
	uint32_t yields; /**< of rb_wait_turn_for(), to such PEs */
	uint32_t duty;	 /**< groups that this thread polls instead of their service lcores */
	bool inner;	 /**< set by waits that hold a lock: operations of other PEs must not run */
	uint8_t what;	 /**< enum rb_for: whom it is for, set by who waits */
	uint32_t slow;	 /**< turns behind the first looks */
	uint64_t whom;
	uint64_t since; /**< nanoseconds of CLOCK_MONOTONIC; 0: not looked at yet */
	uint64_t began; /**< for telemetry and trace; 0: not noted */
	uint64_t first; /**< as since, but kept while there is work to do */
	void *noted;	/**< entry of a wait that lasts (observe/blocked_table.h); NULL: none */
};
/** For what only progress can bring, such as the reply to a request: no looking on first. */
#define RB_WAIT_POLL        \
	{                   \
		.turns = 64 \
	}
void rb_wait_turn(struct rb_wait *w);
/**
 * Waits of PEs that share CPUs, for others on their host. Who lets a PE run that needs this CPU and
 * has not come yet shortens the wait; who lets one run that waits for the same event makes it
 * longer by two switches. So a waiter asks for each PE that is missing whether it was last seen on
 * this CPU, and yields if one was; else it looks on, since what it waits for runs elsewhere.
 */
/** Is it worth asking? Not where waiters do not outnumber CPUs, nor where other hosts share them.
 */
bool rb_cpu_shared(void);
/** Was PE @p pe last seen on the calling thread's CPU? A hint. @p pe is of this host */
bool rb_cpu_here(int pe);
/** Let the others know where this PE runs, before it waits for them. */
void rb_cpu_tell(void);
/** A turn of such a wait; @p here: rb_cpu_here() of a PE that is missing. */
void rb_wait_turn_for(struct rb_wait *w, bool here);
/** After the last turn, in any case; cheap where there was none. */
void rb_wait_end(struct rb_wait *w);

/** End the whole job with @p status; does not return. */
void rb_abort(int status) __attribute__((noreturn));

/** Is this process ending because the job does? Then nobody may wait for other PEs. */
bool rb_leaving(void);

/** Tell the launcher why this PE cannot go on (one line); it prints it with the PE's number. */
void rb_report(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif /* RB_H */
