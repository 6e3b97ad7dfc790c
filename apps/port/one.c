/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <rte_atomic.h>

#include "driver.h"

/* Non-temporal stores fill a write-combining buffer, leave as one packet, and use no cache. */
static void
copy_nt(uint8_t *dst, const uint8_t *src, size_t size)
{
#ifdef __SSE2__
	size_t i;

	for (i = 0; i + 64 <= size; i += 64) {
		const __m128i *from = (const __m128i *)(const void *)(src + i);
		__m128i *to = (__m128i *)(void *)(dst + i);
		__m128i a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1);
		__m128i c = _mm_loadu_si128(from + 2), d = _mm_loadu_si128(from + 3);

		_mm_stream_si128(to, a);
		_mm_stream_si128(to + 1, b);
		_mm_stream_si128(to + 2, c);
		_mm_stream_si128(to + 3, d);
	}
	memcpy(dst + i, src + i, size - i);
	_mm_sfence();
#elif defined(__aarch64__)
	size_t i;

	for (i = 0; i + 64 <= size; i += 64)
		__asm__ volatile("ldp q0, q1, [%1]\n\t"
				 "ldp q2, q3, [%1, #32]\n\t"
				 "stnp q0, q1, [%0]\n\t"
				 "stnp q2, q3, [%0, #32]"
				 :
				 : "r"(dst + i), "r"(src + i)
				 : "v0", "v1", "v2", "v3", "memory");
	memcpy(dst + i, src + i, size - i);
	rte_wmb();
#else
	memcpy(dst, src, size);
#endif
}

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
			memcpy(window, d->src, d->size);
			break;
		case DRV_WRITE_NT:
			copy_nt(window, d->src, d->size);
			break;
		case DRV_READ:
			memcpy(d->dst, window, d->size);
			break;
		}
		rte_compiler_barrier(); /* each copy is done, although it is not read */
	}
	if (op == DRV_WRITE || op == DRV_WRITE_NT)
		port_flush(d->ports.port[NEAR]);
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
			port_flush(port);
			break;
		case DRV_LINK_POLL:
			(void)ntb_link_poll(port);
			break;
		}
	}
	if (op == DRV_DB_RING)
		ntb_db_clear(d->ports.port[AWAY], 1);
}
