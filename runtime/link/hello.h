/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_HELLO_H
#define RB_LINK_HELLO_H

/**
 * @file
 * The handshake of two neighbours as a pure function: it judges the words that the peer shows, in
 * scratchpads or in memory, against the settings of this side. No registers, no clock.
 *
 * A chip may keep the words of an earlier run. So each run draws a token for each port, and
 * believes a peer only while the peer returns that token.
 *
 * If no launcher gives all hosts the same nonce, host 0 draws it, and each other host takes it over
 * from the first neighbour that has it.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/wire.h"

enum rb_hello_state {
	RB_HELLO_NONE = 0,
	RB_HELLO_HERE = 1,   /**< region configured, words written */
	RB_HELLO_AGREED = 2, /**< the peer's words were read, and they agree */
	RB_HELLO_GONE = 3,   /**< an error here or on another host: no ring will come up */
};

struct rb_hello {
	unsigned int host, hosts;
	unsigned int port; /**< its number */
	const char *peer;  /**< who is at the other end, in words */
	uint32_t settings_hash;
	uint64_t job;	     /**< 0: not known yet */
	uint16_t token;	     /**< of this run, not 0 */
	uint16_t peer_token; /**< the peer's token, 0: not read yet */
};

/** The peer's hello. */
struct rb_hello_result {
	enum rb_hello_state state;
	uint16_t token;	    /**< to be returned to the peer */
	uint64_t job;	    /**< nonce to take over, 0: none */
	uint8_t host, port; /**< the peer's, once it is alive */
	bool alive;	    /**< the peer returned our token */
	bool unlike;	    /**< the peer's settings differ from ours */
};

/** Write the hello of @p me in state @p state. */
void rb_hello_words(const struct rb_hello *me, enum rb_hello_state state,
		    uint32_t words[RB_SPAD_COUNT]);

/**
 * Judge the peer's words.
 *
 * @param result token and job are valid with -EAGAIN too, 0 where there is none
 *
 * @return 0; -EAGAIN: no peer yet; -EPROTO: a wrong peer, -ECANCELED: the peer has given up; with
 * an error text in rb_error()
 */
int rb_hello_judge(const struct rb_hello *me, const uint32_t peer[RB_SPAD_COUNT],
		   struct rb_hello_result *result);

#endif /* RB_LINK_HELLO_H */
