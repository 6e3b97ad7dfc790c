/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Loops of one lcore, or of lcores that do the same.
 */
#include <sched.h>
#include <string.h>

#include <rte_atomic.h>
#include <rte_common.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_pause.h>

#include "access.h"
#include "driver.h"
#include "wait.h"

void
drv_copy(struct drv *d, int op, long n)
{
	uint8_t *window = d->ports.port[NEAR]->window;
	long i;

	for (i = 0; i < n; i++) {
		switch (op) {
		case DRV_PRIVATE:
			memcpy(d->dst, d->src, d->size);
			break;
		case DRV_WRITE:
			access_copy(window, d->src, d->size);
			break;
		case DRV_WRITE_NT:
			access_stream(window, d->src, d->size);
			access_fence();
			break;
		case DRV_READ:
			access_fetch(d->dst, window, d->size);
			break;
		}
		rte_compiler_barrier(); /* each copy is done, although it is not read */
	}
	if (op == DRV_WRITE || op == DRV_WRITE_NT)
		ntb_flush(d->ports.port[NEAR]);
}

void
drv_register(struct drv *d, int op, long n)
{
	struct ntb_port *port = d->ports.port[NEAR];
	long i;

	for (i = 0; i < n; i++) {
		switch (op) {
		case DRV_DB_RING:
			ntb_db_ring(port, 1);
			break;
		case DRV_DB_READ:
			(void)ntb_db_read(port);
			break;
		case DRV_DB_CLEAR:
			ntb_db_clear(port, 1);
			break;
		case DRV_SPAD_READ:
			(void)port->ops->spad_read(port, 0);
			break;
		case DRV_SPAD_WRITE:
			port->ops->spad_write(port, 0, (uint32_t)i);
			break;
		case DRV_PEER_SPAD_READ:
			(void)port->ops->peer_spad_read(port, 0);
			break;
		case DRV_PEER_SPAD_WRITE:
			port->ops->peer_spad_write(port, 0, (uint32_t)i);
			break;
		case DRV_FLUSH:
			ntb_flush(port);
			break;
		case DRV_LINK_POLL:
			(void)ntb_link_poll(port);
			break;
		}
	}
	if (op == DRV_DB_RING)
		ntb_db_clear(d->ports.port[AWAY], 1);
}

/* ---- lanes ---- */

/* Lanes are dealt to the lcores, which write a block into each of their own in turn, as adapters
 * that share a processor get theirs. */
struct lanes {
	struct drv *d;
	unsigned int n, lcores;
	long blocks;
	_Atomic unsigned int ready, done;
	_Atomic(uint64_t) begin; /* ns */
};

static int
drive_lanes(void *arg)
{
	struct lanes *l = arg;
	struct ports *p = &l->d->ports;
	unsigned int me, looks, i;
	long n;

	atomic_store(&l->begin, clock_ns()); /* the last one that arrives counts */
	me = atomic_fetch_add(&l->ready, 1);
	/* pairs with the others' additions: no lane starts before all have arrived */
	for (looks = 1; atomic_load(&l->ready) < l->lcores; looks++) {
		rte_pause();
		if (looks % 4096 == 0)
			sched_yield();
	}
	for (n = 0; n < l->blocks; n++) {
		for (i = me; i < l->n; i += l->lcores) {
			access_copy(p->info[p->lane[i].from].port->window, l->d->src, l->d->size);
			rte_compiler_barrier(); /* each copy is done, although it is not read */
		}
	}
	for (i = me; i < l->n; i += l->lcores) {
		ntb_flush(p->info[p->lane[i].from].port);
		p->lane[i].end = clock_ns();
	}
	atomic_fetch_add(&l->done, 1); /* pairs with the load after rte_eal_mp_wait_lcore() */
	return 0;
}

void
drv_lanes(struct drv *d, int op, long n)
{
	struct lanes l = {.d = d, .n = op ? (unsigned int)op : d->ports.lanes, .blocks = n};
	unsigned int launched = 1, id, i;

	l.lcores = RTE_MIN(rte_lcore_count(), l.n);
	RTE_LCORE_FOREACH_WORKER (id)
		if (launched++ < l.lcores)
			rte_eal_remote_launch(drive_lanes, &l, id);
	drive_lanes(&l);
	rte_eal_mp_wait_lcore();
	(void)atomic_load(&l.done);
	for (i = 0; i < l.n; i++)
		d->ports.lane[i].seconds = (double)(d->ports.lane[i].end - l.begin) * 1e-9;
}
