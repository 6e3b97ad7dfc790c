/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Loops of one lcore, or of two that do the same.
 */
#include <sched.h>
#include <string.h>

#include <rte_atomic.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_pause.h>

#include "access.h"
#include "driver.h"

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

/* ---- both directions ---- */

struct direction {
	struct drv *d;
	unsigned int from;
	long blocks;
	_Atomic unsigned int *ready;
};

static int
drive_direction(void *arg)
{
	const struct direction *way = arg;
	struct ntb_port *port = way->d->ports.port[way->from];
	unsigned int looks;
	long n;

	atomic_fetch_add(way->ready, 1);
	/* pairs with the other one's addition: neither begins before both are there */
	for (looks = 1; atomic_load(way->ready) < ENDS; looks++) {
		rte_pause();
		if (looks % 4096 == 0)
			sched_yield();
	}
	for (n = 0; n < way->blocks; n++) {
		access_copy(port->window, way->d->src, way->d->size);
		rte_compiler_barrier(); /* each copy is done, although it is not read */
	}
	ntb_flush(port);
	return 0;
}

void
drv_both(struct drv *d, int op, long n)
{
	_Atomic unsigned int ready = 0;
	struct direction there = {d, NEAR, n, &ready}, back = {d, AWAY, n, &ready};

	(void)op;
	rte_eal_remote_launch(drive_direction, &back, rte_get_next_lcore(-1, 1, 0));
	drive_direction(&there);
	rte_eal_mp_wait_lcore();
}
