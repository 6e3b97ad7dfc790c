/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RATES_H
#define RATES_H

#include "session.h"

/** Bandwidth by size and way of copying, latency.
 *  @return false where the session ended, with session.ended */
bool measure_speed(struct session *s);

#endif /* RATES_H */
