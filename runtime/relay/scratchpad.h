/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_SCRATCHPAD_H
#define RB_RELAY_SCRATCHPAD_H

/**
 * @file
 * RINGBELL_NOTIFY=scratchpad: the data movement of the systems that Ringbell follows (Lim, Park and
 * Cha 2019; Lim and Cha 2022), as a baseline for measurements. The eight scratchpads of the
 * receiving port hold the frame's header, and one bypass buffer holds its payload. One doorbell
 * announces the frame. Another one, in the other direction, allows the next frame. A host has one
 * request under way, and relays store and forward.
 */

#include "base/transport.h"

/** Each operation returns when the target's host has executed it. */
extern const struct rb_transport rb_scratchpad;

#endif /* RB_RELAY_SCRATCHPAD_H */
