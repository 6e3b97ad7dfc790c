/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_ALONE_H
#define RB_JOB_ALONE_H

/** A process that nothing has told of a job is a job of one PE. -EPROTO with words where a launcher
 *  has started it with others, which it cannot join; else 0. */
int rb_alone_check(void);

#endif /* RB_JOB_ALONE_H */
