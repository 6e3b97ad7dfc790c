/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* dmadev is not yet of DPDK's stable interface in 22.11 */
#define ALLOW_EXPERIMENTAL_API

#include "copy/dma.h"

#include <errno.h>
#include <string.h>

#include "base/env.h"
#include "base/error.h"
#include "base/state.h"
#include "copy/dma_dev.h"

bool
rb_dma_ready(void)
{
	return rb_dma_count != 0;
}

int
rb_dma_open(void)
{
	const char *at = rb.env.dma;
	int ret;

	rb_dma_count = 0;
	while (*at != '\0') {
		size_t len = strcspn(at, ",");
		struct rb_dma_engine *e = &rb_dma_engines[rb_dma_count];

		if (len == 0 || len >= sizeof(e->name) || rb_dma_count == RB_DMA_DEVICES)
			return rb_fail(-EINVAL, "RINGBELL_DMA=%s: want up to %d names of dmadevs",
				       rb.env.dma, RB_DMA_DEVICES);
		memset(e, 0, sizeof(*e));
		atomic_flag_clear(&e->lock);
		memcpy(e->name, at, len);
		ret = rb_dma_start_engine(e);
		if (ret < 0)
			return ret;
		rb_dma_count++;
		at += len + (at[len] == ',');
	}
	return rb_dma_register_region();
}

void
rb_dma_close(void)
{
	while (rb_dma_count > 0)
		rte_dma_stop(rb_dma_engines[--rb_dma_count].id);
}
