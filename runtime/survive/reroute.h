/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_SURVIVE_REROUTE_H
#define RB_SURVIVE_REROUTE_H

/**
 * @file
 * The routes of a job that survives a lost cable, and how requests change over from one to the
 * other (doc/protocols.md, section 9).
 *
 * The route to a host is one word, so that a thread never sees the side of one route and the length
 * of another. The word also says for each channel whether the route has moved and the requests of
 * the old one may still be under way: the next sender on that channel waits for them. And it says
 * which change it is of: a sender that has waited for the requests of one change must not clear the
 * mark of the next one, and a route that has changed twice looks like the first one. Release in
 * rb_reroute(), acquire in route_word(): a sender that sees the new side sees these bits.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "survive/cut_word.h"
#include "base/link.h"
#include "base/rules.h"
#include "base/transport.h"
#include "base/types.h"
#include "base/wire.h"

struct rb_lbuf;
struct rb_target;

/** What this host knows of the cables of the ring. */
struct rb_ring {
	uint32_t changes; /**< losses and returns of a cable so far; odd: one is lost */
	int lost;	  /**< its number: it joins the right port of that host; -1: none */
};

/** Take the routes of base/route.h, before any request is sent. */
void rb_reroute_init(void);
/** A cable is lost, or back: change the routes. One thread at a time. */
void rb_reroute(const struct rb_ring *ring);
struct rb_ring rb_reroute_ring(void);

/** In place of rb_send(). */
void rb_reroute_send(struct rb_ctx *ctx, const struct rb_target *to, struct rb_desc *d,
		     const struct rb_lbuf *src, size_t off);

/** After a change: look, without waiting, whether requests of the old routes are under way. Poll.
 */
bool rb_reroute_drained(void);

#endif /* RB_SURVIVE_REROUTE_H */
