/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_HOSTSEG_H
#define RB_HOST_HOSTSEG_H

/**
 * @file
 * The memory that the PEs of one host share: a segment in the launcher's memfd.
 */

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/deal.h"
#include "base/file.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/wire.h"
#include "observe/blocked_table.h"
#include "observe/stats.h"

/** Requests of one class to one host on one channel: issued here, completed in rb_ctl.ack. */
struct rb_flow {
	_Atomic uint64_t issued[RB_CLS_MAX]; /**< app, under the tx lock of the channel */
};

/** The words of one PE; each cache line has one writer, named after the semicolon. */
struct rb_host_line {
	_Alignas(64) _Atomic uint64_t arrived; /**< barrier epoch; the PE */
	_Atomic uint64_t posted;	       /**< operations posted to the lead; the PE */
	_Atomic uint32_t cpu;		    /**< 1 + CPU that the PE ran on last, a hint; the PE */
	_Alignas(64) _Atomic uint64_t done; /**< operations that are finished; lead */
	uint8_t value[56];		    /**< result of a short get or fetch; lead */
};

enum {
	RB_PROXY_OP_SIZE = 56, /**< bytes of a posted operation (host/proxy_client.c) */
	RB_PROXY_OPS = 256,    /**< entries of a PE's ring; it holds one operation less */
	RB_PROXY_RING_BYTES = 4 * RB_PAGE,
	RB_POST_WORDS = RB_MAX_LOCALS / 64,
	RB_BOUNCE = 262144, /**< bytes of a PE's private memory at a time (host/proxy_client.c) */
	RB_BOUNCES = 4,	    /**< so many times that much has room */
};

/** What all PEs know of the cables (host/ring_state.h). */
struct rb_ring_words {
	_Atomic uint64_t lost; /**< bit of the lost cable; 0: none */
	_Atomic uint64_t survives;
};

struct rb_host_seg {
	_Atomic uint32_t ready; /**< 1 once the words below and the region are valid; lead */
	/** lead: when its handshake began, in ns of CLOCK_MONOTONIC; 0: it has not */
	_Atomic uint64_t greets;
	int32_t lead_pid;
	struct rb_file region; /**< of the lead's process, opened through /proc */
	struct rb_file pieces; /**< the same of the list of its files, where region is none */
	int32_t no_pieces;     /**< -errno: there is no such list */
	struct rb_settings settings;
	uint32_t ports;			     /**< rb.ports */
	uint64_t window_size;		     /**< bytes of the windows: rb_mem.window */
	uint32_t whole;			     /**< the region has all its memory: rb_mem.whole */
	uint32_t links;			     /**< bit mask of the links that this host has */
	uint32_t window_caps[RB_MAX_PORTS];  /**< NTB_CAP_* of its ports */
	struct rb_file window[RB_MAX_PORTS]; /**< of the lead's process, as region */
	uint64_t window_off[RB_MAX_PORTS]; /**< where the neighbour's region begins in that file */
	struct rb_ring_words cables;	   /**< lead, where a cable is lost */
	_Alignas(64) _Atomic uint64_t released; /**< barrier epoch that all hosts are in; lead */
	_Atomic uint64_t announcing; /**< barrier epoch that a PE is announcing; that PE */
	_Atomic uint64_t announced;  /**< barrier epoch that it has announced; that PE */
	/** bit of each PE that may have posted an operation: the PE sets it, the lead clears it
	 */
	_Alignas(64) _Atomic uint64_t posts[RB_POST_WORDS];
	_Atomic uint32_t bell;	 /**< futex, counts up to wake a sleeping lead; PEs */
	_Atomic uint32_t asleep; /**< 1 while the lead's service lcore sleeps; lead */
	_Atomic uint64_t abort;	 /**< 1 << 32 | status of a PE that ended the job */
	struct rb_host_line pe[RB_MAX_LOCALS];
	pid_t pid[RB_MAX_LOCALS]; /**< written by its PE */
	struct rb_stats_pe stats[RB_MAX_LOCALS];
	struct rb_blocked_pe
		blocked[RB_MAX_LOCALS]; /**< written by its PE; without a table of oshrun */
	/** requests of all PEs of this host; counted by the lead's process */
	struct rb_flow flow[RB_MAX_HOSTS][RB_MAX_CHANNELS];
	/** struct rte_ring of each PE for the operations that it posts; unused pages take no memory
	 */
	_Alignas(RB_PAGE) uint8_t ring[RB_MAX_LOCALS][RB_PROXY_RING_BYTES];
	/** of each PE, for private memory; unused pages take no memory */
	_Alignas(RB_PAGE) uint8_t bounce[][RB_BOUNCES * RB_BOUNCE];
} __attribute__((aligned(RB_PAGE)));
_Static_assert(sizeof(struct rb_host_seg) % RB_PAGE == 0, "what follows is mapped by the page");

/** NULL where a host has one PE. */
extern struct rb_host_seg *rb_hostseg;

/** CPU numbers plus 1: of the PE when it stored its CPU last, and of the calling thread now. */
static inline uint32_t
rb_cpu_of(const struct rb_host_line *line)
{
	return atomic_load_explicit(&line->cpu, memory_order_relaxed);
}

static inline uint32_t
rb_cpu_mine(void)
{
	return 1 + (uint32_t)sched_getcpu();
}

/** Open a file of the lead's process. @return a descriptor of this process, or -errno with words;
 *  @p what names the file there */
int rb_hostseg_open(const struct rb_file *file, const char *what);

/** Wake the lead's service lcore if it sleeps. The caller makes a full fence first, which pairs
 *  with that in rb_sleep(): either the lcore sees the caller's earlier stores, or this call sees it
 *  asleep. */
void rb_hostseg_bell(void);

#endif /* RB_HOST_HOSTSEG_H */
