/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_EXIT_LOCAL_H
#define RB_JOB_EXIT_LOCAL_H

/** Under a PMIx launcher, leave when a PE of this host ends the job. 0 or -errno with an error
 *  text. */
int rb_exit_local_start(void);

#endif /* RB_JOB_EXIT_LOCAL_H */
