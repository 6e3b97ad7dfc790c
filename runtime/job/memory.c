/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/memory.h"

#include <stddef.h>

#include "base/limit.h"
#include "base/state.h"
#include "base/types.h"
#include "host/host.h"
#include "job/preflight.h"
#include "mem/fork.h"
#include "mem/heap.h"
#include "mem/layout.h"
#include "mem/layout_fit.h"
#include "mem/region.h"
#include "mem/symmetric.h"
#include "survive/survive.h"

int
rb_memory_lay_out(const struct rb_params *params)
{
	size_t heap;
	int ret;

	rb_data_find();
	ret = rb_heap_fit(params, &heap);
	rb.survives = rb_survive_wanted();
	/* only frames are kept, so that they can be sent once more */
	rb_mem.by_frames = rb.survives;
	if (ret == 0)
		ret = rb_layout(heap);
	if (ret == 0 && rb_emulated() && rb.env.bar2 != 0)
		ret = rb_layout_fit(rb.env.bar2, "bar2= of RINGBELL_EMU to a power of two");
	return ret < 0 ? ret : rb_limit_check(rb_mem.lay.size);
}

void
rb_memory_free(void)
{
	rb_region_free();
	rb_host_close();
}

/* Give all PEs of this host one region: the lead creates it, the others map it. */
int
rb_memory_share(void)
{
	int ret = rb.npes > 1 ? rb_preflight_peers() : 0;

	if (ret == 0 && rb.locals > 1)
		ret = rb_host_open();
	if (ret < 0)
		return ret;
	if (rb.local != 0)
		ret = rb_host_join();
	else
		ret = rb_region_create();
	if (ret < 0)
		goto close;
	/* before the EAL starts its threads */
	ret = rb_data_remap();
	if (ret == 0)
		ret = rb_fork_data_moved();
	if (ret < 0)
		goto free;
	return 0;

free:
	rb_region_free();
close:
	rb_host_close();
	return ret;
}
