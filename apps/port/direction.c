/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "direction.h"

/* The receiver knows what it found, the sender how long it took: both learn both. */
static bool
share_outcome(struct direction *d, bool sends)
{
	const uint64_t mine[VALUES] = {d->test.rounds, d->test.violations, d->test.lost,
				       (uint64_t)(d->test.seconds * 1e9)};
	uint64_t theirs[VALUES];

	if (!session_values(d->s, mine, theirs))
		return false;
	if (sends) {
		d->test.rounds = theirs[0];
		d->test.violations = theirs[1];
		d->test.lost = theirs[2];
	} else {
		d->test.seconds = (double)theirs[3] / 1e9;
	}
	d->test.outward = sends;
	if (d->r->tests < ROWS_MAX)
		d->r->test[d->r->tests++] = d->test;
	return true;
}

bool
both_directions(struct direction *d)
{
	const struct result_test empty = d->test;
	uint64_t from;
	int turn;
	bool sends, ok;

	for (turn = 0; turn < 2; turn++) {
		d->test = empty;
		d->base += 1ull << 40;
		sends = (turn == 0) == d->s->first;
		if (!session_step(d->s, empty.title))
			return false;
		from = clock_ns();
		ok = sends ? d->send(d) : d->receive(d);
		d->test.seconds = (double)(clock_ns() - from) / 1e9;
		if (!ok || !session_step(d->s, empty.title) || !share_outcome(d, sends))
			return false;
	}
	return true;
}
