/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_HOSTSEG_H
#define RB_MEM_HOSTSEG_H

/**
 * @file
 * What the PEs of one host share: a segment in the launcher's memfd.
 */

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/deal.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/wire.h"
#include "observe/blocked_table.h"
#include "observe/stats.h"

/** What belongs to one PE; each line has one writer. */
struct rb_host_line {
	_Alignas(64) _Atomic uint64_t arrived; /**< barrier epoch; the PE */
	_Atomic uint64_t posted;	       /**< operations handed to the lead; the PE */
	_Atomic uint32_t cpu;		       /**< 1 + CPU last seen on, a hint; the PE */
	_Alignas(64) _Atomic uint64_t done;    /**< of which the lead has finished; lead */
	uint8_t value[56];		       /**< result of a short get or fetch; lead */
};

enum {
	RB_PROXY_OP_SIZE = 56, /**< bytes of a handed-over operation (host/proxy_client.c) */
	RB_PROXY_OPS = 256,    /**< that fit into a PE's ring, less one */
	RB_PROXY_RING_BYTES = 4 * RB_PAGE,
	RB_POST_WORDS = RB_MAX_LOCALS / 64,
	RB_BOUNCE = 65536, /**< of a PE's private memory, so much at a time (host/proxy_client.c) */
};

enum rb_report {
	RB_REPORT_NONE,
	RB_REPORT_BEGUN,
	RB_REPORT_DONE
};

struct rb_host_seg {
	_Atomic uint32_t ready; /**< lead: 1 once the words below and the region are valid */
	int32_t lead_pid;
	int32_t region_fd; /**< of the lead's process; opened through /proc */
	int32_t pieces_fd; /**< likewise, of the list of its files; -1: it is one file */
	struct rb_settings settings;
	uint32_t whole;			/**< the region has all its memory: rb.whole */
	uint32_t sides;			/**< bit mask of the links that this host has */
	uint32_t window_caps[RB_SIDES]; /**< NTB_CAP_* of its ports */
	int32_t window_fd[RB_SIDES];	/**< of the lead's process, as region_fd; -1: no file */
	uint64_t window_off[RB_SIDES];	/**< where in it the neighbour's region begins */
	_Alignas(64) _Atomic uint64_t released; /**< barrier epoch that all hosts are in; lead */
	_Atomic uint64_t speaker; /**< barrier epoch that a PE tells the neighbours; it */
	_Atomic uint64_t spoken;  /**< that it has told them; the same */
	/** bit of each PE that may have handed something over: the PE sets it, the lead clears it
	 */
	_Alignas(64) _Atomic uint64_t posts[RB_POST_WORDS];
	_Atomic uint32_t bell;	 /**< futex: rung for a sleeping lead; PEs */
	_Atomic uint32_t asleep; /**< the lead's service lcore is; lead */
	_Atomic uint64_t abort;	 /**< 1 << 32 | status of a PE that ended the job */
	_Atomic uint32_t reach;	 /**< enum rb_cma_reach, what PEs may do; lead, once */
	_Atomic uint32_t report; /**< enum rb_report: where all are, on SIGQUIT; the first PE */
	struct rb_host_line pe[RB_MAX_LOCALS];
	pid_t pid[RB_MAX_LOCALS];     /**< each PE its own */
	uint8_t *data[RB_MAX_LOCALS]; /**< where its static data is in its address space */
	struct rb_stats_pe stats[RB_MAX_LOCALS];
	struct rb_blocked_pe blocked[RB_MAX_LOCALS]; /**< each PE its own; where oshrun has none */
	/** requests of all PEs of this host, counted by the lead's process */
	struct rb_flow flow[RB_MAX_HOSTS][RB_MAX_CHANNELS];
	/** struct rte_ring of each PE for what it hands over; pages that nobody uses are no memory
	 */
	_Alignas(RB_PAGE) uint8_t ring[RB_MAX_LOCALS][RB_PROXY_RING_BYTES];
	/** of each PE, where the lead cannot reach its private memory; pages as those */
	_Alignas(RB_PAGE) uint8_t bounce[RB_MAX_LOCALS][RB_BOUNCE];
} __attribute__((aligned(RB_PAGE)));
_Static_assert(sizeof(struct rb_host_seg) % RB_PAGE == 0, "what follows is mapped by the page");

#endif /* RB_MEM_HOSTSEG_H */
