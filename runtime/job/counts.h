/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_COUNTS_H
#define RB_JOB_COUNTS_H

/**
 * @file
 * The counters of this host, each described once (job/counts.def), for telemetry.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/link.h"
#include "base/rules.h"

enum rb_count_group {
	RB_COUNT_PE,
	RB_COUNT_LINK,
	RB_COUNT_HEAP,
	RB_COUNT_LOSS,
};

enum {
#define RB_COUNT(group, name, unit, meaning) RB_COUNTED_##group##_##name,
#include "job/counts.def"
#undef RB_COUNT
	RB_COUNTS /**< all of them */
};

struct rb_count_row {
	enum rb_count_group group;
	const char *name;
};
extern const struct rb_count_row rb_count_rows[RB_COUNTS];

/** Of one group, by the number of its row; the other elements stay as they are. */
void rb_counts_of_pe(int local, uint64_t v[RB_COUNTS]);
void rb_counts_of_link(enum rb_side side, uint64_t v[RB_COUNTS]);
void rb_counts_of_heap(uint64_t v[RB_COUNTS]);
void rb_counts_of_loss(uint64_t v[RB_COUNTS]);

/** Descriptors for which the neighbour has not returned the credits. */
uint32_t rb_queued_frames(const struct rb_tx *tx);

#endif /* RB_JOB_COUNTS_H */
