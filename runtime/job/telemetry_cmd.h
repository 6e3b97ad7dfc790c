/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_TELEMETRY_CMD_H
#define RB_JOB_TELEMETRY_CMD_H

#include <stdbool.h>

#include <rte_telemetry.h>

/** One command. @p params is NULL exactly if @p wants is false. 0 or -errno: then the client gets
 *  null, as from DPDK's own commands. */
struct rb_telemetry_cmd {
	const char *name;
	bool wants;
	int (*fn)(const char *params, struct rte_tel_data *d);
	const char *help; /**< at most 63 characters */
};

/** All commands; the last one has no name. */
extern const struct rb_telemetry_cmd rb_telemetry_cmds[];

#endif /* RB_JOB_TELEMETRY_CMD_H */
