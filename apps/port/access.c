/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <string.h>

#include <rte_atomic.h>

#include "access.h"
#include "rte_pmd_ntb_port.h"

int
access_port(uint16_t dev_id, struct ntb_port_info *ret_info)
{
	return ntb_port_get(dev_id, ret_info);
}

int
access_configure(struct ntb_port *port, const struct ntb_port_config *conf)
{
	return ntb_port_configure(port, conf);
}

void
access_stop(struct ntb_port *port)
{
	ntb_port_stop(port);
}

void
access_store(volatile void *at, uint64_t v, unsigned int width)
{
	switch (width) {
	case 1:
		*(volatile uint8_t *)at = (uint8_t)v;
		break;
	case 2:
		*(volatile uint16_t *)at = (uint16_t)v;
		break;
	case 4:
		*(volatile uint32_t *)at = (uint32_t)v;
		break;
	default:
		*(volatile uint64_t *)at = v;
	}
}

uint64_t
access_load(const volatile void *at, unsigned int width)
{
	switch (width) {
	case 1:
		return *(const volatile uint8_t *)at;
	case 2:
		return *(const volatile uint16_t *)at;
	case 4:
		return *(const volatile uint32_t *)at;
	default:
		return *(const volatile uint64_t *)at;
	}
}

void
access_copy(volatile void *at, const void *from, size_t len)
{
	memcpy((void *)(uintptr_t)at, from, len);
}

void
access_stream(volatile void *at, uint64_t v, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
#ifdef __x86_64__
		_mm_stream_si64((long long *)(uintptr_t)at + i, (long long)v);
#else
		access_store((volatile uint64_t *)at + i, v, sizeof(v));
#endif
}

void
access_fence(void)
{
	rte_wmb();
}
