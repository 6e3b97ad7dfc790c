/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OBSERVE_LOSS_H
#define RB_OBSERVE_LOSS_H

/**
 * @file
 * What telemetry and trace show of a lost cable. Times are of rb_now_ns(). Each word is stored as a
 * whole (relaxed); a reader may see one of them older than another.
 */

#include <stdint.h>

struct rb_loss {
	int cable;	  /**< lost; -1: none */
	uint64_t since;	  /**< when this host learned of it; 0: none */
	uint64_t pauses;  /**< senders that waited until the old way was empty */
	uint64_t paused;  /**< ns of all these waits */
	uint64_t longest; /**< and of the longest */
};

/** @p cable is lost. Once. */
void rb_loss_begin(unsigned int cable);

/** A sender of this host has waited @p ns before it could use the other way. */
void rb_loss_pause(uint64_t ns);

struct rb_loss rb_loss_seen(void);

#endif /* RB_OBSERVE_LOSS_H */
