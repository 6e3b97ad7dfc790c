/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/overlay.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <rte_common.h>

#include "base/env.h"
#include "base/error.h"
#include "base/exit.h"
#include "base/file.h"
#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "mem/layout.h"
#include "mem/target.h"

enum {
	PLACES_MOST = RB_MAX_PORTS + 1, /* of one heap in a process: its host's, and windows */
};

/* One mapping, and what it lies over: a part of the file of the host's region, or of a window. */
struct overlay {
	int pe;
	size_t from, size;
	uint8_t *at;
	const struct rb_file *below;
	off_t below_off;
	struct overlay *next;
};

static struct overlay *overlays; /* under `lock` */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int
rb_overlay_may(void)
{
	unsigned int port;

	if (rb.env.dma[0] != '\0')
		return rb_fail(-ENOTSUP, "RINGBELL_DMA is set, and dmadevs know the heap only");
	if (rb_mem.file.fd < 0)
		return rb_fail(-ENOTSUP, "the heap is memory of the EAL, for adapters");
	if (!rb_file_ours(&rb_mem.file))
		return rb_fail(-EBADF, "the program has closed the descriptor of the heap");
	for (port = 0; port < rb.ports && rb.hosts > 1 && !rb_mem.by_frames; port++) {
		const struct rb_link *link = &rb.link[port];

		if (link->peer != NULL && !link->memory)
			return rb_fail(-ENOTSUP,
				       "the %s window is an adapter's, which shows the heap only",
				       rb_port_name(port));
		if (link->peer != NULL && !rb_file_ours(&link->file))
			return rb_fail(-ENOTSUP, "the %s window is not a file", rb_port_name(port));
	}
	return 0;
}

/* Where this process maps the heap of a PE, as overlays of all of it. */
static unsigned int
list_places(int pe, struct overlay at[PLACES_MOST])
{
	unsigned int local = rb.place[pe].local, port, n = 0;
	uint64_t base = rb_seg_base(RB_SEG_HEAP, local), shown = rb_seg_shown(RB_SEG_HEAP, local);

	if (rb_pe_host(pe) == rb.host)
		at[n++] = (struct overlay){.pe = pe,
					   .at = rb_mem.region + base,
					   .below = &rb_mem.file,
					   .below_off = (off_t)base};
	for (port = 0; port < rb.ports && rb.hosts > 1 && shown != 0; port++) {
		const struct rb_link *link = &rb.link[port];

		if (link->peer != NULL && rb_route_beyond(link) == rb_pe_host(pe))
			at[n++] = (struct overlay){.pe = pe,
						   .at = link->peer + shown,
						   .below = &link->file,
						   .below_off = (off_t)(link->file_off + shown)};
	}
	return n;
}

bool
rb_overlay_reaches(int pe)
{
	struct overlay at[PLACES_MOST];

	return list_places(pe, at) > 0;
}

/* MAP_SYNC: a store to persistent memory is durable once it has left the caches; other files have
 * no such mapping. */
static int
map_file(uint8_t *at, size_t size, int fd, off_t off)
{
	const int flags = MAP_FIXED | MAP_SHARED_VALIDATE | MAP_SYNC;

	if (mmap(at, size, PROT_READ | PROT_WRITE, flags, fd, off) != MAP_FAILED)
		return 0;
	return mmap(at, size, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_SHARED, fd, off) == MAP_FAILED
		       ? -errno
		       : 0;
}

/* It replaces one mapping by another, so only a kernel without memory refuses, or a program has
 * closed the descriptor. Then the heap has a hole, or the next space this file. */
static void
take_off(const struct overlay *o)
{
	bool ours = rb_file_ours(o->below);

	if (ours &&
	    mmap(o->at, o->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED,
		 o->below->fd, o->below_off) != MAP_FAILED)
		return;
	rb_note("cannot map the heap in place of a file: %s",
		ours ? strerror(errno) : "the program has closed the descriptor of the heap");
	rb_abort(EXIT_FAILURE);
}

static void
take_locked(int pe, size_t from)
{
	struct overlay **link = &overlays, *o;

	while ((o = *link) != NULL) {
		if (o->pe != pe || o->from != from) {
			link = &o->next;
			continue;
		}
		*link = o->next;
		take_off(o);
		free(o);
	}
}

static int
put_locked(int pe, size_t from, size_t size, int fd, off_t off)
{
	struct overlay at[PLACES_MOST], *o;
	unsigned int n = list_places(pe, at), i;
	int err = 0;

	for (i = 0; i < n && err == 0; i++) {
		o = malloc(sizeof(*o));
		if (o == NULL)
			return -ENOMEM;
		*o = at[i];
		o->from = from;
		o->size = size;
		o->at += from;
		o->below_off += (off_t)from;
		o->next = overlays;
		overlays = o;
		err = map_file(o->at, size, fd, off);
	}
	return err;
}

int
rb_overlay_put(int pe, size_t from, size_t size, int fd, off_t off)
{
	int err;

	if (!rb_inside(from, size, rb_mem.lay.heap_size))
		return -EINVAL;
	pthread_mutex_lock(&lock);
	err = put_locked(pe, from, size, fd, off);
	if (err < 0)
		take_locked(pe, from);
	pthread_mutex_unlock(&lock);
	return err;
}

void
rb_overlay_take(int pe, size_t from)
{
	pthread_mutex_lock(&lock);
	take_locked(pe, from);
	pthread_mutex_unlock(&lock);
}
