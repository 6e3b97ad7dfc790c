/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_NEEDS_H
#define RB_BASE_NEEDS_H

/**
 * @file
 * Checks for /proc, /sys and other needs of a PE that a container may lack. They come before
 * anything else, because the later failure would not name the cause.
 */

/** 0 or -ENOENT, words. */
int rb_needs_proc(void);
/** For a job of several PEs. 0 or -EACCES, words. */
int rb_needs_peers(void);
/** For the EAL. 0 or -ENOENT, words. */
int rb_needs_sys(void);

#endif /* RB_BASE_NEEDS_H */
