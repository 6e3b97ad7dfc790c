/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_HANDSHAKE_H
#define RB_LINK_HANDSHAKE_H

/** @file The handshake of neighbours when a job starts. */

/** Draw the tokens, and on host 0 also the nonce. Call it before the neighbours may read anything.
 */
int rb_handshake_init(void);
/** Do the handshake on all links. 0 or -errno with an error text. */
int rb_handshake(void);

#endif /* RB_LINK_HANDSHAKE_H */
