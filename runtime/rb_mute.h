/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MUTE_H
#define RB_MUTE_H

/** @file A hang is never mute, also where no oshrun looks at the table of waits (rb_blocked.h). */

/** Start to look, as soon as others can be waited for. 0 or -errno, words. */
int rb_mute_start(void);
/** The table is there: waits are in it from here on. */
void rb_mute_ready(void);
/** The table goes away. */
void rb_mute_stop(void);

#endif /* RB_MUTE_H */
