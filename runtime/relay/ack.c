/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/ack.h"

#include <stdbool.h>

#include "base/deal.h"
#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/tsan.h"
#include "base/window.h"
#include "base/wire.h"
#include "link/cable.h"
#include "link/chan.h"
#include "link/frame.h"

/*
 * Cumulative acknowledgements: one counter for each (port, requesting host, channel, class): the
 * port by which the requests came, or those that were stored left. One store or one frame
 * acknowledges any number of requests. Owner of all of it: poll.
 */
struct ack {
	uint64_t total; /* requests complete since bring-up */
	bool queued;
	uint8_t in; /* port by which its requests came */
};

enum {
	KEYS = RB_MAX_PORTS * RB_MAX_HOSTS * RB_MAX_CHANNELS * RB_CLS_MAX
};

static struct ack acks[RB_MAX_PORTS][RB_MAX_HOSTS][RB_MAX_CHANNELS][RB_CLS_MAX];
/* By the group of the channel: indices into acks, each at most once. */
static uint16_t queue[RB_MAX_LCORES][KEYS];
static unsigned int queued_count[RB_MAX_LCORES];
_Static_assert(KEYS <= UINT16_MAX, "queue[] holds 16-bit indices");
/* By group: turns that acks have waited, and whether more of the put that was stored last follows.
 */
static uint32_t late[RB_MAX_LCORES];
static bool more[RB_MAX_LCORES];

static struct ack *
ack_at(unsigned int key)
{
	return &acks[0][0][0][0] + key;
}

static void
queue_ack(struct ack *d, unsigned int group)
{
	if (d->queued)
		return;
	d->queued = true;
	queue[group][queued_count[group]++] = (uint16_t)(d - &acks[0][0][0][0]);
}

void
rb_ack_add(unsigned int port, unsigned int in, unsigned int src_host, unsigned int chan,
	   enum rb_class cls)
{
	/* where routes change, all of them count in one word */
	struct ack *d = &acks[likely(rb_survive == NULL) ? port : 0][src_host][chan][cls];

	d->in = (uint8_t)in;
	more[rb_group_of(chan)] = false;
	d->total++;
	queue_ack(d, rb_group_of(chan));
}

uint64_t
rb_ack_total(unsigned int src_host, unsigned int chan)
{
	return acks[0][src_host][chan][RB_CLS_EXECUTED].total;
}

void
rb_ack_more(unsigned int chan)
{
	more[rb_group_of(chan)] = true;
}

/* A relay stores requests for the neighbour at @p port. They are in its memory once a read through
 * that window has returned. */
static unsigned int
target_of(unsigned int port, enum rb_class cls)
{
	if (cls == RB_CLS_EXECUTED)
		return rb.host;
	if (!rb.link[port].memory)
		rb_cable_flush(port);
	return rb_route_neighbour(port);
}

static bool
send_ack(unsigned int key)
{
	unsigned int cls = key % RB_CLS_MAX, chan = key / RB_CLS_MAX % RB_MAX_CHANNELS;
	unsigned int src = key / (RB_CLS_MAX * RB_MAX_CHANNELS) % RB_MAX_HOSTS;
	unsigned int port = key / (RB_CLS_MAX * RB_MAX_CHANNELS * RB_MAX_HOSTS);
	unsigned int back = rb_backs[ack_at(key)->in][src];
	struct rb_link *link = &rb.link[back];
	unsigned int target = target_of(port, cls);
	struct rb_desc d = rb_frame_ack((int)src, (int)target, chan, cls, ack_at(key)->total);

	/* a job that goes on without a lost cable keeps all that it sends */
	if (rb_route_beyond(link) == (int)src && likely(rb_survive == NULL)) {
		/* release: pairs with the acquire of rb_quiet(); the data was stored before */
		rb_tsan_release();
		rb_win_store64(&link->theirs->ack[target][chan][cls], d.total);
		rb_win_wmb(link);
		return true;
	}
	return rb_ring_send(back, RB_RING_REPLY(rb_group_of(chan)), RB_ENTER, &d, NULL, NULL) == 0;
}

enum rb_progress_left
rb_ack_flush(unsigned int group, bool idle)
{
	unsigned int i, kept = 0, n = queued_count[group];
	uint16_t *keys = queue[group];

	late[group] = n == 0 ? 0 : late[group] + 1;
	if (n == 0)
		return RB_PROGRESS_IDLE;
	if (!rb_rule_ack_due(idle, more[group], late[group], rb.flushes))
		return RB_PROGRESS_STALL;
	for (i = 0; i < n; i++) {
		if (send_ack(keys[i]))
			ack_at(keys[i])->queued = false;
		else
			keys[kept++] = keys[i];
	}
	queued_count[group] = kept;
	late[group] = 0;
	return n > kept ? RB_PROGRESS_WORK : RB_PROGRESS_STALL;
}

void
rb_ack_take(unsigned int port, const struct rb_desc *d)
{
	unsigned int of = likely(rb_survive == NULL) ? port : 0;
	uint64_t *ack;

	if (d->cls >= RB_CLS_MAX)
		return;
	ack = &rb.link[of].mine->ack[rb_pe_host(d->src_pe)][d->chan][d->cls];
	/* the counter only rises: a wrong frame must not undo a completion */
	if (d->total > __atomic_load_n(ack, __ATOMIC_RELAXED))
		__atomic_store_n(ack, d->total, __ATOMIC_RELEASE);
}
