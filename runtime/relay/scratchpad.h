/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_SCRATCHPAD_H
#define RB_RELAY_SCRATCHPAD_H

/**
 * @file
 * RINGBELL_NOTIFY=scratchpad: how the systems that Ringbell follows moved data (Lim, Park and Cha
 * 2019; Lim and Cha 2022), as a baseline to measure against. What a frame is stands in the eight
 * scratchpads of the receiving port, its payload in one bypass buffer, a doorbell says that it is
 * there, and another one, back, that the next may come. A host has one request under way, and
 * relays store and forward.
 */

#include "base/transport.h"

/** Each operation returns when the target's host has done it. */
extern const struct rb_transport rb_scratchpad;

#endif /* RB_RELAY_SCRATCHPAD_H */
