/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/loop.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

#include "base/link.h"
#include "base/state.h"
#include "base/types.h"
#include "base/wire.h"
#include "link/copy.h"
#include "link/chan.h"
#include "survive/cut.h"

struct rb_loop rb_loop;

/* All slots of the line in which requests can be, and a request of each channel and host
 * that had its slot before its sender learned of the loss. */
static uint32_t
most_requests(void)
{
	return (uint32_t)(rb.hosts - 1) * (rb.slots + 1) * (rb.channels + 2);
}

static size_t
frames_size(uint32_t room)
{
	return (size_t)room * (sizeof(struct rb_desc) + rb.chunk);
}

/* Pages that no frame touches take no memory. */
static int
map_frames(struct rb_loop_frames *f, uint32_t room)
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
unmap_frames(struct rb_loop_frames *f)
{
	if (f->desc != NULL)
		munmap(f->desc, frames_size(f->room));
	f->desc = NULL;
}

int
rb_loop_open(unsigned int port)
{
	struct rb_tx *tx = &rb.link[port].tx[RB_RING_REPLY(0)];
	struct rb_loop *m = &rb_loop;

	if (map_frames(&m->replies, rb.slots) < 0 || map_frames(&m->requests, most_requests()) < 0)
		return -ENOMEM;
	m->port = port;
	/* its counters go on */
	tx->pos = 0;
	tx->desc = m->replies.desc;
	tx->slot = m->replies.slot;
	tx->credit = &m->credit;
	m->rx.desc = m->replies.desc;
	m->rx.slot = m->replies.slot;
	return 0;
}

void
rb_loop_close(void)
{
	unmap_frames(&rb_loop.replies);
	unmap_frames(&rb_loop.requests);
}

bool
rb_loop_at(unsigned int port)
{
	return rb_loop.replies.desc != NULL && rb_loop.port == port;
}

static uint8_t *
slot_of(const struct rb_loop *m, uint32_t i)
{
	return m->requests.slot + (size_t)(i % m->requests.room) * rb.chunk;
}

int
rb_loop_hold(unsigned int port, const struct rb_desc *d, const uint8_t *payload)
{
	struct rb_loop *m = &rb_loop;

	/* before all hosts are told, more requests may come than there is room for */
	if (!rb_cut_all_know(port) || m->held - m->first == m->requests.room)
		return -EAGAIN;
	m->requests.desc[m->held % m->requests.room] = *d;
	if (payload != NULL)
		rb_copy_relay(slot_of(m, m->held), payload, d->len, RB_DIST_HOST);
	m->held++;
	return 1;
}

const struct rb_desc *
rb_loop_held(const uint8_t **payload)
{
	const struct rb_loop *m = &rb_loop;

	if (!m->mark_came || m->first == m->held)
		return NULL;
	*payload = slot_of(m, m->first);
	return &m->requests.desc[m->first % m->requests.room];
}
