/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HELLO_H
#define RB_HELLO_H

/**
 * @file
 * The handshake of two neighbours over scratchpads as a pure function: what the peer's scratchpads
 * say, judged against what this side is. No registers, no clock.
 */

#include <stdint.h>

#include "rb_wire.h"

enum rb_hello_state {
	RB_HELLO_NONE = 0,
	RB_HELLO_HERE = 1, /**< region configured, words written */
	RB_HELLO_SEEN = 2, /**< the peer's words were read and agree */
};

struct rb_hello {
	unsigned int host, hosts;
	unsigned int side; /**< enum rb_side of the port */
	unsigned int neighbour;
	uint32_t layout;
	uint64_t job;
};

/** Write what @p me says in state @p state. */
void rb_hello_words(const struct rb_hello *me, enum rb_hello_state state,
		    uint32_t words[RB_SPAD_COUNT]);

/**
 * Judge the peer's words.
 * @param state  the peer's state where 0 is returned
 * @return 0; -EAGAIN: nobody there yet; -EPROTO: somebody wrong, and words for rb_error()
 */
int rb_hello_judge(const struct rb_hello *me, const uint32_t peer[RB_SPAD_COUNT],
		   enum rb_hello_state *state);

#endif /* RB_HELLO_H */
