/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_TELEMETRY_CMD_H
#define RB_JOB_TELEMETRY_CMD_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_telemetry.h>

#include "dpdk_compat.h"
#include "job/counts.h"

/** One command. @p params is NULL exactly if @p wants is false. 0 or -errno: then the client gets
 *  null, as from DPDK's own commands. */
struct rb_telemetry_cmd {
	const char *name;
	bool wants;
	int (*fn)(const char *params, struct rte_tel_data *d);
	const char *help; /**< at most 63 characters */
};

static inline void
rb_telemetry_u64(struct rte_tel_data *d, const char *name, uint64_t v)
{
	compat_tel_dict_uint(d, name, v);
}

/** All counters of a group. */
static inline void
rb_telemetry_counts(struct rte_tel_data *d, enum rb_count_group group, const uint64_t v[RB_COUNTS])
{
	unsigned int i;

	for (i = 0; i < RB_COUNTS; i++)
		if (rb_count_rows[i].group == group)
			rb_telemetry_u64(d, rb_count_rows[i].name, v[i]);
}

#endif /* RB_JOB_TELEMETRY_CMD_H */
