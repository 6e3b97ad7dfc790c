/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/telemetry_cmd.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/link.h"
#include "base/modes.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/wire.h"
#include "dpdk_compat.h"
#include "host/blocked.h"
#include "host/hostseg.h"
#include "host/wait_choose.h"
#include "job/counts.h"
#include "mem/layout.h"
#include "observe/blocked_table.h"
#include "observe/loss.h"
#include "observe/stats.h"
#include "op/barrier.h"

static void
add_u64(struct rte_tel_data *d, const char *name, uint64_t v)
{
	compat_tel_dict_uint(d, name, v);
}

/* All counters of a group. */
static void
add_counts(struct rte_tel_data *d, enum rb_count_group group, const uint64_t v[RB_COUNTS])
{
	unsigned int i;

	for (i = 0; i < RB_COUNTS; i++)
		if (rb_count_rows[i].group == group)
			add_u64(d, rb_count_rows[i].name, v[i]);
}

static int
info_cmd(const char *params, struct rte_tel_data *d)
{
	static const char *const modes[] = {RB_WAIT_MODES(RB_MODE_WORD)};
	char job[20];

	(void)params;
	snprintf(job, sizeof(job), "%016llx", (unsigned long long)rb.env.job);
	rte_tel_data_start_dict(d);
	rte_tel_data_add_dict_string(d, "job", job);
	add_u64(d, "pid", (uint64_t)getpid());
	add_u64(d, "host", (uint64_t)rb.host);
	add_u64(d, "hosts", (uint64_t)rb.hosts);
	add_u64(d, "pes", (uint64_t)rb.npes);
	add_u64(d, "host_pes", (uint64_t)rb.locals);
	add_u64(d, "emulated", rb_emulated());
	rte_tel_data_add_dict_string(d, "wait", modes[rb_wait_now(mode)]);
	add_u64(d, "channels", rb.channels);
	add_u64(d, "service_lcores", rb.lcores);
	add_u64(d, "slots", rb.slots);
	add_u64(d, "chunk_bytes", rb.chunk);
	add_u64(d, "traced", (rb.instrument & RB_INSTRUMENT_TRACE) != 0);
	return 0;
}

/* The last word of a neighbour: its epoch, and the number of hosts on that side that are in it. */
static void
add_arrivals(struct rte_tel_data *d, const char *epoch, const char *count, enum rb_side side)
{
	uint64_t v = rb.link[side].port == NULL
			     ? 0
			     : __atomic_load_n(&rb.link[side].mine->barrier, __ATOMIC_RELAXED);

	add_u64(d, epoch, v >> RB_ARRIVE_BITS);
	add_u64(d, count, v & ((1u << RB_ARRIVE_BITS) - 1));
}

static int
heap_cmd(const char *params, struct rte_tel_data *d)
{
	uint64_t v[RB_COUNTS];

	(void)params;
	rb_counts_of_heap(v);
	rte_tel_data_start_dict(d);
	add_counts(d, RB_COUNT_HEAP, v);
	return 0;
}

static int
barrier_cmd(const char *params, struct rte_tel_data *d)
{
	uint64_t v[RB_COUNTS];

	(void)params;
	rb_counts_of_pe(rb.local, v);
	rte_tel_data_start_dict(d);
	add_u64(d, "epoch", __atomic_load_n(&rb_barriers.epoch, __ATOMIC_RELAXED));
	add_arrivals(d, "left_epoch", "left_hosts", RB_LEFT);
	add_arrivals(d, "right_epoch", "right_hosts", RB_RIGHT);
	add_u64(d, "barriers", v[RB_COUNTED_PE_barriers]);
	add_u64(d, "barrier_ns", v[RB_COUNTED_PE_barrier_ns]);
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
	add_u64(d, "blocked_ns", whom[0] == '\0' || now < seen.since ? 0 : now - seen.since);
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
	add_u64(d, "pe", (uint64_t)pe);
	add_u64(d, "pid", (uint64_t)(rb.locals > 1 ? rb_hostseg->pid[local] : getpid()));
	rte_tel_data_add_dict_string(d, "state", state_of(rb_stats_of(local)));
	add_counts(d, RB_COUNT_PE, v);
	add_blocked(d, pe);
	return 0;
}

/* The side that @p s names, if it has a link; else -EINVAL. */
static int
side_of(const char *s)
{
	int side;

	for (side = 0; side < RB_SIDES; side++)
		if (strcmp(s, rb_side_name(side)) == 0 && rb.link[side].port != NULL)
			return side;
	return -EINVAL;
}

static void
ring_name(unsigned int ring, char *s, size_t len)
{
	static const char *const shared[] = {"transit", "reply"};
	unsigned int group = (ring - rb.channels) / 2, which = (ring - rb.channels) % 2;

	if (ring < rb.channels)
		snprintf(s, len, "%u", ring);
	else if (rb.lcores == 1)
		snprintf(s, len, "%s", shared[which]);
	else
		snprintf(s, len, "%s%u", shared[which], group);
}

