/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_DEV_H
#define PLX_DEV_H

/*
 * One rawdev. Owners: `started` and the chip's inbound part change only in control calls, which
 * rawdev leaves to one thread. `lock` excludes them and link_poll's re-programming from each other;
 * it is a mutex because pollers may outnumber the CPUs. Any thread may write `link` and `stats`.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_rawdev_pmd.h>

#include "ntb_queues.h"
#include "ntb_rawdev.h"
#include "plx_chip.h"

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
	PLX_SPAD_USER = NTB_SESSION_SPADS, /* spad_user_N is scratchpad 4 + N */
	PLX_SPAD_USER_COUNT = 4,
};

_Static_assert(PLX_STAT_MAX + 2 + NTB_QUEUES_COUNTERS <= NTB_RAWDEV_COUNTERS,
	       "room for all counters");

struct plx_dev {
	struct ntb_rawdev raw;
	struct ntb_port_ops ops; /* of the port: without what it lacks */
	struct plx_chip chip;
	struct plx_io *io;
	pthread_mutex_t lock;
	bool started;
	bool once;		      /* a link that breaks stays down; with the lock held */
	uint32_t link;		      /* enum ntb_link; relaxed atomic, a hint for the fast path */
	uint64_t stats[PLX_STAT_MAX]; /* relaxed atomics */
	uint64_t mw_size[NTB_QUEUES_WINDOWS]; /* ntb_dev_info points here */
	struct ntb_queues q;		      /* mbufs between two ports, DPDK's form */
};

static inline struct plx_dev *
plx_dev_of(const struct rte_rawdev *rawdev)
{
	return rawdev->dev_private;
}

static inline struct plx_dev *
plx_dev_of_raw(struct ntb_rawdev *r)
{
	return container_of(r, struct plx_dev, raw);
}

static inline struct plx_dev *
plx_dev_of_port(struct ntb_port *port)
{
	return container_of(port, struct plx_dev, raw.port);
}

static inline void
plx_stat_inc(struct plx_dev *dev, enum plx_stat stat)
{
	__atomic_fetch_add(&dev->stats[stat], 1, __ATOMIC_RELAXED);
}

/* ---- plx_link.c ---- */

/* The slow part of link_poll: handles changes, programs the chip again, and returns whether the
 * peer can be reached. */
enum ntb_link plx_dev_link_update(struct ntb_port *port);
/* As ntb_port_ops.why_down. */
void plx_dev_why(struct ntb_port *port, char *text, size_t size);

/* ---- plx_ops.c ---- */

/* Give @p port its calls, in @p ops, without those of the capabilities in @p lacks (PLX_LACKS_*).
 */
void plx_ops_fill(struct ntb_port *port, struct ntb_port_ops *ops, uint32_t lacks);

/* ---- plx_attr.c: attributes and counters of the rawdev ---- */

int plx_dev_attr_get(struct rte_rawdev *rawdev, const char *name, uint64_t *ret_value);
int plx_dev_attr_set(struct rte_rawdev *rawdev, const char *name, uint64_t value);
unsigned int plx_dev_counters(struct ntb_rawdev *r, struct ntb_counter c[NTB_RAWDEV_COUNTERS]);

/* ---- plx_rawdev.c: the rawdev operations of a port ---- */

extern const struct ntb_rawdev_ops plx_rawdev_ops;

/* ---- plx_probe.c ---- */

/* The chip behind an emulated port, for its DMA functions, as plxm_port_hold(). NULL: no port has
 * this name. */
struct plxm_port *plx_emu_hold(const char *name);

#endif /* PLX_DEV_H */
