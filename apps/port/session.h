/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SESSION_H
#define SESSION_H

/**
 * @file
 * Two programs at the two ends of a cable, which do the same steps one after the other.
 *
 * Both give their port a region of one layout. A side stores into the peer's through the window,
 * and polls its own. Nothing that is found there is an address or a length that is believed.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "rte_pmd_ntb_port.h"
#include "access.h"
#include "wait.h"

enum {
	LINE = 64,
	NOTE_MAX = 8192, /**< bytes of a note, with its end */
	VALUES = 8,	 /**< that a side tells the other one at a time */
	SLOTS = 32,	 /**< of a test of order */
	SLOT = 4096,	 /**< bytes of one */
	SLOT_WORDS = SLOT / (int)sizeof(uint64_t),
	DATA_AT = 65536, /**< where slots begin in a region */
	REGION_MIN = 1 << 20,
	WAIT_S = 20, /**< seconds that a step may take the peer */
};

#define GIVEN_UP UINT64_MAX /* as a step */

/** The head of a region. All but the last member are stored by the peer. */
struct region {
	_Alignas(LINE) port_word token;
	_Alignas(LINE) port_word step;
	_Alignas(LINE) port_word credit; /**< how far the peer has read what this side sent */
	_Alignas(LINE) port_word ping;
	_Alignas(LINE) port_word value[VALUES];
	_Alignas(LINE) port_word note_len;
	_Alignas(LINE) port_word note[NOTE_MAX / sizeof(uint64_t)];
	/** Stored by this side, without the window; the peer reads it through its window. */
	_Alignas(LINE) port_word self[SLOTS];
};

_Static_assert(sizeof(struct region) <= DATA_AT, "slots lie behind it");
_Static_assert(DATA_AT + SLOTS * SLOT <= REGION_MIN, "slots fit");

struct session {
	struct watch watch; /**< ends waits, and the session, when the peer or the link is lost */
	struct ntb_port *port;
	struct region *in;  /**< this side's */
	struct region *out; /**< the peer's, through the window */
	size_t len;	    /**< bytes of a region that both sides have */
	uint32_t nonce, peer_nonce;
	bool first; /**< the side that begins */
	uint64_t step;
	uint64_t breaks;  /**< of the link, when the session began */
	char ended[192];  /**< why the session ended early, "" else */
	char stores[192]; /**< why stores do not pass, "" else */
	char note[NOTE_MAX];
	/* what was found, as it is written */
	bool wrong; /**< a test that must not fail did */
	json_t *tests, *bandwidth, *latency;
};

/** Wait until a word that the peer stores is @p value. */
bool wait_word(struct session *s, const port_word *at, uint64_t value, const char *what);

/** End the session: say why, and tell the peer. @return false */
__attribute__((format(printf, 2, 3))) bool session_end(struct session *s, const char *fmt, ...);

/**
 * Meet the peer: over registers, then by stores in both directions, and swap notes.
 * @param timeout  seconds to wait for a peer
 */
bool session_open(struct session *s, struct ntb_port *port, void *region, size_t len,
		  unsigned int timeout);
bool session_notes(struct session *s, const char *note);

/** Both sides come to the next step. */
bool session_step(struct session *s, const char *what);

/** The last step: the port stays up until the peer needs it no more. */
void session_close(struct session *s);

/** Tell the peer @p mine and learn its values. */
bool session_values(struct session *s, const uint64_t mine[VALUES], uint64_t ret_theirs[VALUES]);

/** Where slot @p i begins. */
static inline port_word *
slot_of(struct region *r, uint64_t i)
{
	return (port_word *)((uint8_t *)r + DATA_AT + i % SLOTS * SLOT);
}

#endif /* SESSION_H */
