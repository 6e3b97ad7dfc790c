/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef DRV_QUEUE_H
#define DRV_QUEUE_H

/* Two ports in one process that send mbufs to each other, as DPDK's NTB example sets them up. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_mbuf.h>
#include <rte_memzone.h>

#include "drv.h"
#include "ntb_rxtx.h"

enum {
	SIDE_QUEUES = 2,
	SIDE_DESCS = 64,
	SIDE_BUF = 256, /* bytes of a receive buffer */
	SIDE_MBUFS = 2000,
	SIDE_BURST = 16,
	SIDE_WINDOW = 64 << 20,
};

struct side {
	const char *name;
	struct drv_port port;
	const struct rte_memzone *mz;
	struct rte_mempool *mp, *tx_mp;
};

extern struct side side_a, side_b;

/* Both sides configured, linked and started; and all of it undone, with every mbuf accounted for.
 */
void side_plug(void);
void side_unplug(void);
int side_configure(struct side *s, uint16_t queues);
/* Wait until NTB_LINK_STATUS_NAME says so on either side; false after a while. */
bool side_wait_links(uint64_t want_a, uint64_t want_b);

/* A packet of @p len bytes in segments of @p seg. */
struct rte_mbuf *side_packet(const struct side *s, uint32_t seed, uint32_t len, uint32_t seg);
bool side_is_packet(const struct rte_mbuf *m, const struct side *s, uint32_t seed, uint32_t len);

/* What the driver gives; mbufs that it did not take are freed. */
int side_send(const struct side *s, size_t q, struct rte_mbuf **m, unsigned int n);
int side_send_one(const struct side *s, size_t q, uint32_t seed, uint32_t len, uint32_t seg);
int side_receive(const struct side *s, size_t q, struct rte_mbuf **m, unsigned int n);
bool side_receive_one(const struct side *s, size_t q, uint32_t seed, uint32_t len);

/* Wait until packets go through (again); what arrives must have been sent here. */
bool side_flows(const struct side *from, const struct side *to, size_t q);

static inline struct ntb_ring *
side_ring(const struct side *s, unsigned int q)
{
	return (struct ntb_ring *)((uint8_t *)s->mz->addr + q * ntb_ring_bytes(SIDE_DESCS));
}

#endif /* DRV_QUEUE_H */
