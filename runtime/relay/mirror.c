/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/mirror.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

#include "base/group.h"
#include "base/link.h"
#include "base/state.h"
#include "base/types.h"
#include "base/wire.h"
#include "copy/copy.h"
#include "link/cut.h"

/* Descriptors and slots, one behind the other. */
struct frames {
	struct rb_desc *desc;
	uint8_t *slot;
	uint32_t room;
};

/* Of a group; there is one side with a mirror. */
static struct mirror {
	bool in_place[RB_SIDES];
	struct frames replies, requests;
	struct rb_rx rx; /* of the replies */
	uint64_t credit;
	uint32_t first, held; /* requests held: how many were released, and how many in all */
	bool mark_sent, mark_came;
} mirrors[RB_MAX_LCORES];

/* Groups that send nothing over the cable any more. */
static _Atomic unsigned int placed[RB_SIDES];

/* All slots of the line in which requests of a group can be, and a request of each channel and host
 * that had its slot before its sender learned of the loss. */
static uint32_t
most_requests(void)
{
	unsigned int channels = rb.channels / rb.lcores + 1;

	return (uint32_t)(rb.hosts - 1) * (rb.slots + 1) * (channels + 1);
}

static size_t
frames_size(uint32_t room)
{
	return (size_t)room * (sizeof(struct rb_desc) + rb.chunk);
}

/* Pages that no frame touches take no memory. */
static int
map_frames(struct frames *f, uint32_t room)
{
	void *va = mmap(NULL, frames_size(room), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (va == MAP_FAILED)
		return -ENOMEM;
	f->desc = va;
	f->slot = (uint8_t *)(f->desc + room);
	f->room = room;
	return 0;
}

static void
unmap_frames(struct frames *f)
{
	if (f->desc != NULL)
		munmap(f->desc, frames_size(f->room));
	f->desc = NULL;
}

int
rb_mirror_begin(enum rb_side side, unsigned int group)
{
	struct rb_tx *tx = &rb.link[side].tx[RB_RING_REPLY(group)];
	struct mirror *m = &mirrors[group];

	if (map_frames(&m->replies, rb.slots) < 0 || map_frames(&m->requests, most_requests()) < 0)
		return -ENOMEM;
	/* its counters go on */
	tx->pos = 0;
	tx->desc = m->replies.desc;
	tx->slot = m->replies.slot;
	tx->credit = &m->credit;
	m->rx = (struct rb_rx){
		.desc = m->replies.desc, .slot = m->replies.slot, .credit = &m->credit};
	m->in_place[side] = true;
	/* acq_rel: the last one sees that the others have stopped */
	atomic_fetch_add_explicit(&placed[side], 1, memory_order_acq_rel);
	return 0;
}

void
rb_mirror_close(void)
{
	unsigned int g;

	for (g = 0; g < RB_MAX_LCORES; g++) {
		unmap_frames(&mirrors[g].replies);
		unmap_frames(&mirrors[g].requests);
	}
}

bool
rb_mirrored(enum rb_side side, unsigned int group)
{
	return mirrors[group].in_place[side];
}

bool
rb_mirrored_all(enum rb_side side)
{
	return atomic_load_explicit(&placed[side], memory_order_acquire) == rb.lcores;
}

struct rb_rx *
rb_mirror_replies(unsigned int group)
{
	return &mirrors[group].rx;
}

static uint8_t *
slot_of(const struct mirror *m, uint32_t i)
{
	return m->requests.slot + (size_t)(i % m->requests.room) * rb.chunk;
}

int
rb_mirror_hold(enum rb_side side, unsigned int group, const struct rb_desc *d,
	       const uint8_t *payload)
{
	struct mirror *m = &mirrors[group];

	/* before all hosts are told, more requests may come than there is room for */
	if (!rb_cut_all_told(side) || m->held - m->first == m->requests.room)
		return -EAGAIN;
	m->requests.desc[m->held % m->requests.room] = *d;
	if (payload != NULL)
		rb_copy_relay(slot_of(m, m->held), payload, d->len, RB_DIST_FAR);
	m->held++;
	return 0;
}

const struct rb_desc *
rb_mirror_held(unsigned int group, const uint8_t **payload)
{
	const struct mirror *m = &mirrors[group];

	if (!m->mark_came || m->first == m->held)
		return NULL;
	*payload = slot_of(m, m->first);
	return &m->requests.desc[m->first % m->requests.room];
}

void
rb_mirror_release(unsigned int group)
{
	mirrors[group].first++;
}

bool
rb_mirror_mark_due(unsigned int group)
{
	return !mirrors[group].mark_sent;
}

void
rb_mirror_marked(unsigned int group)
{
	mirrors[group].mark_sent = true;
}

void
rb_mirror_mark(unsigned int group)
{
	mirrors[group].mark_came = true;
}
