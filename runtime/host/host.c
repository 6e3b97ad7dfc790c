/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_common.h>

#include "base/env.h"
#include "base/error.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/tsan.h"
#include "base/types.h"
#include "host/blocked.h"
#include "host/cpu.h"
#include "host/hostseg.h"
#include "host/eal_segments.h"
#include "host/wait.h"
#include "host/wait_choose.h"
#include "mem/layout_fit.h"
#include "mem/layout.h"
#include "mem/region.h"
#include "mem/settings.h"
#include "observe/stats.h"

static size_t
segment_size(void)
{
	return sizeof(*rb_hostseg) + (size_t)rb.locals * sizeof(rb_hostseg->bounce[0]);
}

/* The segment, followed by static data where the region does not hold it. */
static size_t
file_size(void)
{
	size_t data = rb_mem.lay.data == 0 ? rb_mem.data_size * (size_t)rb.locals : 0;

	return segment_size() + data;
}

int
rb_host_open(void)
{
	size_t size = file_size();
	void *va;

	if (rb.env.host.fd < 0)
		return rb_fail(-EINVAL,
			       "%d PEs on host %d but no RINGBELL_HOST_FD: start them with "
			       "oshrun",
			       rb.locals, rb.host);
	/* Every PE does this, and one whose settings differ may want less. It must not take away
	 * what others have mapped: rb_host_join() names the difference. */
	if (fallocate(rb.env.host.fd, 0, (off_t)size - 1, 1) < 0)
		return rb_fail(-errno, "RINGBELL_HOST_FD=%d: %s", rb.env.host.fd, strerror(errno));
	va = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, rb.env.host.fd, 0);
	if (va == MAP_FAILED)
		return rb_fail(-errno, "RINGBELL_HOST_FD=%d: %s", rb.env.host.fd, strerror(errno));
	rb_hostseg = va;
	rb_hostseg->pid[rb.local] = getpid();
	rb_block_host(true);
	rb_stats_attach(rb_hostseg->stats);
	if (size > segment_size()) {
		rb_mem.data_shared = (uint8_t *)va + segment_size();
		rb_mem.data_file = rb.env.host;
		rb_mem.data_off = segment_size();
	}
	return 0;
}

void
rb_host_close(void)
{
	rb_block_host(false);
	rb_stats_attach(NULL);
	/* It stays mapped: a thread of the runtime that waits for a word there looks at it once
	 * more when it wakes, or when it first runs, which may be now. */
	__atomic_store_n(&rb_hostseg, NULL, __ATOMIC_RELAXED);
}

void
rb_host_greets(uint64_t now)
{
	if (rb_hostseg != NULL)
		atomic_store_explicit(&rb_hostseg->greets, now, memory_order_relaxed);
}

void
rb_host_publish(void)
{
	rb_hostseg->lead_pid = getpid();
	rb_hostseg->region = rb_mem.file;
	if (rb_mem.file.fd < 0)
		rb_hostseg->no_pieces = rb_eal_segments_list(&rb_hostseg->pieces);
	rb_settings_here(&rb_hostseg->settings);
	rb_hostseg->ports = rb.ports;
	rb_hostseg->window_size = rb_mem.window;
	rb_hostseg->whole = rb_mem.whole;
	/* pairs with the acquire in rb_host_join() */
	atomic_store_explicit(&rb_hostseg->ready, 1, memory_order_release);
}

/* The lead has its own time limit for its neighbours, and its message names them. So this limit is
 * longer, and it begins when the lead's does: on a busy machine that may be much later. */
enum {
	LEAD_GRACE = 5
};

/* The lead has found how many ports its adapters have. */
static int
adopt_ports(void)
{
	if (rb.ports == rb_hostseg->ports || rb_hostseg->ports > RB_MAX_PORTS)
		return 0;
	rb.ports = rb_hostseg->ports;
	return rb_layout(rb_mem.lay.heap_size);
}

