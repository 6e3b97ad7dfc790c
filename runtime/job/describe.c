/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/describe.h"

#include <inttypes.h>

#include "base/env.h"
#include "base/route.h"
#include "base/state.h"
#include "host/ring_state.h"
#include "link/dma_dev.h"
#include "link/dma_queue.h"
#include "mem/layout.h"

/* How other PEs reach the static data of this PE; NULL: as they reach the heap, which is usual. */
static const char *
static_exception(void)
{
	if (rb.npes == 1 || rb_mem.data_size == 0 || rb_mem.lay.data != 0)
		return NULL;
	if (rb_mem.data_shared == NULL)
		return "private, by frames to other hosts";
	return rb.hosts == 1 ? NULL : "remapped on each host, by frames to other hosts";
}

void
rb_describe_start(void)
{
	const char *text = static_exception();

	if (rb.pe == 0 && text != NULL)
		fprintf(stderr, "ringbell: static data: %s\n", text);
	if (rb.pe == 0 && rb_mem.by_frames && rb.env.survive != RB_SURVIVE_YES)
		fprintf(stderr,
			"ringbell: windows of %" PRIu64 " bytes show no heap: everything goes by "
			"frames of %u bytes\n",
			rb_mem.window, rb.chunk);
	if (rb.pe == 0 && rb.hosts > 1 && rb.env.survive == RB_SURVIVE_YES &&
	    !rb_ring_state().survives)
		fprintf(stderr,
			"ringbell: RINGBELL_SURVIVE=yes, but a lost cable ends this job: it needs "
			"two cables at each host, one service lcore and ports that can keep a link "
			"down\n");
}

static int
count_neighbours(void)
{
	int h, n = 0;

	for (h = 0; h < rb.hosts; h++)
		n += rb_route_hops(h) == 1;
	return n;
}

void
rb_describe(FILE *out)
{
	const char *text = static_exception();

	if (rb.env.statics == RB_STATICS_NONE)
		text = "not symmetric (RINGBELL_STATIC=none)";
	fprintf(out, "Static data: %s\n", text == NULL ? "remapped; as heap" : text);
	if (rb.hosts > 1)
		fprintf(out, "Cables: to %d of %d other hosts\n", count_neighbours(), rb.hosts - 1);
	if (*rb.env.dma == '\0')
		return;
	if (!rb_dma_ready())
		fprintf(out, "DMA: %s, by the PE that has the ports\n", rb.env.dma);
	else
		fprintf(out, "DMA: %s, %" PRIu64 " copies\n", rb.env.dma, rb_dma_copies());
}
