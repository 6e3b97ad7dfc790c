/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_CABLE_H
#define RB_LINK_CABLE_H

/**
 * @file
 * Cables while a job runs. A link that breaks loses the packets that were under way, even if it
 * comes up again a microsecond later, and no hardware sends them again. So the job ends, with
 * a message that names the cable, or goes on without it (rb_survive).
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/rules.h"
#include "base/window.h"

/** The link is up on both sides. From now on a break is a loss, unless the neighbour has sent its
 *  farewell, and the link stays down: the neighbour gets nothing that was sent after what the break
 *  has lost. @p breaks: rb_cable_breaks() before the last word of the handshake. */
void rb_cable_watch(unsigned int port, uint64_t breaks);
uint64_t rb_cable_breaks(unsigned int port);

/** Flush the earlier stores of this CPU through the window into the neighbour's memory. Ends the
 *  job on failure. */
void rb_cable_flush(unsigned int port);
#ifdef RB_WEAK_WINDOW
#define rb_cable_flush(port) (rb_weak_skips("flush", __func__) ? (void)0 : rb_cable_flush(port))
#endif

/** End the job if a neighbour has ended it, and notice cables that have broken. For loops that
 * wait: reads the clock on every 64th call, and the chips once a millisecond. */
void rb_cable_look(void);
/** The same, but reads the clock at once: for use after a sleep. */
void rb_cable_check(void);

/** End the job for the sake of the cable on @p port, and say @p what happened to it. */
void rb_cable_end(unsigned int port, const char *what) __attribute__((noreturn));

/** Announce to the neighbour that this host leaves in good order: a break after this loses nothing.
 */
void rb_cable_farewell(unsigned int port);

struct rb_ctx;
struct rb_desc;
struct rb_target;

/** What a job does that survives a lost cable: the room survive/. */
struct rb_survive_ops {
	/** The cable on a port broke: the job goes on or ends, in its next turn. */
	void (*lose)(unsigned int port);
	/** In place of rb_send(), rb_send_try(), rb_ring_send() and rb_poll_rings(). */
	void (*send)(struct rb_ctx *ctx, const struct rb_target *to, struct rb_desc *d,
		     const uint8_t *payload);
	bool (*try)(struct rb_ctx *ctx, const struct rb_target *to, struct rb_desc *d,
		    const uint8_t *payload);
	int (*ring_send)(unsigned int port, unsigned int ring, unsigned int need,
			 const struct rb_desc *d, const uint8_t *payload);
	enum rb_progress_left (*serve)(void);
	/** Is a frame for another host of older routes? 1: no, it goes on; 0: it was, and has
	 *  left its ring; -EAGAIN: it is, and waits there. */
	int (*stray)(unsigned int port, unsigned int ring, const struct rb_desc *d,
		     const uint8_t *payload);
	/** May a request for this host be executed? 0; 1: it is kept; -EPROTO: it was before. */
	int (*admit)(unsigned int port, const struct rb_desc *d, const uint8_t *payload);
	/** A mark has come, a frame between the ends of a lost cable. 0, -EAGAIN or -EPROTO. */
	int (*take_mark)(unsigned int port, const struct rb_desc *d, const uint8_t *payload);
};

/** NULL: a lost cable ends the job. Set before the first frame. */
extern const struct rb_survive_ops *rb_survive;

#endif /* RB_LINK_CABLE_H */
