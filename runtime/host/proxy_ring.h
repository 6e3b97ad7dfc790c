/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_PROXY_RING_H
#define RB_HOST_PROXY_RING_H

/**
 * @file
 * What PEs without ports hand over (host/proxy_client.c) and the lead does (op/proxy.c).
 */

#include <stdint.h>

#include "host/hostseg.h"

struct rte_ring;

enum rb_proxy_kind {
	RB_PROXY_PUT,
	RB_PROXY_GET,
	RB_PROXY_AMO,
	RB_PROXY_FENCE,
	RB_PROXY_FLUSH
};

/** Where the near end of an operation is, as seen from the lead. */
enum rb_proxy_lbuf {
	RB_PROXY_BUF_NONE,
	RB_PROXY_BUF_INLINE,  /**< in the element */
	RB_PROXY_BUF_REGION,  /**< offset in the region */
	RB_PROXY_BUF_VALUE,   /**< the poster's value cell in the host segment */
	RB_PROXY_BUF_PRIVATE, /**< address in the poster */
	RB_PROXY_BUF_BOUNCE,  /**< the poster's part of seg->bounce */
};

/** One element of a ring. Written by a PE of the same job, which the lead trusts as it trusts
 *  itself: both can write all of the region anyway. */
struct rb_proxy_op {
	uint8_t kind;
	uint8_t near;
	uint8_t chan;
	uint8_t seg;
	uint32_t pe;  /**< whom it is for */
	uint32_t amo; /**< op | size << 8 */
	uint32_t nbi; /**< the near end stays until a flush */
	uint64_t off;
	uint64_t len;
	uint64_t at;	 /**< near end */
	uint64_t arg[2]; /**< operand and cond, or inline data */
};
_Static_assert(sizeof(struct rb_proxy_op) == RB_PROXY_OP_SIZE,
	       "host/host.h reserves the ring's memory");

static inline struct rte_ring *
rb_proxy_ring(unsigned int local)
{
	return (struct rte_ring *)rb_hostseg->ring[local];
}

/** Wake the lead's service lcore if it sleeps; behind a full fence, which pairs with that in
 *  rb_sleep(): it sees what was stored before, or this sees it asleep. */
void rb_proxy_ring_bell(void);

#endif /* RB_HOST_PROXY_RING_H */
