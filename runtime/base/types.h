/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_TYPES_H
#define RB_BASE_TYPES_H

/**
 * @file
 * Types that the calls of rb.h take.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Parameters of rb_open() that are not in the environment. */
struct rb_params {
	size_t heap_size; /**< bytes of symmetric heap of a PE; alike on all PEs */
	size_t heap_own;  /**< bytes in addition, for the library itself */
	bool heap_given;  /**< the user asked for exactly this size; else less is enough */
	bool threads;	  /**< several threads will call (SERIALIZED or MULTIPLE) */
	/** Write the name of the call by which this thread entered the library. For long waits
	 *  (observe/blocked_table.h): it need not be fast, and must not lock. May be NULL. */
	void (*caller)(char *name, size_t size);
	/** Called in each forked child of the PE, before the program's own handlers of fork(): it
	 *  must use neither locks nor an allocator. Also after rb_close(). May be NULL. */
	void (*in_child)(void);
};

struct rb_ctx;

/** Blocks of @p bytes each, at equal distances on both sides. */
struct rb_blocks {
	void *dst;
	const void *src;
	size_t dst_step, src_step;
	size_t bytes;
	size_t n; /**< at least 1 */
};

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

/** Does @p op return the old value? */
static inline int
rb_amo_fetches(enum rb_amo_op op)
{
	return op >= RB_AMO_FETCH;
}

/**
 * State of one wait:
 *
 *     struct rb_wait w = {0};
 *     while (!condition)
 *             rb_wait_once(&w);
 *     rb_wait_end(&w);
 *
 * what and whom cost nothing until the wait is long: then the report of long waits shows them.
 *
 * The first turns only poll, later ones make progress, then yield. Where waiters outnumber CPUs,
 * the last ones sleep for a small part of the time waited so far (RINGBELL_WAIT). So a waiter never
 * starves the thread that has the work.
 */
enum rb_for {
	RB_FOR_OTHERS,	/**< not known */
	RB_FOR_PE,	/**< whom: its number */
	RB_FOR_LOCAL,	/**< whom: its index on this host */
	RB_FOR_HOST,	/**< whom: its id */
	RB_FOR_WORD,	/**< whom: address of the word that the program waits for */
	RB_FOR_BARRIER, /**< whom: not used; the barrier knows who is missing */
};
struct rb_wait {
	uint32_t turns;
	uint32_t looks;	   /**< polls of rb_wait_once_local(), since it yielded last */
	uint32_t yields;   /**< yields of rb_wait_once_local(), to missing PEs */
	uint32_t borrowed; /**< groups that this thread polls instead of their service lcores */
	bool inner;	   /**< the waiter holds a lock: operations of other PEs must not run */
	uint8_t what;	   /**< enum rb_for, set by the waiter */
	uint32_t slow;	   /**< turns after the first polls */
	uint64_t whom;
	uint64_t since; /**< nanoseconds of CLOCK_MONOTONIC; 0: the clock was not read yet */
	uint64_t began; /**< for telemetry and trace; 0: not noted */
	uint64_t first; /**< as since, but kept while there is work to do */
	void *noted;	/**< entry of a long wait (observe/blocked_table.h); NULL: none */
};
/** For events that only progress can bring, such as the reply to a request: the first turns are
 *  skipped. */
#define RB_WAIT_POLL ((struct rb_wait){.turns = 64})

/** For waits while a lock is held: must not run operations of other PEs, which could need that
 *  lock. */
#define RB_WAIT_INNER ((struct rb_wait){.turns = 64, .inner = true})

#endif /* RB_BASE_TYPES_H */
