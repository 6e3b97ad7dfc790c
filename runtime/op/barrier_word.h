/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OP_BARRIER_WORD_H
#define RB_OP_BARRIER_WORD_H

/**
 * @file
 * The barrier word that two neighbours send each other.
 */

#include <stdint.h>

#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/tsan.h"
#include "base/window.h"
#include "link/cable.h"
#include "link/chan.h"

/** The word that the neighbour on @p side sent last. */
static inline uint64_t
rb_barrier_word(enum rb_side side)
{
	const struct rb_link *link = &rb.link[side];

	/* acquire: pairs with rb_barrier_send(); everything that the sender did before its barrier
	 * is visible after this load */
	return link->port == NULL ? 0 : __atomic_load_n(&link->mine->barrier, __ATOMIC_ACQUIRE);
}

/** Send @p word to the neighbour; 0: nothing to send. */
static inline void
rb_barrier_send(enum rb_side side, uint64_t word)
{
	struct rb_link *link = &rb.link[side];

	if (link->port == NULL || word == 0)
		return;
	if (unlikely(rb_survive != NULL)) {
		rb_survive->barrier(side, word);
		return;
	}
	/* whatever this thread stored before is pushed already: doc/protocols.md */
	rb_tsan_release();
	rb_win_say64(link, &link->theirs->barrier, word);
}

#endif /* RB_OP_BARRIER_WORD_H */
