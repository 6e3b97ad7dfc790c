/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/retransmit.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "base/state.h"
#include "base/window.h"
#include "link/chan.h"
#include "link/copy.h"
#include "link/frame.h"

/* One ring. */
struct retx {
	struct rb_desc *desc;	      /* open; through the window */
	uint8_t *slot;		      /* open; through the window */
	const struct rb_desc *memory; /* open; the same ring in memory of this host */
	const uint8_t *payload;
	_Atomic bool closed; /* poll -> app: nothing is stored over the cable, which is lost */
	bool told;	     /* poll: the far end has said what it has taken */
	uint32_t next, end;  /* poll: positions of frames that go the other way */
};

static struct retx rings[RB_MAX_PORTS][RB_MAX_RINGS];
static struct {
	uint8_t *at;
	size_t size;
} memory[RB_MAX_PORTS];

int
rb_retx_open(unsigned int port)
{
	struct rb_link *link = &rb.link[port];
	size_t descs = (size_t)RB_SLOT_RINGS * rb.slots * sizeof(struct rb_desc);
	size_t size = descs + (size_t)RB_SLOT_RINGS * rb.slots * rb.chunk;
	unsigned int r;
	void *at;

	/* pages that no frame touches take no memory */
	at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		  -1, 0);
	if (at == MAP_FAILED)
		return -ENOMEM;
	memory[port].at = at;
	memory[port].size = size;
	for (r = 0; r < RB_SLOT_RINGS; r++) {
		struct rb_tx *tx = &link->tx[r];

		rings[port][r] = (struct retx){.desc = tx->desc, .slot = tx->slot};
		tx->desc = (struct rb_desc *)at + r * rb.slots;
		tx->slot = (uint8_t *)at + descs + (size_t)r * rb.slots * rb.chunk;
		rings[port][r].memory = tx->desc;
		rings[port][r].payload = tx->slot;
	}
	return 0;
}

void
rb_retx_close(void)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++) {
		if (memory[port].at != NULL)
			munmap(memory[port].at, memory[port].size);
		memory[port].at = NULL;
	}
}

static size_t
slot_at(uint32_t pos)
{
	return pos & (rb.slots - 1);
}

/* The frame that was committed last. */
static void
copy_to_window(const struct rb_link *link, const struct rb_tx *tx)
{
	const struct retx *k = &rings[link - rb.link][tx - link->tx];
	size_t at = slot_at(tx->pos - 1);
	const struct rb_desc *d = &k->memory[at];
	struct rb_desc *to = &k->desc[at];

	if (rb_frame_slot(d))
		rb_copy_relay(k->slot + at * rb.chunk, k->payload + at * rb.chunk, d->len,
			      RB_DIST_BRIDGE);
	if (!rb_win_stored(to, d, offsetof(struct rb_desc, seq)))
		memcpy(to, d, offsetof(struct rb_desc, seq));
	rb_win_order(link);
	rb_win_store32(&to->seq, tx->pos);
	rb_win_wmb(link);
}

void
rb_retx_commit(struct rb_link *link, struct rb_tx *tx, const struct rb_desc *d)
{
	rb_tx_commit(link, tx, d);
	/* relaxed: what is stored too late is not looked at */
	if (unlikely(atomic_load_explicit(&rings[link - rb.link][tx - link->tx].closed,
					  memory_order_relaxed)))
		return;
	copy_to_window(link, tx);
	rb_tx_announce(link, tx);
}

void
rb_retx_freeze(unsigned int port)
{
	struct rb_link *link = &rb.link[port];
	unsigned int r;

	for (r = 0; r < RB_SLOT_RINGS; r++) {
		/* of a ring of own requests this is not the end: rb_retx_peer_count() */
		rings[port][r].end = link->tx[r].pos;
		atomic_store_explicit(&rings[port][r].closed, true, memory_order_relaxed);
	}
}

uint32_t
rb_retx_taken(unsigned int port, uint32_t words[RB_MAX_RINGS])
{
	const struct rb_link *link = &rb.link[port];
	unsigned int r;

	for (r = 0; r < RB_SLOT_RINGS; r++)
		words[r] = link->rx[r].pos;
	return RB_SLOT_RINGS * (uint32_t)sizeof(words[0]);
}

/* Where the frames of a ring of own requests end. A sender that had chosen this way has the ring's
 * lock until its frame is here, and all later ones find the other way under the lock. */
static int
find_end(unsigned int port, unsigned int ring)
{
	struct rb_tx *tx = &rb.link[port].tx[ring];

	if (atomic_flag_test_and_set_explicit(&tx->lock, memory_order_acquire))
		return -EAGAIN;
	rings[port][ring].end = tx->pos;
	atomic_flag_clear_explicit(&tx->lock, memory_order_release);
	return 0;
}

/* Is @p next one of the frames that are here, or the one behind the last? Credits never pass what
 * the far end has taken, and a slot is filled again only behind its credit. */
static bool
is_here(unsigned int port, unsigned int ring, uint32_t next)
{
	const struct rb_link *link = &rb.link[port];
	uint32_t credit = (uint32_t)__atomic_load_n(&link->mine->credit[ring], __ATOMIC_ACQUIRE);
	uint32_t sent = rings[port][ring].end - credit;

	return sent <= rb.slots && next - credit <= sent;
}

int
rb_retx_peer_count(unsigned int port, const uint8_t *words, uint32_t len)
{
	uint32_t next[RB_MAX_RINGS];
	unsigned int r;

	if (rings[port][0].told)
		return 0;
	for (r = 0; r < rb.channels; r++)
		if (find_end(port, r) < 0)
			return -EAGAIN;
	if (len < RB_SLOT_RINGS * sizeof(next[0]))
		return -EPROTO;
	memcpy(next, words, RB_SLOT_RINGS * sizeof(next[0]));
	for (r = 0; r < RB_SLOT_RINGS; r++)
		if (!is_here(port, r, next[r]))
			return -EPROTO;
	for (r = 0; r < RB_SLOT_RINGS; r++) {
		rings[port][r].next = next[r];
		rings[port][r].told = true;
	}
	return 0;
}

const struct rb_desc *
rb_retx_head(unsigned int port, unsigned int ring, const uint8_t **payload)
{
	const struct retx *k = &rings[port][ring];
	size_t at;

	if (!k->told || k->next == k->end)
		return NULL;
	at = slot_at(k->next);
	*payload = k->payload + at * rb.chunk;
	return &k->memory[at];
}

void
rb_retx_drop_head(unsigned int port, unsigned int ring)
{
	rings[port][ring].next++;
}
