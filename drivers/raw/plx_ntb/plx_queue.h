/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_QUEUE_H
#define PLX_QUEUE_H

/*
 * Queues of mbufs between two ports, the contract of DPDK's rte_pmd_ntb.h.
 *
 * A receiver posts its empty buffers into a ring in the sender's memory, the sender stores packets
 * into those buffers and says so in a ring in the receiver's memory. So both only store through the
 * window and only poll their own memory. What a peer writes is offsets and counts, never addresses,
 * and every one of them is checked against what only this side knows.
 *
 * Both sides draw a random session number whenever their rings begin anew: at configure and after a
 * link loss, which may have swallowed stores. They tell it over scratchpads. Either counter carries
 * a tag made of both numbers, so that counters of an earlier life mean nothing, and neither side
 * needs a restart because the other one had one.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_mbuf.h>
#include <rte_pmd_ntb.h>
#include <rte_rawdev.h>

struct plx_dev;

/* ---- what lies in the memory window, little endian ---- */

struct plx_ring_desc {
	uint64_t off; /* of the buffer, in the window */
	uint32_t len;
	uint32_t reserved;
};

struct plx_ring_used {
	uint16_t len;
	uint16_t flags; /* PLX_RING_EOP */
};

#define PLX_RING_EOP 1u

/* Written by the peer only, each counter in a cache line of its own: tag << 32 | count. */
struct plx_ring {
	uint64_t posted __rte_cache_aligned;		 /* buffers for this side to send into */
	uint64_t filled __rte_cache_aligned;		 /* buffers of this side, sent into */
	struct plx_ring_desc desc[] __rte_cache_aligned; /* one a slot, then struct plx_ring_used */
};

_Static_assert(sizeof(struct plx_ring_desc) == 16, "fixed by the wire");
_Static_assert(sizeof(struct plx_ring_used) == 4, "fixed by the wire");

enum {
	PLX_QUEUES_MAX = 16,
	PLX_QUEUE_STATS = 6,
};

/* ---- this side ---- */

/* The thread that sends on a queue owns its tx, the one that receives its rx. `busy` is also read
 * by who ends a session: it waits until no burst that began under it goes on. From then until it
 * has stored the next tag it owns the rx of all queues, and posts their buffers anew: programs that
 * only send, or do not receive yet, look at no queue that could do it. */
struct plx_tx {
	uint32_t busy __rte_cache_aligned;
	uint32_t tag;  /* session that the counters belong to */
	uint32_t next; /* buffers used, free running */
	bool broken;   /* the peer wrote nonsense: over until the next session */
	uint64_t idle_since;
	uint64_t packets, bytes, errors;
};

struct plx_rx {
	uint32_t busy __rte_cache_aligned;
	uint32_t tag;
	uint32_t next;	 /* buffers received, free running */
	uint32_t posted; /* buffers given to the peer, free running */
	bool broken;
	uint64_t idle_since;
	uint64_t packets, bytes, missed;
};

struct plx_queue {
	struct plx_tx tx;
	struct plx_rx rx;
	uint16_t id;
	uint16_t nb_desc, tx_free_thresh;
	uint16_t room; /* bytes of a receive buffer */
	uint32_t mask; /* slots - 1 */
	struct rte_mempool *mp;
	const struct plx_ring *local;
	const struct plx_ring_used *local_used;
	char stat_name[PLX_QUEUE_STATS][RTE_RAW_DEV_XSTATS_NAME_SIZE];
	struct rte_mbuf *slot[]; /* posted buffers: [next, posted) & mask */
};

/* Part of struct plx_dev; `tag` is atomic, the rest changes under the device's lock. */
struct plx_queues {
	bool on;	      /* configured by struct ntb_dev_config */
	_Atomic bool open;    /* requests of the peer are let in */
	_Atomic bool hello;   /* the peer's hello is there */
	_Atomic bool match;   /* and asks for the same rings */
	_Atomic bool watched; /* by the EAL's interrupt thread */
	uint16_t num;	      /* queue pairs */
	uint16_t size;	      /* descriptors, as both sides have them */
	uint32_t session;     /* of this side */
	uint32_t tag;	      /* 0: no traffic */
	uint64_t lead;	      /* where the memory zone begins in the peer's window */
	uint64_t peer_lead;   /* and the peer's in this one */
	uint8_t *zone;	      /* ours */
	size_t zone_len;
	struct plx_queue *queue[PLX_QUEUES_MAX];
	uint64_t tick; /* TSC cycles between two looks at an idle link */
};

extern const char *const plx_queue_stats[PLX_QUEUE_STATS];

size_t plx_queue_ring_bytes(uint16_t size);
int plx_queue_conf_get(struct rte_rawdev *rawdev, uint16_t id, rte_rawdev_obj_t obj, size_t size);
int plx_queue_setup(struct rte_rawdev *rawdev, uint16_t id, rte_rawdev_obj_t obj, size_t size);
int plx_queue_release(struct rte_rawdev *rawdev, uint16_t id);
void plx_queues_release(struct plx_dev *dev);

/* Without the device's lock: look at the link now and then while nobody moves mbufs, or no more. */
int plx_queues_watch(struct plx_dev *dev);
void plx_queues_unwatch(struct plx_dev *dev);

/* With the device's lock held. */
void plx_queues_begin(struct plx_dev *dev, const struct ntb_dev_config *conf, uint64_t lead);
void plx_queues_end_session(struct plx_dev *dev); /* returns when no burst touches the window */
void plx_queues_leave(struct plx_dev *dev);	  /* the same for good; tells the peer */
void plx_queues_meet(struct plx_dev *dev);	  /* the link is up: hello in both directions */
int plx_queues_check(struct plx_dev *dev);	  /* may start? */

void plx_rx_start(struct plx_dev *dev);			 /* take buffers, post them if it can be */
void plx_rx_sessions(struct plx_dev *dev, uint32_t tag); /* no burst goes on: post them (again) */
void plx_rx_drop_buffers(struct plx_queue *q);
int plx_enqueue(struct rte_rawdev *rawdev, struct rte_rawdev_buf **bufs, unsigned int count,
		rte_rawdev_obj_t context);
int plx_dequeue(struct rte_rawdev *rawdev, struct rte_rawdev_buf **bufs, unsigned int count,
		rte_rawdev_obj_t context);

#endif /* PLX_QUEUE_H */
