/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef DIRECTION_H
#define DIRECTION_H

#include "result.h"
#include "session.h"

/** A test that both sides do in turn: as sender, and as receiver. */
struct order_rule;

struct direction {
	struct session *s;
	struct result *r;
	struct result_test test; /**< what both sides learn of it */
	bool (*send)(struct direction *d);
	bool (*receive)(struct direction *d);
	const struct order_rule *rule;
	uint64_t rounds;
	uint64_t base; /**< numbers of this test and direction are above it */
};

/** @return false where the session ended, with session.ended */
bool both_directions(struct direction *d);

#endif /* DIRECTION_H */
