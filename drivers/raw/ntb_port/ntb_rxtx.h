/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef NTB_RXTX_H
#define NTB_RXTX_H

/*
 * Queues of mbufs between two ports, over any driver's struct ntb_port: what they consist of, and
 * the data path. ntb_queues.h is how the two sides connect, and the set-up.
 *
 * A receiver posts its empty buffers into a ring in the sender's memory. The sender stores packets
 * into those buffers and counts them in a ring in the receiver's memory. So both only store through
 * the window and only poll their own memory. A peer writes offsets and counts, never addresses.
 * Each of them is checked against numbers that only this side can write.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_mbuf.h>
#include <rte_rawdev.h>

#include "ntb_log.h"
#include "rte_pmd_ntb_port.h"

/* ---- what lies in the memory window, little endian ---- */

struct ntb_ring_desc {
	uint64_t off; /* of the buffer, in the window */
	uint32_t len;
	uint32_t reserved;
};

struct ntb_ring_used {
	uint16_t len;
	uint16_t flags; /* NTB_RING_EOP */
};

#define NTB_RING_EOP 1u

/* Written by the peer only, each counter in a cache line of its own: tag << 32 | count. */
struct ntb_ring {
	uint64_t posted __rte_cache_aligned;		 /* buffers for this side to send into */
	uint64_t filled __rte_cache_aligned;		 /* buffers of this side, sent into */
	struct ntb_ring_desc desc[] __rte_cache_aligned; /* one a slot, then struct ntb_ring_used */
};

_Static_assert(sizeof(struct ntb_ring_desc) == 16, "fixed by the wire");
_Static_assert(sizeof(struct ntb_ring_used) == 4, "fixed by the wire");

enum {
	NTB_QUEUES_MAX = 16,
	NTB_QUEUE_STATS = 6,
};

/* ---- this side ---- */

/* The thread that sends on a queue owns its tx, the thread that receives owns its rx. Both set
 * `busy` during a burst. The thread that ends a session waits until no queue is busy. Until it
 * stores the next tag it owns the rx of all queues, and posts their buffers again: a program that
 * only sends, or does not receive yet, makes no call that could post them. */
struct ntb_tx {
	uint32_t busy __rte_cache_aligned;
	uint32_t tag;  /* session that the counters belong to */
	uint32_t next; /* buffers used, free running */
	bool broken;   /* the peer wrote nonsense: over until the next session */
	uint64_t packets, bytes, errors;
};

struct ntb_rx {
	uint32_t busy __rte_cache_aligned;
	uint32_t tag;
	uint32_t next;	 /* buffers received, free running */
	uint32_t posted; /* buffers given to the peer, free running */
	bool broken;
	uint64_t packets, bytes, missed;
};

struct ntb_queue {
	struct ntb_tx tx;
	struct ntb_rx rx;
	uint16_t id;
	uint16_t nb_desc, tx_free_thresh;
	uint16_t room; /* bytes of a receive buffer */
	uint32_t mask; /* slots - 1 */
	struct rte_mempool *mp;
	const struct ntb_ring *local;
	const struct ntb_ring_used *local_used;
	char stat_name[NTB_QUEUE_STATS][RTE_RAW_DEV_XSTATS_NAME_SIZE];
	struct rte_mbuf *slot[]; /* posted buffers: [next, posted) & mask */
};

/* `tag` is atomic, the rest changes under the lock. */
struct ntb_queues {
	/* given by the driver of the port at probe */
	struct ntb_port *port;
	pthread_mutex_t *lock; /* held in control calls and while the link is updated */
	const char *name;
	/* Updates the link. Takes the lock, and calls ntb_queues_link() with it. */
	enum ntb_link (*look)(struct ntb_port *port);
	int refuse;	      /* returned by every call on queues; 0 once they are configured */
	bool started;	      /* bursts may go on */
	_Atomic bool open;    /* requests of the peer are let in */
	_Atomic bool hello;   /* the peer's hello is there */
	_Atomic bool match;   /* and asks for the same rings */
	_Atomic bool watched; /* by the EAL's interrupt thread */
	uint16_t asked_num;   /* queue pairs and descriptors, as the attributes ask for them */
	uint16_t asked_size;
	uint16_t num; /* and as they are configured, on both sides */
	uint16_t size;
	uint32_t session;   /* of this side */
	uint32_t tag;	    /* 0: no traffic */
	uint64_t lead;	    /* where the memory zone begins in the peer's window */
	uint64_t peer_lead; /* and the peer's in this one */
	uint8_t *window;    /* the port's */
	uint64_t window_size;
	uint8_t *zone; /* ours */
	size_t zone_len;
	struct ntb_queue *queue[NTB_QUEUES_MAX];
};

size_t ntb_ring_bytes(uint16_t size);

/* Number of mbufs taken or given, or a negative errno; @p id: which queue. */
int ntb_enqueue(struct ntb_queues *qs, struct rte_rawdev_buf **bufs, unsigned int count, size_t id);
int ntb_dequeue(struct ntb_queues *qs, struct rte_rawdev_buf **bufs, unsigned int count, size_t id);

/* While no burst goes on. */
void ntb_rx_start(struct ntb_queues *qs); /* take buffers, post them if there is a session */
void ntb_rx_sessions(struct ntb_queues *qs, uint32_t tag); /* post the buffers (again) */
void ntb_rx_drop(struct ntb_queue *q);			   /* give the buffers back */

#endif /* NTB_RXTX_H */
