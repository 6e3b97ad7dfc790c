/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PATH_H
#define PATH_H

#include "result.h"
#include "session.h"

/** Each place of the window reaches the same place of the peer's region.
 *  @return false where the session ended, with session.ended */
bool check_places(struct session *s, struct result *r);

/** Each doorbell arrives, and no other one. As above. */
bool check_doorbells(struct session *s, struct result *r);

#endif /* PATH_H */
