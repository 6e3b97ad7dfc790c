/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_HANDSHAKE_H
#define RB_LINK_HANDSHAKE_H

struct rb_arrivals;

/** Before the neighbours may read anything: tokens, and the nonce where host 0 draws it. */
int rb_handshake_init(void);
/** Shake hands on all links. 0 or -errno, words. */
int rb_handshake(void);
/** Both links are up, and the first barrier waits for hosts beyond them: name those, now and then.
 */
void rb_handshake_far(const struct rb_arrivals *seen);

#endif /* RB_LINK_HANDSHAKE_H */
