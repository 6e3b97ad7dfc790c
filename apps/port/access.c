/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <string.h>

#include <rte_atomic.h>
#include <rte_common.h>
#include <rte_rawdev.h>

#include "access.h"
#include "rte_pmd_ntb_port.h"

/* Ports with windows of messages, by number of the device. Written before any access. */
static struct ntb_port *messages[RTE_RAWDEV_MAX_DEVS];
static unsigned int n_messages;

int
access_port(uint16_t dev_id, struct ntb_port_info *ret_info)
{
	int ret = ntb_port_get(dev_id, ret_info);

	if (ret == 0 && (ret_info->port->caps & NTB_CAP_WINDOW_MESSAGES) != 0) {
		messages[dev_id] = ret_info->port;
		n_messages = RTE_MAX(n_messages, dev_id + 1u);
	}
	return ret;
}

/* The port whose window of messages @p at is in; NULL: it is memory. */
static struct ntb_port *
port_at(const volatile void *at, uint64_t *ret_off)
{
	unsigned int i;

	for (i = 0; i < n_messages; i++) {
		if (messages[i] == NULL)
			continue;
		*ret_off = (uintptr_t)at - (uintptr_t)messages[i]->window;
		if (*ret_off < messages[i]->window_size)
			return messages[i];
	}
	return NULL;
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
	uint64_t off;
	struct ntb_port *port = port_at(at, &off);

	if (port != NULL)
		port->ops->write(port, off, &v, width);
	else if (width == 1)
		*(volatile uint8_t *)at = (uint8_t)v;
	else if (width == 2)
		*(volatile uint16_t *)at = (uint16_t)v;
	else if (width == 4)
		*(volatile uint32_t *)at = (uint32_t)v;
	else
		*(volatile uint64_t *)at = v;
}

uint64_t
access_load(const volatile void *at, unsigned int width)
{
	uint64_t off, v = 0;
	struct ntb_port *port = port_at(at, &off);

	if (port != NULL) /* a dead link gives all ones, as that of a window does */
		return port->ops->read(port, off, &v, width) < 0 ? UINT64_MAX >> (64 - 8 * width)
								 : v;
	if (width == 1)
		return *(const volatile uint8_t *)at;
	if (width == 2)
		return *(const volatile uint16_t *)at;
	if (width == 4)
		return *(const volatile uint32_t *)at;
	return *(const volatile uint64_t *)at;
}

void
access_copy(volatile void *at, const void *from, size_t len)
{
	uint64_t off;
	struct ntb_port *port = port_at(at, &off);

	if (port != NULL)
		port->ops->write(port, off, from, len);
	else
		memcpy((void *)(uintptr_t)at, from, len);
}

void
access_fetch(void *to, const volatile void *at, size_t len)
{
	uint64_t off;
	struct ntb_port *port = port_at(at, &off);

	if (port != NULL)
		(void)port->ops->read(port, off, to, len);
	else
		memcpy(to, (const void *)(uintptr_t)at, len);
}

/* Whole lines fill a write-combining buffer, leave as one packet, and use no cache. */
void
access_stream(volatile void *at, const void *from, size_t len)
{
	size_t i = 0;
	uint64_t off;

	if (port_at(at, &off) != NULL) {
		access_copy(at, from, len);
		return;
	}
#ifdef __SSE2__
	for (; i + 64 <= len; i += 64) {
		const __m128i *f = (const __m128i *)(const void *)((const uint8_t *)from + i);
		__m128i *to = (__m128i *)(void *)((uint8_t *)(uintptr_t)at + i);
		__m128i a = _mm_loadu_si128(f), b = _mm_loadu_si128(f + 1);
		__m128i c = _mm_loadu_si128(f + 2), d = _mm_loadu_si128(f + 3);

		_mm_stream_si128(to, a);
		_mm_stream_si128(to + 1, b);
		_mm_stream_si128(to + 2, c);
		_mm_stream_si128(to + 3, d);
	}
#elif defined(__aarch64__)
	for (; i + 64 <= len; i += 64)
		__asm__ volatile("ldp q0, q1, [%1]\n\t"
				 "ldp q2, q3, [%1, #32]\n\t"
				 "stnp q0, q1, [%0]\n\t"
				 "stnp q2, q3, [%0, #32]"
				 :
				 : "r"((uintptr_t)at + i), "r"((uintptr_t)from + i)
				 : "v0", "v1", "v2", "v3", "memory");
#endif
	memcpy((uint8_t *)(uintptr_t)at + i, (const uint8_t *)from + i, len - i);
}

void
access_fence(void)
{
	unsigned int i;

	rte_wmb();
	for (i = 0; i < n_messages; i++)
		if (messages[i] != NULL)
			messages[i]->ops->push(messages[i]);
}
