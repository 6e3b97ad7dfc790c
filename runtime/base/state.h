/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_STATE_H
#define RB_BASE_STATE_H

/**
 * @file
 * State of the runtime in this process. Written on one page so that every shared word can be seen
 * with its owner:  open = rb_open() before any other thread runs; app = threads of the program;
 * poll = whoever holds the poll_lock of the group (service lcore, or an app thread that waits).
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <rte_branch_prediction.h>
#include <rte_common.h>
#include <rte_pmd_ntb_port.h>

#include "base/deal.h"
#include "base/env.h"
#include "base/link.h"
#include "base/rules.h"
#include "base/types.h"
#include "base/wire.h"

enum {
	RB_PAGE = 4096,
	RB_HEAP_ALIGN = 2 * 1024 * 1024, /**< heaps start on a huge page */
};

struct rb_host_seg;
struct rb_transport;
struct rte_mempool;

/** Ring numbers of a link direction: own requests 0..channels-1, then these two of each group. */
#define RB_RING_TRANSIT(group) (rb.channels + 2u * (group))
#define RB_RING_REPLY(group) (rb.channels + 2u * (group) + 1u)
#define RB_RINGS (rb.channels + 2u * rb.lcores)

/** Where things are in an inbound region; alike on all hosts of a job. */
struct rb_layout {
	uint64_t ctl[RB_SIDES];	 /**< struct rb_ctl */
	uint64_t desc[RB_SIDES]; /**< struct rb_desc [rings][slots] */
	uint64_t slot[RB_SIDES]; /**< payload [rings][slots][chunk] */
	uint64_t heap;		 /**< heap of the host's first PE, then of the others */
	uint64_t heap_size;	 /**< bytes of one heap */
	uint64_t heap_span;	 /**< distance from one PE's heap to the next */
	uint64_t data; /**< static data of the first PE, then of the others; 0: not here */
	uint64_t size; /**< bytes of the region */
};

/** Where a PE runs. */
struct rb_place {
	uint16_t host;
	uint16_t local; /**< index among the PEs of its host */
};

/** Requests of one class to one host on one channel: issued here, completed in rb_ctl.ack. */
struct rb_flow {
	_Atomic uint64_t issued[RB_CLS_MAX]; /**< app, under the tx lock of the channel */
};

/** The near end of a transfer: memory of this process, or of another PE of this host. */
struct rb_lbuf {
	uint8_t *ptr;
	pid_t pid; /**< 0: this process; else ptr is an address there (Cross Memory Attach) */
};

/** A get or fetching AMO that waits for its reply. Claimed by app, finished by poll. */
struct rb_req {
	struct rb_lbuf dst;
	uint32_t len;
	uint32_t id;		   /**< generation << 8 | index; what the reply must carry */
	bool remote_store;	   /**< the reply may say RB_DESC_STORED */
	_Atomic uint32_t *pending; /**< decremented (release) when dst is filled */
};
enum {
	RB_REQS = 128
};

struct rb_ctx {
	unsigned int chan;
	/* Nothing here is ever taken back, so that threads which complete or order operations of
	 * one context at the same time cannot hide them from each other. Relaxed: calls of
	 * different threads are ordered by the program, if at all. */
	_Atomic uint64_t dirty;		       /**< hosts that counted requests went to */
	_Atomic uint64_t executed;	       /**< of which the target executes some */
	_Atomic uint64_t fenced[RB_MAX_HOSTS]; /**< executed requests before the last fence */
	_Atomic uint64_t direct[RB_SIDES];     /**< stores through windows that need a flush */
	_Atomic uint64_t flushed[RB_SIDES];    /**< of which are flushed */
	_Atomic uint32_t copying; /**< operations of dmadevs; acquire pairs with copy/dma_queue.c */
	_Atomic uint32_t pending; /**< non-blocking gets and fetches; acquire pairs with poll's */
	/* of a PE without ports: tickets of host/proxy_client.c */
	_Atomic uint64_t handed;  /**< of the last operation handed to the lead */
	_Atomic uint64_t ordered; /**< of the last fence handed to it */
};

