/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_SURVIVE_SURVIVE_H
#define RB_SURVIVE_SURVIVE_H

/**
 * @file
 * A job that goes on without a cable that is lost: RINGBELL_SURVIVE=yes, oshrun --survive
 * (doc/protocols.md, section 9). Everything to other hosts goes by frames, which stay in a
 * retransmit buffer until they are taken. The other rooms know of it by rb_survive alone
 * (link/cable.h), which is NULL in all other jobs.
 */

#include <stdbool.h>

/** Do the settings ask for it? Then windows show no heap. The same on all PEs. */
bool rb_survive_wanted(void);

/** After the handshake, before any frame is sent. 0 or -ENOMEM; nothing where the ports, or the
 *  number of cables, do not allow it. */
int rb_survive_open(void);
void rb_survive_close(void);

#endif /* RB_SURVIVE_SURVIVE_H */
