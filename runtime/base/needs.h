/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_NEEDS_H
#define RB_BASE_NEEDS_H

/**
 * @file
 * What a PE cannot do without, and a container may lack. Asked for before anything is made, because
 * it would fail later in other words.
 */

/** 0 or -ENOENT, words. */
int rb_needs_proc(void);
/** For a job of several PEs. 0 or -EACCES, words. */
int rb_needs_peers(void);
/** For the EAL. 0 or -ENOENT, words. */
int rb_needs_sys(void);

#endif /* RB_BASE_NEEDS_H */
