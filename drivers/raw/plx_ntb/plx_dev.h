/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_DEV_H
#define PLX_DEV_H

/*
 * One rawdev. Owners: `state`, `region` and the chip's inbound part change only in control
 * calls (configure, start, stop, close, reset), which rawdev leaves to one thread. `lock` excludes
 * them and link_poll's re-programming from each other; it is a mutex because pollers may outnumber
 * the CPUs. Any thread may write `link` and `stats`.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_rawdev.h>
#include <rte_rawdev_pmd.h>

#include "ntb_queue.h"
#include "plx_chip.h"
#include "rte_pmd_ntb_port.h"

enum plx_state {
	PLX_CLOSED, /* every call but close fails */
	PLX_PROBED,
	PLX_CONFIGURED,
	PLX_STARTED,
};

enum plx_stat {
	PLX_STAT_LINK_UPS,
	PLX_STAT_LINK_DOWNS,
	PLX_STAT_REPROGRAMS,
	PLX_STAT_DB_RUNG,
	PLX_STAT_FLUSHES,
	PLX_STAT_FLUSH_FAILURES,
	PLX_STAT_MAX,
};

enum {
	PLX_XSTATS_MAX = PLX_STAT_MAX + 2 + PLX_IO_COUNTERS + NTB_QUEUES_COUNTERS,
	PLX_SPAD_USER = NTB_SESSION_SPADS, /* spad_user_N is scratchpad 4 + N */
	PLX_SPAD_USER_COUNT = 4,
};

struct plx_dev {
	struct ntb_port port;	 /* the handle that users hold */
	struct ntb_port_ops ops; /* of the handle: without what the port lacks */
	struct plx_chip chip;
	struct plx_io *io;
	pthread_mutex_t lock;
	enum plx_state state;
	bool once; /* a link that breaks stays down; with the lock held */
	/* Called at each update of the link, with the lock held. */
	void (*on_link)(struct plx_dev *dev, enum ntb_link_look look);
	uint32_t link;		       /* enum ntb_link; relaxed atomic, a hint for the fast path */
	uint64_t stats[PLX_STAT_MAX];  /* relaxed atomics */
	uint64_t base[PLX_XSTATS_MAX]; /* values at the last xstats reset */
	struct ntb_port_config region; /* len 0 = none */
	uint64_t mw_size[NTB_QUEUES_WINDOWS]; /* ntb_dev_info points here */
	struct ntb_queues q;		      /* mbufs between two ports, DPDK's form */
	char name[RTE_RAWDEV_NAME_MAX_LEN];
	char location[32];
};

static inline struct plx_dev *
plx_dev_of(const struct rte_rawdev *rawdev)
{
	return rawdev->dev_private;
}

static inline struct plx_dev *
plx_dev_of_port(struct ntb_port *port)
{
	return container_of(port, struct plx_dev, port);
}

static inline void
plx_stat_inc(struct plx_dev *dev, enum plx_stat stat)
{
	__atomic_fetch_add(&dev->stats[stat], 1, __ATOMIC_RELAXED);
}

#endif /* PLX_DEV_H */
