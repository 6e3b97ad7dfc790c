/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/survive.h"

#include <sys/mman.h>

#include "base/env.h"
#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/transport.h"
#include "host/ring_state.h"
#include "link/chan.h"
#include "link/kept.h"
#include "mem/layout.h"

static bool
is_ring_of_memory(void)
{
	unsigned int side;

	for (side = 0; side < RB_SIDES; side++)
		if (!rb.link[side].memory)
			return false;
	return true;
}

/* The port's window ends with the link, this mapping of the same memory does not. */
static bool
keep_window(enum rb_side side)
{
	struct rb_link *link = &rb.link[side];
	uint64_t off;
	void *va;
	int fd;

	if (ntb_window_file(link->port, 0, rb_mem.lay.shown, &fd, &off) < 0)
		return false;
	va = mmap(NULL, rb_mem.lay.shown, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)off);
	if (va == MAP_FAILED)
		return false;
	link->peer = va;
	rb_chan_attach(side);
	return true;
}

/* By the settings, and with two ways round. */
static bool
is_asked_for(void)
{
	return rb.env.survive != RB_SURVIVE_NO && rb.transport->turns &&
	       rb.env.barrier == RB_BARRIER_TWOWAY && rb.link[RB_LEFT].port != NULL &&
	       rb.link[RB_RIGHT].port != NULL;
}

/* By the windows: what was stored has arrived, or is kept. */
static bool
windows_allow(void)
{
	if (is_ring_of_memory())
		return *rb.env.dma == '\0';
	return rb.env.survive == RB_SURVIVE_YES && rb_mem.by_frames && rb_kept_open(RB_LEFT) == 0 &&
	       rb_kept_open(RB_RIGHT) == 0;
}

void
rb_survive_prepare(void)
{
	bool windows = true;
	unsigned int side;

	for (side = 0; side < RB_SIDES; side++)
		if (rb.link[side].port != NULL && rb.link[side].memory && !keep_window(side))
			windows = false;
	rb.survives = windows && is_asked_for() && windows_allow();
	rb_ring_survives(rb.survives);
}
