/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_CLASSIC_H
#define RB_RELAY_CLASSIC_H

/**
 * @file
 * RINGBELL_NOTIFY=classic: how the systems that Ringbell follows moved data (Lim, Park and Cha
 * 2019; Lim and Cha 2022), as a baseline to measure against. What a frame is stands in the eight
 * scratchpads of the receiving port, its payload in one bypass buffer, a doorbell says that it is
 * there, and another one, back, that the next may come. A host has one request under way, and
 * relays store and forward.
 */

#include <stddef.h>

#include "base/types.h"
#include "host/wait.h"

struct rb_ref;
struct rb_target;

/** Has each port the scratchpads for it? 0 or -ENODEV, words. */
int rb_classic_check(void);

/* Each returns when the target's host has done it. */
void rb_classic_put(const struct rb_target *t, const struct rb_ref *src, size_t len);
void rb_classic_get(const struct rb_target *t, const struct rb_ref *dst, size_t len);
void rb_classic_amo(const struct rb_target *t, const struct rb_amo *op, const struct rb_ref *fetch);

/** One turn, by poll: what the doorbells say, then what may be sent. */
enum rb_turn rb_classic_serve(void);

#endif /* RB_RELAY_CLASSIC_H */
