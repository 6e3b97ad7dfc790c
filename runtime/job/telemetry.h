/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_TELEMETRY_H
#define RB_JOB_TELEMETRY_H

/**
 * @file
 * What the lead of a host tells over DPDK's telemetry socket (doc/telemetry.md). The commands read
 * counters and never write, and they run in threads of DPDK's: everything they look at is either
 * constant after open or a word that is stored as a whole.
 */

#include <stddef.h>

/** Answer from here on. 0 or -errno, words. */
int rb_telemetry_start(void);
/** Answer nothing more, and take the socket away; safe in any state. */
void rb_telemetry_stop(void);

/** A forked child has run its handlers of exit(): the socket stays its parent's. */
void rb_telemetry_child(void);

#endif /* RB_JOB_TELEMETRY_H */
