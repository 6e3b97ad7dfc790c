/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_SURVIVE_REROUTE_H
#define RB_SURVIVE_REROUTE_H

/**
 * @file
 * The routes of a job that survives lost cables, and how requests get on them
 * (doc/protocols.md, section 9).
 *
 * An *epoch* is the number of cables that a host knows to be lost. The route to a host is one word,
 * its port and its epoch. Release in rb_reroute(), acquire in route_word().
 */

#include "base/types.h"
#include "base/wire.h"

struct rb_target;

/** Take the routes of rb_cables: at the start, and after cables were lost. Poll. */
void rb_reroute(void);

/** Of this host. Poll. */
extern uint32_t rb_epoch;

/** The port of the route to another host, for a frame that is not on its way. Poll. */
unsigned int rb_reroute_port(int host);

/** In place of rb_send(). */
void rb_reroute_send(struct rb_ctx *ctx, const struct rb_target *to, struct rb_desc *d,
		     const uint8_t *payload);

#endif /* RB_SURVIVE_REROUTE_H */
