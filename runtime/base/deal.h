/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_DEAL_H
#define RB_BASE_DEAL_H

/**
 * @file
 * How the PEs of a job are distributed to the hosts, for oshrun (--map-by) and the runtime
 * (RINGBELL_MAP): both must come to the same result. No DPDK here.
 */

#include <stddef.h>
#include <stdint.h>

enum {
	RB_MAX_HOSTS = 64, /**< a host id has six bits on the wire */
	RB_MAX_PORTS = 8,  /**< NT ports of a host */
	RB_MAX_PES = 1024,
	RB_MAX_LOCALS = 256, /**< PEs of one host */
};

struct rb_deal {
	enum {
		RB_DEAL_SLOT,	/**< host after host, equally many on each; the first hosts get one
				   more if needed */
		RB_DEAL_HOST,	/**< one PE on each host in turn */
		RB_DEAL_COUNTS, /**< host after host, by a count for each */
	} how;
	int hosts, pes; /**< COUNTS: totals of the counts; else 0 */
	uint16_t count[RB_MAX_HOSTS];
};

/** "slot", "host", or the PEs of each host: "5,1,2".
 *  @return 0, or -EINVAL; @p why then ends a message that begins with @p text */
int rb_deal_read(struct rb_deal *deal, const char *text, char *why, size_t len);

/** The host of each of @p pes PEs, 1 <= @p hosts <= @p pes; counts must be for exactly these
 *  numbers. */
void rb_deal_out(const struct rb_deal *deal, int hosts, int pes, uint8_t host_of[RB_MAX_PES]);

#endif /* RB_BASE_DEAL_H */
