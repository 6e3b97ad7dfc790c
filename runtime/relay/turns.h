/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_TURNS_H
#define RB_RELAY_TURNS_H

/** @file Which request goes next over a cable: rules 8, 9 and 12 of doc/protocols.md, over real
 * links.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/wire.h"

/**
 * May a request at the head of its ring go by port @p out in this turn of the group?
 * @param need   free slots that it needs there by itself: RB_ENTER, or RB_PASS
 * @param stored it is stored beyond the cable, and needs none
 */
bool rb_turn_may(unsigned int group, unsigned int out, unsigned int need, bool stored);
/** It went. */
void rb_turn_went(unsigned int group, unsigned int out, unsigned int need, bool stored,
		  const struct rb_desc *d);

/** A turn of all rings of the group begins. */
void rb_turn_begin(unsigned int group);

/** This program is to store @p len bytes by port @p out, or @p parts of them: wait for its share of
 *  the cable. @return how many of them it stores before the next call */
size_t rb_turn_pace(unsigned int out, unsigned int group, size_t len, bool parts);

#endif /* RB_RELAY_TURNS_H */
