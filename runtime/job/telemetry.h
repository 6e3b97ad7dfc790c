/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_TELEMETRY_H
#define RB_JOB_TELEMETRY_H

/**
 * @file
 * The answers of a host's lead on DPDK's telemetry socket (doc/telemetry.md). The commands only
 * read counters, and run in threads of DPDK. Everything that they read is constant after open, or
 * is a word that is stored as a whole.
 */

/** Start to answer. 0 or -errno with an error text. */
int rb_telemetry_start(void);
/** Stop answering, and remove the socket; safe in any state. */
void rb_telemetry_stop(void);

#endif /* RB_JOB_TELEMETRY_H */
