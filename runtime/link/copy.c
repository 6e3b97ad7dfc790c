/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/copy.h"

#include "base/window.h"
#include "link/dma_dev.h"
#include "link/dma_queue.h"
#include "mem/fastpath.h"

#include <rte_atomic.h>

#ifdef RTE_ARCH_X86
#include <immintrin.h>
#endif

enum {
	LINE = 64
};

/* Copies whole cache lines to an aligned address. A line is written as a whole,
 * so that a write-combining buffer leaves as one packet, and a cache does not first read a line
 * that is overwritten. */
#ifdef RTE_ARCH_X86
static void
nt_lines(uint8_t *dst, const uint8_t *src, size_t lines)
{
	for (; lines > 0; lines--, dst += LINE, src += LINE) {
		__m128i a = _mm_loadu_si128((const __m128i *)(const void *)src);
		__m128i b = _mm_loadu_si128((const __m128i *)(const void *)(src + 16));
		__m128i c = _mm_loadu_si128((const __m128i *)(const void *)(src + 32));
		__m128i d = _mm_loadu_si128((const __m128i *)(const void *)(src + 48));

		_mm_stream_si128((__m128i *)(void *)dst, a);
		_mm_stream_si128((__m128i *)(void *)(dst + 16), b);
		_mm_stream_si128((__m128i *)(void *)(dst + 32), c);
		_mm_stream_si128((__m128i *)(void *)(dst + 48), d);
	}
}
#else
/* ARM64: stores of register pairs with the non-temporal hint. */
static void
nt_lines(uint8_t *dst, const uint8_t *src, size_t lines)
{
	for (; lines > 0; lines--, dst += LINE, src += LINE)
		__asm__ volatile("ldp q0, q1, [%1]\n\t"
				 "ldp q2, q3, [%1, #32]\n\t"
				 "stnp q0, q1, [%0]\n\t"
				 "stnp q2, q3, [%0, #32]"
				 :
				 : "r"(dst), "r"(src)
				 : "v0", "v1", "v2", "v3", "memory");
}
#endif

/* False: not possible, because source and target overlap. An overlap is undefined behaviour of the
 * program unless both are the same, but the choice of the method must not make it worse. */
static bool
nt_copy(uint8_t *dst, const uint8_t *src, size_t len)
{
	size_t head = -(uintptr_t)dst % LINE, lines;
	uintptr_t to = (uintptr_t)dst, from = (uintptr_t)src;

	if ((to < from ? from - to : to - from) < len)
		return false;
	lines = (len - head) / LINE;
	if (!rb_win_stored(dst, src, len)) {
		rb_store(dst, src, head);
		nt_lines(dst + head, src + head, lines);
		head += lines * LINE;
		rb_store(dst + head, src + head, len - head);
	}
	/* Non-temporal stores are not ordered, neither among each other nor before the store that
	 * publishes them. Only the thread that made them can wait for them. */
	rte_wmb();
	return true;
}

bool
rb_copy_by_dma(enum rb_dist dist, size_t len)
{
	if (dist == RB_DIST_HOST || !rb_dma_ready())
		return false;
	return len >= (dist == RB_DIST_BRIDGE ? RB_COPY_DMA_BRIDGE : RB_COPY_DMA_WINDOW);
}

void
rb_copy_put(void *dst, const void *src, size_t len, enum rb_dist dist, _Atomic uint32_t *pending)
{
	size_t done = 0;

	if (rb_copy_by_dma(dist, len))
		done = pending != NULL ? rb_dma_begin(dst, src, len, pending)
				       : rb_dma_copy(dst, src, len);
	if (done < len)
		rb_copy_relay((uint8_t *)dst + done, (const uint8_t *)src + done, len - done, dist);
}

void
rb_copy_relay(void *dst, const void *src, size_t len, enum rb_dist dist)
{
	if (dist == RB_DIST_BRIDGE && len >= RB_COPY_NT && nt_copy(dst, src, len))
		return;
	if (!rb_win_stored(dst, src, len))
		rb_store(dst, src, len);
}
