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
 * The route to a host is one word: its port, and for each channel whether the route has moved and
 * the requests of the old one may still be under way: the next sender on that channel waits for
 * them. A route moves once at most. Release in rb_reroute(), acquire in route_word(): a sender that
 * sees the new port sees these bits.
 */

#include <stddef.h>

#include "base/types.h"
#include "base/wire.h"

struct rb_lbuf;
struct rb_target;

/** Take the routes of base/route.h, before any request is sent. */
void rb_reroute_init(void);
/** The cable is lost that joins the right port of host @p cable: change the routes. Once. */
void rb_reroute(unsigned int cable);

/** In place of rb_send(). */
void rb_reroute_send(struct rb_ctx *ctx, const struct rb_target *to, struct rb_desc *d,
		     const struct rb_lbuf *src, size_t off);

#endif /* RB_SURVIVE_REROUTE_H */
