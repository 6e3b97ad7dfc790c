/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_SURVIVE_HEAL_H
#define RB_SURVIVE_HEAL_H

/**
 * @file
 * An end of a line sends nothing over its lost cable any more, and takes it into use again, where
 * it is back (doc/protocols.md, section 9). It goes from stage to stage by what the host at the
 * other end has said.
 */

#include <stdbool.h>

#include "base/rules.h"

/** A look at the lost cable on @p side, about each millisecond. Both ends have to ask their ports,
 *  because a port programs its chip again in that call, and is up only once the other one has done
 *  so. */
void rb_heal_watch(enum rb_side side);
/** The cable is lost: put the loop in place. Poll. */
void rb_heal_begin(enum rb_side side);
/** Go on to the next stage, if it is time. Poll. True: it was. */
bool rb_heal_turn(enum rb_side side);

#endif /* RB_SURVIVE_HEAL_H */
