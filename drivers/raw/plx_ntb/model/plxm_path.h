/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_PATH_H
#define PLXM_PATH_H

/* Requests on their way to the peer, and windows as memory. */

#include "plxm_priv.h"

/* ---- plxm_map.c ---- */

void plxm_refresh(struct plxm_port *p);

static inline void
plxm_check(struct plxm_port *p)
{
	/* pairs with the increment in plxm_gen_bump(): a new value is re-read with acquire */
	if (atomic_load_explicit(&p->cable->gen, memory_order_relaxed) !=
	    atomic_load_explicit(&p->seen_gen, memory_order_relaxed))
		plxm_refresh(p);
}

/* ---- plxm_xlat.c: the way of one TLP ---- */

enum plxm_kind {
	PLXM_TO_NOTHING,
	PLXM_TO_MEMORY,
	PLXM_TO_REGS
};

struct plxm_route {
	enum plxm_kind kind;
	enum plxm_cause cause; /* of PLXM_TO_NOTHING */
	bool at_peer;	       /* the refusing interface: peer's link side, else own virtual */
	uint16_t rid;	       /* requester id and address as that interface saw them */
	uint64_t tlp;
	uint64_t addr;	   /* register offset, or offset into the range */
	unsigned int dram; /* range of the port's dram[] */
	uint64_t run;	   /* bytes for which the answer holds */
};

/* @p perm: HW_PERM_* needed. Reads p->dram: call with p->mu held. */
void plxm_route(struct plxm_port *p, unsigned int bar, uint64_t off, uint32_t perm,
		struct plxm_route *rt);
void plxm_route_as(struct plxm_port *p, unsigned int bar, uint64_t off, uint32_t perm, uint16_t rid,
		   struct plxm_route *rt); /* for another requester than the host's CPU */
void plxm_refuse(struct plxm_port *p, const struct plxm_route *rt, bool write, size_t len);

/* ---- plxm_walk.c ---- */

/* Of any requester. */
struct plxm_request {
	uint8_t *buf; /* only read where the request is a write */
	size_t len;
	uint16_t rid;
	bool write;
	bool dma; /* packets as large as this host allows, where a CPU's are small enough for all */
};

/* A request through a window BAR, after all delays; 0 or -EIO. */
int plxm_walk(struct plxm_port *p, unsigned int bar, uint64_t off, struct plxm_request rq);

/* ---- plxm_win.c ---- */

/* An access to a window by any requester; 0 or -EIO. */
int plxm_win_access(struct plxm_port *p, unsigned int bar, uint64_t off, struct plxm_request rq);

/* ---- plxm_peer.c ---- */

int plxm_peer_sync(struct plxm_port *p);
void plxm_peer_drop(struct plxm_port *p);

/* ---- plxm_late.c ---- */

/* @return whether the write is under way now; else it is the caller's. */
bool plxm_late_hold(struct plxm_port *p, unsigned int bar, uint64_t off,
		    const struct plxm_request *rq);
/* A read pushes all that are under way. */
void plxm_late_arrive(struct plxm_port *p);
void plxm_late_drop(struct plxm_port *p);

/* ---- plxm_reserve.c ---- */

/* Address space for window @p w, where it has none: all dead. 0 or a negative errno. */
int plxm_reserve(struct plxm_win *w);
int plxm_map_ones(const struct plxm_win *w, uint64_t off, uint64_t len);
void plxm_map_drop(struct plxm_port *p);

#endif /* PLXM_PATH_H */
