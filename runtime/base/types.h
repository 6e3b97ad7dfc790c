/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_TYPES_H
#define RB_BASE_TYPES_H

/**
 * @file
 * Types that the calls of rb.h take.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/deal.h"
#include "base/rules.h"

struct rb_exchange;

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
	/** Brings the PEs together (job/exchange.h); NULL: the environment says who does. */
	const struct rb_exchange *exchange;
};

struct rb_ctx;

/** The result of one turn of communication work. */
enum rb_progress_left {
	RB_PROGRESS_IDLE,  /**< nothing done, nothing waits: sleep until a bell is rung */
	RB_PROGRESS_STALL, /**< nothing done; frames or acks wait for credits, which ring no bell */
	RB_PROGRESS_WORK,
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

/** What a wait is for: costs nothing until the wait is long, then reports show it. */
enum rb_for {
	RB_FOR_OTHERS,	/**< not known */
	RB_FOR_PE,	/**< whom: its number */
	RB_FOR_LOCAL,	/**< whom: its index on this host */
	RB_FOR_HOST,	/**< whom: its id */
	RB_FOR_WORD,	/**< whom: address of the word that the program waits for */
	RB_FOR_BARRIER, /**< whom: not used; the barrier knows who is missing */
};

/**
 * One wait, for RB_WAIT_FOR() and the loops of host/wait.h. The waiter sets the first part.
 *
 * The first turns only poll, later ones make progress, then yield. Where waiters outnumber CPUs,
 * the last ones sleep for a small part of the time waited so far (RINGBELL_WAIT). So a waiter never
 * starves the thread that has the work.
 */
struct rb_wait {
	uint8_t what; /**< enum rb_for */
	bool inner;   /**< the waiter holds a lock: operations of other PEs must not run */
	bool leaves;  /**< may leave its thread in a turn (rb_wait_leave_by()) */
	bool locals;  /**< for PEs of this host */
	bool here;    /**< with locals: one that is missing was seen on this CPU last */
	uint64_t whom;

	uint32_t turns;
	uint32_t looks;	   /**< with locals: polls since it yielded last */
	uint32_t yields;   /**< with locals: to missing PEs */
	uint32_t borrowed; /**< groups that this thread polls instead of their service lcores */
	uint32_t slow;	   /**< turns after the first polls */
	uint64_t since;	   /**< nanoseconds of CLOCK_MONOTONIC; 0: the clock was not read yet */
	uint64_t began;	   /**< for telemetry and trace; 0: not noted */
	uint64_t first;	   /**< as since, but kept while there is work to do */
	void *noted;	   /**< entry of a long wait (observe/blocked_table.h); NULL: none */
};

/** For events that only progress can bring, such as the reply to a request: the first turns are
 *  skipped. */
#define RB_WAIT_POLL .turns = 64

/** For waits while a lock is held: must not run operations of other PEs, which could need that
 *  lock. */
#define RB_WAIT_INNER .turns = 64, .inner = true

struct rb_ctx {
	unsigned int chan;
	/* Nothing here is ever taken back, so that threads which complete or order operations of
	 * one context at the same time cannot hide them from each other. Relaxed: calls of
	 * different threads are ordered by the program, if at all. */
	_Atomic uint64_t dirty;			/**< hosts that counted requests went to */
	_Atomic uint64_t executed;		/**< of which the target executes some */
	_Atomic uint64_t fenced[RB_MAX_HOSTS];	/**< executed requests before the last fence */
	_Atomic uint64_t direct[RB_MAX_PORTS];	/**< stores through windows that need a flush */
	_Atomic uint64_t flushed[RB_MAX_PORTS]; /**< of which are flushed */
	_Atomic uint64_t streams; /**< hosts that got an atomic without a result since the last
				     fence or quiet: the next one gathers. A hint */
	_Atomic uint32_t copying; /**< operations of dmadevs; acquire pairs with link/dma_queue.c */
	_Atomic uint32_t pending; /**< non-blocking gets and fetches; acquire pairs with poll's */
	/* of a PE without ports: tickets of host/proxy_client.c */
	_Atomic uint64_t handed;  /**< of the last operation posted to the lead */
	_Atomic uint64_t ordered; /**< of the last fence posted to it */
};

/** Does a store to @p host have to wait for frames that a fence ordered before it
 *  (rb_fence_apply())? */
static inline bool
rb_ctx_fenced(const struct rb_ctx *ctx, int host)
{
	return atomic_load_explicit(&ctx->fenced[host], memory_order_relaxed) != 0;
}

#endif /* RB_BASE_TYPES_H */
