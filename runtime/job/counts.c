/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/counts.h"

#include <rte_cycles.h>

#include "base/link.h"
#include "base/route.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/transport.h"
#include "mem/layout.h"
#include "observe/loss.h"
#include "observe/stats.h"

const struct rb_count_row rb_count_rows[RB_COUNTS] = {
#define RB_COUNT(group, name, unit, meaning) {RB_COUNT_##group, #name},
#include "job/counts.def"
#undef RB_COUNT
};

/* Convert ticks of rb_trace_clock(). */
static uint64_t
to_ns(uint64_t ticks)
{
#if defined(__x86_64__)
	return (uint64_t)((double)ticks * 1e9 / (double)rte_get_tsc_hz());
#else
	return ticks;
#endif
}

#define PE(name) v[RB_COUNTED_PE_##name]

/* Each thread counts its own. */
void
rb_counts_of_pe(int local, uint64_t v[RB_COUNTS])
{
	const struct rb_stats_pe *pe = rb_stats_of(local);
	struct rb_stats sum = {0};
	unsigned int i;

	for (i = 0; i < RB_STATS_THREADS; i++) {
		const struct rb_stats *t = &pe->thread[i];

		sum.puts += rb_counted(&t->puts);
		sum.put_bytes += rb_counted(&t->put_bytes);
		sum.gets += rb_counted(&t->gets);
		sum.get_bytes += rb_counted(&t->get_bytes);
		sum.amos += rb_counted(&t->amos);
		sum.waits += rb_counted(&t->waits);
		sum.wait_ticks += rb_counted(&t->wait_ticks);
		sum.barriers += rb_counted(&t->barriers);
		sum.barrier_ticks += rb_counted(&t->barrier_ticks);
	}
	PE(threads) = (uint64_t)__builtin_popcountll(
		atomic_load_explicit(&pe->used, memory_order_relaxed));
	PE(puts) = sum.puts;
	PE(put_bytes) = sum.put_bytes;
	PE(gets) = sum.gets;
	PE(get_bytes) = sum.get_bytes;
	PE(atomics) = sum.amos;
	PE(waits) = sum.waits;
	PE(wait_ns) = to_ns(sum.wait_ticks);
	PE(barriers) = sum.barriers;
	PE(barrier_ns) = to_ns(sum.barrier_ticks);
}

#define LINK(name) v[RB_COUNTED_LINK_##name]

uint32_t
rb_queued_frames(const struct rb_tx *tx)
{
	uint32_t n = (uint32_t)rb_counted(&tx->frames) -
		     (uint32_t)__atomic_load_n(tx->credit, __ATOMIC_RELAXED);

	if (!rb.transport->credits) /* a doorbell, not a credit, acknowledges a frame */
		return 0;
	return n <= rb.slots ? n : rb.slots;
}

static void
count_rings(const struct rb_link *link, uint64_t v[RB_COUNTS])
{
	unsigned int r;

	for (r = 0; r < RB_RINGS; r++) {
		LINK(tx_frames) += rb_counted(&link->tx[r].frames);
		LINK(tx_frame_bytes) += rb_counted(&link->tx[r].bytes);
		LINK(rx_frames) += rb_counted(&link->rx[r].frames);
		LINK(rx_frame_bytes) += rb_counted(&link->rx[r].bytes);
		LINK(retries) += rb_counted(&link->tx[r].retries);
		LINK(queued_frames) += rb_queued_frames(&link->tx[r]);
	}
}

/* What the threads of this process sent through a window. No other process of the host has windows.
 */
static void
count_window(enum rb_side side, uint64_t v[RB_COUNTS])
{
	const struct rb_stats_pe *pe = rb_stats_of(rb.local);
	unsigned int i;

	for (i = 0; rb.instrument != 0 && i < RB_STATS_THREADS; i++) {
		LINK(stores) += rb_counted(&pe->thread[i].stores[side]);
		LINK(store_bytes) += rb_counted(&pe->thread[i].store_bytes[side]);
		LINK(loads) += rb_counted(&pe->thread[i].loads[side]);
		LINK(load_bytes) += rb_counted(&pe->thread[i].load_bytes[side]);
	}
}

/* Each service lcore counts its own. */
static void
count_relayed(const struct rb_link *link, uint64_t v[RB_COUNTS])
{
	unsigned int g;

	for (g = 0; g < rb.lcores; g++) {
		const struct rb_relayed *of = &link->relayed[g];

		LINK(forwarded) += rb_counted(&of->forwarded);
		LINK(forwarded_bytes) += rb_counted(&of->forwarded_bytes);
		LINK(relay_stores) += rb_counted(&of->stored);
		LINK(relay_store_bytes) += rb_counted(&of->stored_bytes);
		LINK(executed) += rb_counted(&of->executed);
		LINK(dropped) += rb_counted(&of->dropped);
		LINK(held) += rb_counted(&of->held);
		LINK(released) += rb_counted(&of->released);
		LINK(turned) += rb_counted(&of->turned);
	}
}

void
rb_counts_of_link(enum rb_side side, uint64_t v[RB_COUNTS])
{
	const struct rb_link *link = &rb.link[side];
	unsigned int i;

	for (i = 0; i < RB_COUNTS; i++)
		if (rb_count_rows[i].group == RB_COUNT_LINK)
			v[i] = 0;
	if (link->port == NULL)
		return;
	LINK(neighbour) = (uint64_t)rb_route_beyond(link);
	LINK(up) = ntb_link_poll(link->port) == NTB_LINK_UP;
	LINK(lost) = rb_link_lost(link);
	count_rings(link, v);
	count_window(side, v);
	count_relayed(link, v);
}

#define HEAP(name) v[RB_COUNTED_HEAP_##name]

void
rb_counts_of_heap(uint64_t v[RB_COUNTS])
{
	HEAP(heap_bytes) = rb_mem.lay.heap_size;
	HEAP(committed_bytes) = __atomic_load_n(&rb_mem.committed, __ATOMIC_RELAXED);
	HEAP(static_bytes) = rb_mem.data_size;
	HEAP(static_shared) = rb_mem.data_shared != NULL;
	HEAP(region_bytes) = rb_mem.lay.size;
	HEAP(huge_pages) = rb_mem.huge && rb_mem.whole;
}

#define LOSS(name) v[RB_COUNTED_LOSS_##name]

void
rb_counts_of_loss(uint64_t v[RB_COUNTS])
{
	const struct rb_loss seen = rb_loss_seen();
	uint64_t now = rb_now_ns();

	LOSS(survives) = rb.survives;
	LOSS(lost) = seen.cable >= 0;
	LOSS(lost_ns) = seen.since == 0 || now < seen.since ? 0 : now - seen.since;
	LOSS(pauses) = seen.pauses;
	LOSS(pause_ns) = seen.paused;
	LOSS(longest_pause_ns) = seen.longest;
}
