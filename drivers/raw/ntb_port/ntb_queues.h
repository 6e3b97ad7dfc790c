/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef NTB_QUEUES_H
#define NTB_QUEUES_H

/* Queues of mbufs: how the two sides connect, and the set-up. */

#include <stdint.h> /* which DPDK's next one leaves out since 24.11 */

#include <rte_pmd_ntb.h>

#include "ntb_rawdev.h"
#include "ntb_rxtx.h"

/* ---- ntb_session.c ---- */

/*
 * How the two sides of mbuf queues connect, and how they notice that the connection is lost.
 *
 * Both sides draw a random session number whenever their rings begin anew: at configure and after a
 * link loss, which may have dropped stores. They exchange the numbers over scratchpads. Either
 * counter carries a tag made of both numbers. So counters of an earlier session count nothing, and
 * a restart of one side does not force the other side to restart.
 */

enum {
	NTB_SESSION_SPADS = 4, /* scratchpads that the hello takes, from the first on */
};

/* The result of an update of the link. */
enum ntb_link_look {
	NTB_LOOK_LOST, /* the link was lost; no store gets through before this call returns */
	NTB_LOOK_DOWN,
	NTB_LOOK_UP, /* the peer's registers and memory can be reached */
};

/* Never 0. */
uint32_t ntb_session_number(void);

/* With the lock held. */
void ntb_queues_link(struct ntb_queues *qs, enum ntb_link_look look);
void ntb_queues_leave(struct ntb_queues *qs); /* no more traffic; the peer notices */

/* Without the lock: update the link every 10 ms, or stop it. */
int ntb_queues_watch(struct ntb_queues *qs);
void ntb_queues_unwatch(struct ntb_queues *qs);

/* ---- ntb_queue.c ---- */

/*
 * Set-up of mbuf queues by the contract of DPDK's rte_pmd_ntb.h. A driver embeds struct ntb_queues
 * beside its struct ntb_port, and hands on the calls of struct rte_rawdev_ops.
 */

enum {
	NTB_QUEUES_WINDOWS = 1, /* memory windows, as DPDK counts them */
	/* each for all queues, then for one after the other */
	NTB_QUEUES_COUNTERS = (NTB_QUEUES_MAX + 1) * NTB_QUEUE_STATS,
};

void ntb_queues_init(struct ntb_queues *qs, struct ntb_port *port, pthread_mutex_t *lock,
		     const char *name, enum ntb_link (*look)(struct ntb_port *port));
void ntb_queues_close(struct ntb_queues *qs); /* for good; frees all queues */

/* Attributes NTB_QUEUE_NUM_NAME and NTB_QUEUE_SZ_NAME. */
int ntb_queues_ask(struct ntb_queues *qs, const char *name, uint64_t value);
int ntb_queues_conf_check(const struct ntb_queues *qs, const struct ntb_dev_config *conf);

/* With the lock held, and @p conf checked: the memory zone begins @p lead bytes into the peer's
 * window. */
void ntb_queues_begin(struct ntb_queues *qs, const struct ntb_dev_config *conf, uint64_t lead);
int ntb_queues_start_check(const struct ntb_queues *qs);
void ntb_queues_drop(struct ntb_queues *qs); /* out of the peer's reach: give buffers back */

/* As in struct rte_rawdev_ops. */
int ntb_queue_conf_get(struct ntb_queues *qs, uint16_t id, void *obj, size_t size);
int ntb_queue_setup(struct ntb_queues *qs, uint16_t id, const void *obj, size_t size);
int ntb_queue_release(struct ntb_queues *qs, uint16_t id);

/* Into @p c, by the names under which DPDK's NTB programs show them. Their number, which is 0 until
 * all queues are set up. */
unsigned int ntb_queues_counters(const struct ntb_queues *qs,
				 struct ntb_counter c[NTB_QUEUES_COUNTERS]);

#endif /* NTB_QUEUES_H */