struct rb_state {
	/* constant after open */
	struct rb_env env;
	int pe, npes, host, hosts;
	int local, locals; /**< of this PE; PEs of this host */
	int most_locals;   /**< PEs of the fullest host */
	struct rb_place place[RB_MAX_PES];
	uint16_t lead[RB_MAX_HOSTS]; /**< first PE of each host */
	/** Turns without work before a waiter gives its CPU away: few where waiters outnumber
	 *  CPUs, since spinning takes the time of whoever has the work. */
	uint32_t spin_turns;
	uint32_t skip_looks;	/**< of a waiter, at its word: the same reason */
	enum rb_wait_mode wait; /**< never RB_WAIT_AUTO */
	bool crowded;		/**< waiters outnumber CPUs */
	bool beside;		/**< they do, but each PE has a CPU: service lcores share it */
	bool shared_cpus;	/**< they do, all of them PEs of one host, and may yield */
	uint64_t awake_ns;	/**< idle time after which a service lcore sleeps */
	bool bells;		/**< service lcores sleep, and are woken by doorbells */
	bool announce;		/**< who commits a frame may have to ring a doorbell */
	enum rb_notify notify;
	const struct rb_transport *transport;
	struct rb_host_seg *seg; /**< shared by the PEs of this host; NULL where there is one */
	unsigned int channels, slots;
	unsigned int lcores; /**< service lcores, and groups of rings */
	uint32_t chunk;
	struct rb_layout lay;
	uint8_t *region;
	int region_fd; /**< -1 where a memzone is behind it */
	uint8_t *heap; /**< this PE's */
	uint8_t *data; /**< this PE's, where the program has it */
	size_t data_size;
	uint8_t *data_shared; /**< static data of this host's PEs; NULL: stays private */
	int data_fd;	      /**< file behind data_shared, and where it starts there */
	uint64_t data_fd_off;
	struct rb_route route[RB_MAX_HOSTS]; /**< base/route.h */
	int neighbour[RB_SIDES];	     /**< host ids; base/route.h */
	struct rb_link link[RB_SIDES];
	unsigned int instrument; /**< RB_INSTRUMENT_*: who looks on */
	bool opening;		 /**< the first barrier of a ring whose hosts start one by one */
	bool closed;		 /**< rb_close() was the last word of the program */
	bool booted; /**< EAL and links are up; stays so from the first open to process exit */

	/* app */
	bool huge;	  /**< open; the region is laid out for huge pages */
	bool whole;	  /**< open; the region has all its memory from the start */
	size_t committed; /**< of the heap; under the caller's collective */
	uint64_t epoch;	  /**< of rb_barrier() */
	/** Of all PEs of this host: in the host segment where there are several. */
	struct rb_flow (*flow)[RB_MAX_CHANNELS];
	struct rb_req *req[RB_REQS];	    /**< open; by index */
	struct rte_mempool *req_pool;	    /**< open; idle requests (relay/request.c) */
	_Atomic(struct rb_req *) req_spare; /**< app, poll: one of them, in front of the pool */
	_Atomic uint32_t next_chan;
	atomic_flag post_lock;	/**< host/proxy_client.c: tickets in ring order */
	atomic_flag value_lock; /**< host/proxy_client.c: the value cell */

	struct rb_group group[RB_MAX_LCORES];
	_Atomic bool stop; /**< app -> service lcores: leave */
};
extern struct rb_state rb;

static inline int
rb_pe_host(int pe)
{
	return rb.place[pe].host;
}

/** The group that serves a channel, on every host. */
static inline unsigned int
rb_group_of(unsigned int chan)
{
	return rb.lcores == 1 ? 0 : chan % rb.lcores;
}

/** Are the links cables of the model? */
static inline bool
rb_emulated(void)
{
	return rb.env.emulated;
}

#endif /* RB_BASE_STATE_H */
