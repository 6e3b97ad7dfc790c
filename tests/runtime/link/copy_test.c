/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdint.h>
#include <string.h>

#include "cases.h"
#include "link/copy.h"
#include "link/dma_dev.h"

/* Which method a copy takes, and copies past the caches. */

static void
methods(void)
{
	CU_ASSERT_FALSE(rb_copy_requests(RB_DIST_WINDOW, 1 << 30));
	CU_ASSERT_FALSE(rb_copy_requests(RB_DIST_BRIDGE, RB_COPY_REQUEST - 1));
	CU_ASSERT_TRUE(rb_copy_requests(RB_DIST_BRIDGE, RB_COPY_REQUEST));
	/* no device */
	rb_dma_count = 0;
	CU_ASSERT_FALSE(rb_copy_by_dma(RB_DIST_WINDOW, 1 << 30));
	rb_dma_count = 1;
	CU_ASSERT_FALSE(rb_copy_by_dma(RB_DIST_HOST, 1 << 30));
	CU_ASSERT_FALSE(rb_copy_by_dma(RB_DIST_WINDOW, RB_COPY_DMA_WINDOW - 1));
	CU_ASSERT_TRUE(rb_copy_by_dma(RB_DIST_WINDOW, RB_COPY_DMA_WINDOW));
	CU_ASSERT_FALSE(rb_copy_by_dma(RB_DIST_BRIDGE, RB_COPY_DMA_BRIDGE - 1));
	CU_ASSERT_TRUE(rb_copy_by_dma(RB_DIST_BRIDGE, RB_COPY_DMA_BRIDGE));
	rb_dma_count = 0;
}

/* Every alignment and length near a line, by the method that treats lines apart. */
static void
copies(void)
{
	static uint8_t from[1024], to[1024], want[1024];
	size_t d, s, n, i;

	for (i = 0; i < sizeof(from); i++)
		from[i] = (uint8_t)(i * 7 + i / 256);
	for (d = 0; d < 64; d += 3) {
		for (s = 0; s < 64; s += 5) {
			for (n = 0; n < 330; n++) {
				memset(to, 0xee, sizeof(to));
				memset(want, 0xee, sizeof(want));
				memcpy(want + d, from + s, n);
				rb_copy_put(to + d, from + s, n, RB_DIST_BRIDGE, NULL);
				if (memcmp(to, want, sizeof(to)) != 0)
					break;
			}
			CU_ASSERT_EQUAL(n, 330);
		}
	}
	/* overlap: as memmove */
	memcpy(want, from, sizeof(want));
	memmove(want + 8, want, 512);
	rb_copy_put(from + 8, from, 512, RB_DIST_BRIDGE, NULL);
	CU_ASSERT_EQUAL(memcmp(from, want, sizeof(want)), 0);
}

TEST_PROGRAM("copy", NULL, NULL, {"methods", methods}, {"non-temporal copies", copies})
