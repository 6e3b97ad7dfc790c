/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_HANG_H
#define RB_JOB_HANG_H

/** @file Reports of PEs that hang, where a PMIx launcher started the job and no oshrun watches. */

/** Start the thread that watches waits; before the first wait for other PEs. 0 or -errno with an
 *  error text. */
int rb_hang_start(void);
/** From now on waits are in the table (observe/blocked_table.h), which is mapped. */
void rb_hang_ready(void);
/** Call before the table is unmapped. */
void rb_hang_stop(void);

#endif /* RB_JOB_HANG_H */