/* "left/0", "right/transit" */
static int
ring_of(const char *s, unsigned int *ring)
{
	const char *slash = strchr(s, '/');
	char side[8], name[16];
	int ret;

	if (slash == NULL || (size_t)(slash - s) >= sizeof(side))
		return -EINVAL;
	snprintf(side, sizeof(side), "%.*s", (int)(slash - s), s);
	ret = side_of(side);
	for (*ring = 0; ret >= 0 && *ring < RB_RINGS; ++*ring) {
		ring_name(*ring, name, sizeof(name));
		if (strcmp(slash + 1, name) == 0)
			return ret;
	}
	return -EINVAL;
}

static int
links_cmd(const char *params, struct rte_tel_data *d)
{
	unsigned int side;

	(void)params;
	rte_tel_data_start_array(d, RTE_TEL_STRING_VAL);
	for (side = 0; side < RB_SIDES; side++)
		if (rb.link[side].port != NULL)
			rte_tel_data_add_array_string(d, rb_side_name(side));
	return 0;
}

static int
link_cmd(const char *params, struct rte_tel_data *d)
{
	int side = side_of(params);
	uint64_t v[RB_COUNTS];

	if (side < 0)
		return side;
	rb_counts_of_link((enum rb_side)side, v);
	rte_tel_data_start_dict(d);
	add_counts(d, RB_COUNT_LINK, v);
	return 0;
}

/* The cable that is lost, seen from this host. */
static int
loss_cmd(const char *params, struct rte_tel_data *d)
{
	const struct rb_loss seen = rb_loss_seen();
	uint64_t v[RB_COUNTS];

	(void)params;
	rb_counts_of_loss(v);
	rte_tel_data_start_dict(d);
	if (seen.cable >= 0) {
		add_u64(d, "left_host", (uint64_t)seen.cable);
		add_u64(d, "right_host", ((uint64_t)seen.cable + 1) % (uint64_t)rb.hosts);
	}
	add_counts(d, RB_COUNT_LOSS, v);
	return 0;
}

static int
channels_cmd(const char *params, struct rte_tel_data *d)
{
	char name[16], s[32];
	unsigned int side, r;

	(void)params;
	rte_tel_data_start_array(d, RTE_TEL_STRING_VAL);
	for (side = 0; side < RB_SIDES; side++) {
		for (r = 0; r < RB_RINGS && rb.link[side].port != NULL; r++) {
			ring_name(r, name, sizeof(name));
			snprintf(s, sizeof(s), "%s/%s", rb_side_name(side), name);
			rte_tel_data_add_array_string(d, s);
		}
	}
	return 0;
}

static int
channel_cmd(const char *params, struct rte_tel_data *d)
{
	unsigned int ring;
	int side = ring_of(params, &ring);
	const struct rb_tx *tx;
	const struct rb_rx *rx;

	if (side < 0)
		return side;
	tx = &rb.link[side].tx[ring];
	rx = &rb.link[side].rx[ring];
	rte_tel_data_start_dict(d);
	add_u64(d, "tx_frames", rb_counted(&tx->frames));
	add_u64(d, "tx_frame_bytes", rb_counted(&tx->bytes));
	add_u64(d, "rx_frames", rb_counted(&rx->frames));
	add_u64(d, "rx_frame_bytes", rb_counted(&rx->bytes));
	add_u64(d, "queued_frames", rb_queued_frames(tx));
	add_u64(d, "credits", rb.slots - rb_queued_frames(tx));
	add_u64(d, "retries", rb_counted(&tx->retries));
	return 0;
}

/* What the counters of the link do not say. */
static int
window_cmd(const char *params, struct rte_tel_data *d)
{
	int side = side_of(params);
	const struct rb_link *link;

	if (side < 0)
		return side;
	link = &rb.link[side];
	rte_tel_data_start_dict(d);
	add_u64(d, "window_bytes", link->port->window_size);
	add_u64(d, "region_bytes", rb_mem.lay.size);
	add_u64(d, "is_memory", link->memory);
	add_u64(d, "write_combining", (link->port->caps & NTB_CAP_WINDOW_WC) != 0);
	return 0;
}

const struct rb_telemetry_cmd rb_telemetry_cmds[] = {
	{"/ringbell/info", false, info_cmd, "The job and this host. No parameters"},
	{"/ringbell/heap", false, heap_cmd, "Symmetric memory of a PE. No parameters"},
	{"/ringbell/barrier", false, barrier_cmd, "Where this host is in barriers. No parameters"},
	{"/ringbell/pes", false, pes_cmd, "PEs of this host. No parameters"},
	{"/ringbell/pe", true, pe_cmd, "State and counters of a PE. Parameter: its number"},
	{"/ringbell/links", false, links_cmd, "Links of this host. No parameters"},
	{"/ringbell/link", true, link_cmd,
	 "State and counters of a link. Parameter: left or right"},
	{"/ringbell/channels", false, channels_cmd, "Channels of all links. No parameters"},
	{"/ringbell/channel", true, channel_cmd,
	 "Counters of a channel. Parameter: such as left/0"},
	{"/ringbell/window", true, window_cmd, "A window and its region. Parameter: left or right"},
	{"/ringbell/loss", false, loss_cmd, "The cable that is lost. No parameters"},
	{NULL, false, NULL, NULL},
};