int
rb_host_join(void)
{
	struct rb_wait w = {.what = RB_FOR_LOCAL, .whom = 0};
	uint64_t began = rb_now_ns();
	char unlike[256];
	int fd;

	while (atomic_load_explicit(&rb_hostseg->ready, memory_order_acquire) == 0) {
		uint64_t greets = atomic_load_explicit(&rb_hostseg->greets, memory_order_relaxed);

		if (rb_block_late(RTE_MAX(began, greets), LEAD_GRACE))
			return rb_fail(-ETIMEDOUT, "the lead PE of host %d did not come up in %d s",
				       rb.host, rb_block_limit());
		rb_wait_turn(&w);
	}
	rb_wait_end(&w);
	if (adopt_ports() < 0 || (rb_hostseg->window_size != 0 &&
				  rb_layout_fit(rb_hostseg->window_size, "the window") < 0))
		return -ENOMEM;
	if (rb_settings_differ(&rb_hostseg->settings, unlike, sizeof(unlike)))
		return rb_fail(-EPROTO, "PE %d, the lead of host %d, has %s", rb.lead[rb.host],
			       rb.host, unlike);
	rb_mem.whole = rb_hostseg->whole != 0;
	if (rb_hostseg->region.fd < 0 && rb_hostseg->no_pieces < 0)
		return rb_fail(rb_hostseg->no_pieces,
			       "the lead's memory has no files that other PEs can map (%s): leave "
			       "out EAL arguments that change its memory",
			       strerror(-rb_hostseg->no_pieces));
	if (rb_hostseg->region.fd < 0) {
		fd = rb_hostseg_open(&rb_hostseg->pieces, "the files of the host's region");
		return fd < 0 ? fd : rb_eal_segments_map(fd);
	}
	fd = rb_hostseg_open(&rb_hostseg->region, "the host's region");
	return fd < 0 ? fd : rb_region_map(fd);
}

/* Is a PE from @p local on missing that ran last on this CPU? */
static bool
missing_here(uint64_t epoch, int local)
{
	const struct rb_host_line *line;

	if (!rb_waiting.shared_cpus)
		return false;
	for (line = &rb_hostseg->pe[local]; line < &rb_hostseg->pe[rb.locals]; line++)
		if (atomic_load_explicit(&line->arrived, memory_order_relaxed) < epoch &&
		    rb_cpu_of(line) == rb_cpu_mine())
			return true;
	return false;
}

bool
rb_host_all_arrived(uint64_t epoch, int *from)
{
	/* acquire: pairs with the release in rb_host_arrive() */
	while (*from < rb.locals &&
	       atomic_load_explicit(&rb_hostseg->pe[*from].arrived, memory_order_acquire) >= epoch)
		++*from;
	return *from == rb.locals;
}

/*
 * Each PE writes a line of its own, and waiters read all lines. So no PEs compete for a counter,
 * and on an oversubscribed machine a PE that gets the CPU after the last arrival passes at once.
 */
static void
await_locals(uint64_t epoch)
{
	struct rb_wait w = {.what = RB_FOR_BARRIER, .leaves = true, .locals = true};
	int i = 0;

	while (!rb_host_all_arrived(epoch, &i)) {
		w.here = missing_here(epoch, i);
		rb_wait_turn(&w);
	}
	rb_wait_end(&w);
}

void
rb_host_arrive(uint64_t epoch)
{
	rb_tsan_release();
	rb_cpu_publish();
	atomic_store_explicit(&rb_hostseg->pe[rb.local].arrived, epoch, memory_order_release);
	if (rb.hosts == 1 || rb.local == 0)
		await_locals(epoch);
}

void
rb_host_release(uint64_t epoch)
{
	atomic_store_explicit(&rb_hostseg->released, epoch, memory_order_release);
}

bool
rb_host_released(uint64_t epoch)
{
	/* acquire: pairs with rb_host_release() */
	return atomic_load_explicit(&rb_hostseg->released, memory_order_acquire) >= epoch;
}
