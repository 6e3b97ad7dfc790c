/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "drv_pair.h"

#include <sys/mman.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <rte_rawdev.h>

static const char *const names[] = {"raw_ntb_plx_emu0", "raw_ntb_plx_emu1"};

int
drv_plug(struct drv_port *a, struct drv_port *b, const char *more_a, const char *more_b,
	 uint64_t len)
{
	int cable = memfd_create("cable", MFD_CLOEXEC);

	CU_ASSERT_TRUE_FATAL(cable >= 0);
	CU_ASSERT_EQUAL_FATAL(drv_port_open(a, names[0], cable, 0, more_a, len), 0);
	CU_ASSERT_EQUAL_FATAL(drv_port_open(b, names[1], cable, 1, more_b, len), 0);
	return cable;
}

void
drv_unplug(struct drv_port *a, struct drv_port *b, int cable)
{
	drv_port_close(a, names[0]);
	drv_port_close(b, names[1]);
	close(cable);
	CU_ASSERT_EQUAL(rte_rawdev_count(), 0);
}

void
drv_check_cable(struct drv_port *a, struct drv_port *b)
{
	volatile uint64_t *window = a->port->window;
	unsigned int i;

	*window = 0x5ca1ab1e;
	CU_ASSERT_EQUAL(ntb_flush(a->port), 0);
	CU_ASSERT_EQUAL(*(volatile uint64_t *)b->region.va, 0x5ca1ab1e);
	*(volatile uint64_t *)b->region.va = 0;
	for (i = 0; i < 16; i++) {
		ntb_db_ring(a->port, 1u << i);
		CU_ASSERT_EQUAL(ntb_db_read(b->port), 1u << i);
		ntb_db_clear(b->port, 1u << i);
	}
	for (i = 0; i < 8; i++) {
		a->port->ops->peer_spad_write(a->port, i, 0x100 + i);
		CU_ASSERT_EQUAL(b->port->ops->spad_read(b->port, i), 0x100 + i);
		b->port->ops->spad_write(b->port, i, 0x200 + i);
		CU_ASSERT_EQUAL(a->port->ops->peer_spad_read(a->port, i), 0x200 + i);
	}
}
