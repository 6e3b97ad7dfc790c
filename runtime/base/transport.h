/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_TRANSPORT_H
#define RB_BASE_TRANSPORT_H

/**
 * @file
 * How requests cross the cables: by descriptor rings (op/rings.c), or as one of the systems that
 * Ringbell follows did it (relay/scratchpad.c).
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/env.h"
#include "base/types.h"

struct rb_lbuf;
struct rb_target;

/** The result of one turn of communication work. */
enum rb_progress_left {
	RB_PROGRESS_IDLE,  /**< nothing done, nothing waits: sleep until a bell is rung */
	RB_PROGRESS_STALL, /**< nothing done; frames or acks wait for credits, which ring no bell */
	RB_PROGRESS_WORK,
};

struct rb_transport {
	/** Process incoming frames of a group, on both links, for a bounded turn. The caller holds
	 *  the group's poll_lock. */
	enum rb_progress_left (*serve)(unsigned int group);
	/* Operations on another host, by the process that has the ports. */
	void (*put)(struct rb_ctx *ctx, struct rb_target *t, const struct rb_lbuf *src, size_t len,
		    bool nbi);
	/** @p pending: incremented for each reply to come */
	void (*get)(struct rb_ctx *ctx, struct rb_target *t, const struct rb_lbuf *dst, size_t len,
		    _Atomic uint32_t *pending);
	void (*amo)(struct rb_ctx *ctx, const struct rb_target *t, const struct rb_amo *op,
		    const struct rb_lbuf *fetch, _Atomic uint32_t *pending);
	const char *name;    /**< in RINGBELL_NOTIFY */
	unsigned int lcores; /**< service lcores at most */
	bool rings;	     /**< CPUs and devices store and load through windows beside them, and
				  frames may go the other way round where a cable is lost */
	uint32_t bells;	     /**< doorbells of a group; 0: those of its rings */
};

#endif /* RB_BASE_TRANSPORT_H */
