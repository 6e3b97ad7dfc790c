/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_LINE_H
#define RB_LINK_LINE_H

/**
 * @file
 * Which hosts are there while the ring comes up (doc/protocols.md, section 9). A host whose cable
 * on one side is not up tells its other neighbour that it is the end of a line, and each host whose
 * cables are up passes on what it is told. So the two hosts at the ends of a cable learn the other
 * way round that the host at its other end is there and does not see it either: it is the cable
 * that is out, and no other one.
 */

#include <stdatomic.h>
#include <stdbool.h>

#include "base/rules.h"

/** Does the ring still come up? */
extern _Atomic bool rb_line_rises;

/** The handshake begins, or all hosts have been in a barrier. */
void rb_line_begin(void);
void rb_line_end(void);

/** Tell the neighbours what this host knows now. Any thread. */
void rb_line_look(void);

/** Do all hosts reach each other without the cable on @p side, which is not up here, nor at its
 *  other end? */
bool rb_line_whole(enum rb_side side);

#endif /* RB_LINK_LINE_H */
