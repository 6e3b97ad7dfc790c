/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_ALONE_H
#define RB_JOB_ALONE_H

/** A process without a description of a job is a job of one PE. -EPROTO with an error text if a
 *  launcher has started it with others that it cannot join; else 0. */
int rb_alone_check(void);

#endif /* RB_JOB_ALONE_H */
