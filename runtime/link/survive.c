/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/survive.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_common.h>

#include "base/env.h"
#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/transport.h"
#include "host/ring_state.h"
#include "link/cable.h"
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

/* Address space for a window, where files of huge pages can be mapped, too. Stores into it are
 * nobody's. */
uint8_t *
rb_survive_reserve(size_t size)
{
	uint8_t *va = mmap(NULL, size + RB_HEAP_ALIGN, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t head;

	if (va == MAP_FAILED)
		return NULL;
	head = -(uintptr_t)va & (RB_HEAP_ALIGN - 1);
	if (head != 0)
		munmap(va, head);
	munmap(va + head + size, RB_HEAP_ALIGN - head);
	return va + head;
}

void
rb_survive_keep(struct rb_link *link, int fd, uint64_t off)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3); /* 0 is none */

	if (link->file > 0)
		close(link->file);
	link->file = copy < 0 ? 0 : copy;
	link->file_off = off;
}

int
rb_survive_window(enum rb_side side)
{
	struct rb_link *link = &rb.link[side];
	uint64_t off;
	int fd, ret;

	ret = ntb_window_file(link->port, 0, rb_mem.lay.shown, &fd, &off);
	if (ret < 0)
		return ret;
	if (mmap(link->peer, rb_mem.lay.shown, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
		 (off_t)off) == MAP_FAILED)
		return -errno;
	rb_survive_keep(link, fd, off);
	return 0;
}

/* The port's window ends with the link, this mapping of the same memory does not. A cable that is
 * out has a place for it. */
static bool
keep_window(enum rb_side side)
{
	size_t size = RTE_ALIGN_CEIL(rb_mem.lay.shown, RB_HEAP_ALIGN);
	struct rb_link *link = &rb.link[side];
	uint8_t *of_port = link->peer;
	bool kept = true;

	link->peer = rb_survive_reserve(size);
	if (link->peer != NULL && link->up && rb_survive_window(side) < 0) {
		/* it may have broken after the handshake: then it is out, too */
		link->up = !rb_survive_may() || !rb_cable_broke(side);
		kept = !link->up;
	}
	if (link->peer == NULL || !kept) {
		if (link->peer != NULL)
			munmap(link->peer, size);
		link->peer = of_port;
		return false;
	}
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

/* A mapping of the runtime's own outlives the link. */
static bool
has_files(void)
{
	return rb.link[RB_LEFT].port->ops->window_file != NULL &&
	       rb.link[RB_RIGHT].port->ops->window_file != NULL;
}

/* Nothing lands behind what was lost, which link/kept.h relies on. */
static bool
stay_down(void)
{
	return rb.link[RB_LEFT].port->ops->link_once != NULL &&
	       rb.link[RB_RIGHT].port->ops->link_once != NULL;
}

/* What was stored has arrived, or is kept. */
static bool
suits_windows(void)
{
	if (is_ring_of_memory())
		return has_files();
	return rb.env.survive == RB_SURVIVE_YES && rb_mem.by_frames && stay_down();
}

bool
rb_survive_may(void)
{
	return is_asked_for() && suits_windows();
}

static bool
keep_frames(void)
{
	return is_ring_of_memory() || (rb_kept_open(RB_LEFT) == 0 && rb_kept_open(RB_RIGHT) == 0);
}

void
rb_survive_prepare(void)
{
	bool windows = true;
	unsigned int side;

	for (side = 0; side < RB_SIDES; side++)
		if (rb.link[side].port != NULL && rb.link[side].memory && !keep_window(side))
			windows = false;
	rb.survives = windows && rb_survive_may() && keep_frames();
	rb_ring_survives(rb.survives);
}
