/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef ORDER_H
#define ORDER_H

#include "result.h"
#include "session.h"

/** The rules of order that the runtime stands on.
 *  @return false where the session ended, with session.ended */
bool check_order(struct session *s, struct result *r, uint64_t rounds);

#endif /* ORDER_H */
