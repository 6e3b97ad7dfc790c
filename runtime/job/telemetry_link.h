/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_TELEMETRY_LINK_H
#define RB_JOB_TELEMETRY_LINK_H

#include "job/telemetry_cmd.h"

/** Commands about links, channels and relays. The last entry has no name. */
extern const struct rb_telemetry_cmd rb_telemetry_link_cmds[];

#endif /* RB_JOB_TELEMETRY_LINK_H */
