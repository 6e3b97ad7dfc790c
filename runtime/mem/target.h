/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_TARGET_H
#define RB_MEM_TARGET_H

/**
 * @file
 * Where an operation goes: from a PE and an address of this process to a segment and an offset, to
 * a host and its route, and to the memory or the window that reaches it.
 */

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/wire.h"
#include "mem/layout.h"

/** A place in a symmetric segment. */
struct rb_loc {
	enum rb_seg seg;
	uint64_t off;
};

/** The remote side of an operation: its host, its route and its place in memory. */
struct rb_target {
	int pe;
	int host;
	unsigned int port;
	unsigned int hops;
	struct rb_loc loc;
};

/** Resolve an address of this process. 0, or -EFAULT: not in a symmetric segment. */
static inline int
rb_locate(const void *addr, size_t len, struct rb_loc *loc)
{
	uintptr_t a = (uintptr_t)addr;

	loc->off = a - (uintptr_t)rb_mem.heap;
	if (likely(rb_inside(loc->off, len, rb_mem.lay.heap_size))) {
		loc->seg = RB_SEG_HEAP;
		return 0;
	}
	loc->off = a - (uintptr_t)rb_mem.data;
	if (rb_inside(loc->off, len, rb_mem.data_size)) {
		loc->seg = RB_SEG_DATA;
		return 0;
	}
	return -EFAULT;
}

/** Resolve a place in a segment, which the caller has checked. */
static inline void
rb_target_at(struct rb_target *t, int pe, const struct rb_loc *loc)
{
	t->pe = pe;
	t->host = rb_pe_host(pe);
	t->port = rb_route_port(t->host);
	t->hops = rb_route_hops(t->host);
	t->loc = *loc;
}

/** Resolve (pe, addr, len). 0 or -EFAULT. */
static inline int
rb_target(struct rb_target *t, int pe, const void *addr, size_t len)
{
	struct rb_loc loc;

	if (unlikely(rb_locate(addr, len, &loc) < 0))
		return -EFAULT;
	rb_target_at(t, pe, &loc);
	return 0;
}

/** Has @p host completed the first @p issued requests? Acquire: pairs with the release of the
 *  acknowledging host (relay/ack.c). Those of one class may count in the words of several
 *  ports: together they are the requests that are complete. */
static inline bool
rb_acked(int host, unsigned int chan, enum rb_class cls, uint64_t issued)
{
	unsigned int port;
	uint64_t acked = 0;

	for (port = 0; port < rb.ports; port++)
		acked += __atomic_load_n(&rb.link[port].mine->ack[host][chan][cls],
					 __ATOMIC_ACQUIRE);
	return (int64_t)(acked - issued) >= 0;
}

/** Memory of (seg, off) of a PE of this host; the caller has checked the bounds. NULL: there is
 *  no static data. */
uint8_t *rb_seg_at(unsigned int local, enum rb_seg seg, uint64_t off);

/** Memory of a target on this host; NULL: it is on another host. */
uint8_t *rb_local(const struct rb_target *t);

/** Address in the window of a target on a neighbour host; NULL: no window reaches it. */
uint8_t *rb_direct(const struct rb_target *t);

/** Will the last relay store a put at its final address? */
bool rb_relay_stores(const struct rb_target *t);

#endif /* RB_MEM_TARGET_H */
