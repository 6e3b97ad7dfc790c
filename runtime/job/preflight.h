/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_PREFLIGHT_H
#define RB_JOB_PREFLIGHT_H

/**
 * @file
 * What comes before anything else: who starts this process and as which PE, and /proc, /sys and
 * other needs that a container may lack, because a later failure would not name the cause.
 */

struct rb_exchange;

/** Read the environment, take the rank of this process, and learn of the job from its launcher, or
 *  @p given, where that is not NULL. 0 or -errno with an error text: -EPROTO, if a launcher has
 *  started it with others that it cannot join. */
int rb_preflight(const struct rb_exchange *given);
/** For a job of several PEs. 0 or -EACCES, words. */
int rb_preflight_peers(void);
/** For the EAL. 0 or -ENOENT, words. */
int rb_preflight_sys(void);

#endif /* RB_JOB_PREFLIGHT_H */
