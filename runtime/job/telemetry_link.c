/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/telemetry_link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/transport.h"
#include "job/counts.h"
#include "mem/layout.h"
#include "observe/loss.h"
#include "observe/stats.h"

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
	rb_telemetry_counts(d, RB_COUNT_LINK, v);
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
		rb_telemetry_u64(d, "left_host", (uint64_t)seen.cable);
		rb_telemetry_u64(d, "right_host", ((uint64_t)seen.cable + 1) % (uint64_t)rb.hosts);
	}
	rb_telemetry_counts(d, RB_COUNT_LOSS, v);
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
	rb_telemetry_u64(d, "tx_frames", rb_counted(&tx->frames));
	rb_telemetry_u64(d, "tx_frame_bytes", rb_counted(&tx->bytes));
	rb_telemetry_u64(d, "rx_frames", rb_counted(&rx->frames));
	rb_telemetry_u64(d, "rx_frame_bytes", rb_counted(&rx->bytes));
	rb_telemetry_u64(d, "queued_frames", rb_queued_frames(tx));
	rb_telemetry_u64(d, "credits", rb.slots - rb_queued_frames(tx));
	rb_telemetry_u64(d, "retries", rb_counted(&tx->retries));
	return 0;
}

static int
window_cmd(const char *params, struct rte_tel_data *d)
{
	int side = side_of(params);
	const struct rb_link *link;
	uint64_t v[RB_COUNTS];

	if (side < 0)
		return side;
	link = &rb.link[side];
	rb_counts_of_link((enum rb_side)side, v);
	rte_tel_data_start_dict(d);
	rb_telemetry_u64(d, "neighbour", (uint64_t)rb_route_beyond(link));
	rb_telemetry_u64(d, "window_bytes", link->port->window_size);
	rb_telemetry_u64(d, "region_bytes", rb_mem.lay.size);
	rb_telemetry_u64(d, "is_memory", link->memory);
	rb_telemetry_u64(d, "write_combining", (link->port->caps & NTB_CAP_WINDOW_WC) != 0);
	rb_telemetry_u64(d, "stores", v[RB_COUNTED_LINK_stores]);
	rb_telemetry_u64(d, "store_bytes", v[RB_COUNTED_LINK_store_bytes]);
	rb_telemetry_u64(d, "loads", v[RB_COUNTED_LINK_loads]);
	rb_telemetry_u64(d, "load_bytes", v[RB_COUNTED_LINK_load_bytes]);
	return 0;
}

/* One number for both links: the frames arrived on one and left on the other. */
static int
relays_cmd(const char *params, struct rte_tel_data *d)
{
	uint64_t l[RB_COUNTS], r[RB_COUNTS];

	(void)params;
	rb_counts_of_link(RB_LEFT, l);
	rb_counts_of_link(RB_RIGHT, r);
	rte_tel_data_start_dict(d);
	rb_telemetry_u64(d, "forwarded",
			 l[RB_COUNTED_LINK_forwarded] + r[RB_COUNTED_LINK_forwarded]);
	rb_telemetry_u64(d, "forwarded_bytes",
			 l[RB_COUNTED_LINK_forwarded_bytes] + r[RB_COUNTED_LINK_forwarded_bytes]);
	rb_telemetry_u64(d, "relay_stores",
			 l[RB_COUNTED_LINK_relay_stores] + r[RB_COUNTED_LINK_relay_stores]);
	rb_telemetry_u64(d, "relay_store_bytes",
			 l[RB_COUNTED_LINK_relay_store_bytes] +
				 r[RB_COUNTED_LINK_relay_store_bytes]);
	return 0;
}

/* An array for each link, in the order of /ringbell/channels. */
static int
each_ring(struct rte_tel_data *d, uint64_t (*value)(const struct rb_tx *tx))
{
	unsigned int side, r;

	rte_tel_data_start_dict(d);
	for (side = 0; side < RB_SIDES; side++) {
		struct rte_tel_data *a;

		if (rb.link[side].port == NULL)
			continue;
		a = rte_tel_data_alloc();
		if (a == NULL)
			return -ENOMEM;
		rte_tel_data_start_array(a, COMPAT_TEL_UINT_VAL);
		for (r = 0; r < RB_RINGS; r++)
			compat_tel_array_uint(a, value(&rb.link[side].tx[r]));
		rte_tel_data_add_dict_container(d, rb_side_name(side), a, 0);
	}
	return 0;
}

static uint64_t
credits_of(const struct rb_tx *tx)
{
	return rb.slots - rb_queued_frames(tx);
}

static int
credits_cmd(const char *params, struct rte_tel_data *d)
{
	(void)params;
	return each_ring(d, credits_of);
}

static uint64_t
retries_of(const struct rb_tx *tx)
{
	return rb_counted(&tx->retries);
}

static int
retries_cmd(const char *params, struct rte_tel_data *d)
{
	(void)params;
	return each_ring(d, retries_of);
}

const struct rb_telemetry_cmd rb_telemetry_link_cmds[] = {
	{"/ringbell/links", false, links_cmd, "Links of this host. No parameters"},
	{"/ringbell/link", true, link_cmd,
	 "State and counters of a link. Parameter: left or right"},
	{"/ringbell/channels", false, channels_cmd, "Channels of all links. No parameters"},
	{"/ringbell/channel", true, channel_cmd,
	 "Counters of a channel. Parameter: such as left/0"},
	{"/ringbell/window", true, window_cmd, "A window and its use. Parameter: left or right"},
	{"/ringbell/relays", false, relays_cmd, "What is relayed for other hosts. No parameters"},
	{"/ringbell/credits", false, credits_cmd, "Free slots of each channel. No parameters"},
	{"/ringbell/retries", false, retries_cmd, "Looks without a free slot. No parameters"},
	{"/ringbell/loss", false, loss_cmd, "The cable that is lost. No parameters"},
	{NULL, false, NULL, NULL},
};
