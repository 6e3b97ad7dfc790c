/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef DIRECTION_H
#define DIRECTION_H

#include "session.h"

/** All tests, in both directions, with as many rounds as the more modest side wants.
 *  @return false where the session ended, with session.ended */
bool check_directions(struct session *s, uint64_t rounds);

#endif /* DIRECTION_H */
