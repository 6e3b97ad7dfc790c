/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_PROXY_QUEUE_H
#define RB_HOST_PROXY_QUEUE_H

/**
 * @file
 * The rings of the PEs without ports, and the lead's side of them. These PEs post operations
 * (host/proxy_client.c); the lead takes and completes them, and executes them in between
 * (op/proxy.c).
 */

#include <stdbool.h>
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

/** Where the lead finds the local buffer of an operation. */
enum rb_proxy_lbuf {
	RB_PROXY_BUF_NONE,
	RB_PROXY_BUF_INLINE, /**< in the element */
	RB_PROXY_BUF_REGION, /**< offset in the region */
	RB_PROXY_BUF_VALUE,  /**< the posting PE's value cell in the host segment */
	RB_PROXY_BUF_BOUNCE, /**< offset in the posting PE's part of seg->bounce */
};

/** One element of a ring. A PE of the same job writes it. The lead trusts that PE, because both can
 *  write all of the region anyway. */
struct rb_proxy_op {
	uint8_t kind; /**< enum rb_proxy_kind */
	uint8_t lbuf; /**< enum rb_proxy_lbuf */
	uint8_t chan;
	uint8_t seg;
	uint32_t pe;  /**< target PE */
	uint32_t amo; /**< op | size << 8 */
	uint32_t nbi; /**< the local buffer stays unchanged until a flush */
	uint64_t off;
	uint64_t len;
	uint64_t at;	 /**< offset of the local buffer */
	uint64_t arg[2]; /**< operand and cond, or inline data */
};
_Static_assert(sizeof(struct rb_proxy_op) == RB_PROXY_OP_SIZE,
	       "host/hostseg.h reserves the ring's memory");

static inline struct rte_ring *
rb_proxy_ring(unsigned int local)
{
	return (struct rte_ring *)rb_hostseg->ring[local];
}

/** Make the rings, before rb_host_publish(). 0 or -errno, words. */
int rb_proxy_rings(void);
/** Take an operation of a PE that has none under way. One thread at a time. */
bool rb_proxy_take(struct rb_proxy_op *h, unsigned int *local);
/** The counter of replies that a PE's operation waits for: see rb_req_claim(). */
_Atomic uint32_t *rb_proxy_pending(unsigned int local);
/** The operation of a PE is issued; completes it where no reply is outstanding. */
void rb_proxy_issued(unsigned int local);
/** A reply has decremented @p pending to @p left. If @p pending belongs to a posted operation
 *  without outstanding replies, complete that operation. */
void rb_proxy_replied(const _Atomic uint32_t *pending, uint32_t left);
/** For rb_sleep(): the futex word, and its value before the last poll; NULL: one PE. */
uint32_t *rb_proxy_word(uint32_t *seen);
/** Ask the other PEs to ring the bell. The caller puts a full fence between this and
 *  rb_proxy_idle(). */
void rb_proxy_ask(bool sleeping);
/** Is there nothing to take? A hint. */
bool rb_proxy_idle(void);

#endif /* RB_HOST_PROXY_QUEUE_H */
