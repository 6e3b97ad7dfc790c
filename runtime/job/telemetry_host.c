/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/telemetry_host.h"

#include "base/link.h"
#include "base/modes.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/wire.h"
#include "host/blocked.h"
#include "host/hostseg.h"
#include "host/wait_choose.h"
#include "job/counts.h"
#include "mem/layout.h"
#include "observe/blocked_table.h"
#include "observe/stats.h"
#include "op/barrier.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
info_cmd(const char *params, struct rte_tel_data *d)
{
	static const char *const modes[] = {RB_WAIT_MODES(RB_MODE_WORD)};
	char job[20];

	(void)params;
	snprintf(job, sizeof(job), "%016llx", (unsigned long long)rb.env.job);
	rte_tel_data_start_dict(d);
	rte_tel_data_add_dict_string(d, "job", job);
	rb_telemetry_u64(d, "pid", (uint64_t)getpid());
	rb_telemetry_u64(d, "host", (uint64_t)rb.host);
	rb_telemetry_u64(d, "hosts", (uint64_t)rb.hosts);
	rb_telemetry_u64(d, "pes", (uint64_t)rb.npes);
	rb_telemetry_u64(d, "host_pes", (uint64_t)rb.locals);
	rb_telemetry_u64(d, "emulated", rb_emulated());
	rte_tel_data_add_dict_string(d, "wait", modes[rb_wait_now(mode)]);
	rb_telemetry_u64(d, "channels", rb.channels);
	rb_telemetry_u64(d, "service_lcores", rb.lcores);
	rb_telemetry_u64(d, "slots", rb.slots);
	rb_telemetry_u64(d, "chunk_bytes", rb.chunk);
	rb_telemetry_u64(d, "traced", (rb.instrument & RB_INSTRUMENT_TRACE) != 0);
	return 0;
}

/* The last word of a neighbour: its epoch, and the number of hosts on that side that are in it. */
static void
add_arrivals(struct rte_tel_data *d, const char *epoch, const char *count, enum rb_side side)
{
	uint64_t v = rb.link[side].port == NULL
			     ? 0
			     : __atomic_load_n(&rb.link[side].mine->barrier, __ATOMIC_RELAXED);

	rb_telemetry_u64(d, epoch, v >> RB_ARRIVE_BITS);
	rb_telemetry_u64(d, count, v & ((1u << RB_ARRIVE_BITS) - 1));
}

static int
heap_cmd(const char *params, struct rte_tel_data *d)
{
	uint64_t v[RB_COUNTS];

	(void)params;
	rb_counts_of_heap(v);
	rte_tel_data_start_dict(d);
	rb_telemetry_counts(d, RB_COUNT_HEAP, v);
	return 0;
}

static int
barrier_cmd(const char *params, struct rte_tel_data *d)
{
	uint64_t v[RB_COUNTS];

	(void)params;
	rb_counts_of_pe(rb.local, v);
	rte_tel_data_start_dict(d);
	rb_telemetry_u64(d, "epoch", __atomic_load_n(&rb_barriers.epoch, __ATOMIC_RELAXED));
	add_arrivals(d, "left_epoch", "left_hosts", RB_LEFT);
	add_arrivals(d, "right_epoch", "right_hosts", RB_RIGHT);
	rb_telemetry_u64(d, "barriers", v[RB_COUNTED_PE_barriers]);
	rb_telemetry_u64(d, "barrier_ns", v[RB_COUNTED_PE_barrier_ns]);
	return 0;
}

static int
pes_cmd(const char *params, struct rte_tel_data *d)
{
	int pe;

	(void)params;
	rte_tel_data_start_array(d, RTE_TEL_INT_VAL);
	for (pe = 0; pe < rb.npes; pe++)
		if (rb_pe_host(pe) == rb.host)
			rte_tel_data_add_array_int(d, pe);
	return 0;
}

/* The longest current wait of a PE, if it waits. */
static void
add_blocked(struct rte_tel_data *d, int pe)
{
	const struct rb_blocked_pe *table = rb_block_of(pe);
	struct rb_blocked_seen seen = {.since = 0};
	uint64_t now = rb_now_ns();
	char whom[96] = "";

	if (table != NULL && rb_blocked_longest(table, &seen))
		rb_blocked_whom(&seen, whom, sizeof(whom));
	rte_tel_data_add_dict_string(d, "blocked_in", whom[0] == '\0' ? "" : seen.call);
	rte_tel_data_add_dict_string(d, "blocked_for", whom);
	rb_telemetry_u64(d, "blocked_ns",
			 whom[0] == '\0' || now < seen.since ? 0 : now - seen.since);
}

/* The state of a PE is the state of the thread that started the library, which has the first slot.
 */
static const char *
state_of(const struct rb_stats_pe *pe)
{
	switch (atomic_load_explicit(&pe->state, memory_order_relaxed)) {
	case RB_PE_STARTING:
		return "starting";
	case RB_PE_LEFT:
		return "left";
	default:
		break;
	}
	switch (rb_doing(&pe->thread[0])) {
	case RB_DOING_WAIT:
		return "waiting";
	case RB_DOING_BARRIER:
		return "barrier";
	default:
		return "running";
	}
}

/* A PE of this host. */
static int
pe_of(const char *s)
{
	char *end;
	long v;

	if (!isdigit((unsigned char)*s))
		return -EINVAL;
	errno = 0;
	v = strtol(s, &end, 10);
	if (errno != 0 || *end != '\0' || v >= rb.npes || rb_pe_host((int)v) != rb.host)
		return -EINVAL;
	return (int)v;
}

static int
pe_cmd(const char *params, struct rte_tel_data *d)
{
	int pe = pe_of(params), local;
	uint64_t v[RB_COUNTS];

	if (pe < 0)
		return pe;
	local = rb.place[pe].local;
	rb_counts_of_pe(local, v);
	rte_tel_data_start_dict(d);
	rb_telemetry_u64(d, "pe", (uint64_t)pe);
	rb_telemetry_u64(d, "pid", (uint64_t)(rb.locals > 1 ? rb_hostseg->pid[local] : getpid()));
	rte_tel_data_add_dict_string(d, "state", state_of(rb_stats_of(local)));
	rb_telemetry_counts(d, RB_COUNT_PE, v);
	add_blocked(d, pe);
	return 0;
}

const struct rb_telemetry_cmd rb_telemetry_host_cmds[] = {
	{"/ringbell/info", false, info_cmd, "The job and this host. No parameters"},
	{"/ringbell/heap", false, heap_cmd, "Symmetric memory of a PE. No parameters"},
	{"/ringbell/barrier", false, barrier_cmd, "Where this host is in barriers. No parameters"},
	{"/ringbell/pes", false, pes_cmd, "PEs of this host. No parameters"},
	{"/ringbell/pe", true, pe_cmd, "State and counters of a PE. Parameter: its number"},
	{NULL, false, NULL, NULL},
};
