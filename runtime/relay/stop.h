/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_STOP_H
#define RB_RELAY_STOP_H

/**
 * @file
 * The relays of a host stand still from the loss of another host until the survivors have agreed
 * (doc/protocols.md, section 10): one thread holds the poll_lock of every group. What was under way
 * is forgotten then, on all hosts between the same two steps of the agreement, and the rings begin
 * anew.
 */

#include <stdbool.h>

/** Stand still; requests of this host end without an answer. The lead, once rb_gone_stopped(). */
void rb_stop_begin(void);
/** Do the relays stand still? A hint. */
bool rb_stop_holds(void);
/** In place of a turn of a group that stands still: a short rest, with operations of other PEs. */
void rb_stop_rest(unsigned int group);
/** Where the relays stand still: end requests that came late. */
void rb_stop_abandon(void);

/** Nothing is under way in any process: forget what was, and leave out the links to @p lost. The
 *  relays stand still. */
void rb_stop_clear(int lost);
/** Go on. @p closes: nothing stops the relays any more. */
void rb_stop_end(bool closes);

#endif /* RB_RELAY_STOP_H */
