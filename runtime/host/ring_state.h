/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_RING_STATE_H
#define RB_HOST_RING_STATE_H

/**
 * @file
 * Part of rb.h: what every PE of a host knows of the cables, and of their changes.
 */

#include <stdbool.h>
#include <stdint.h>

struct rb_ring_state {
	int host, hosts;
	uint32_t changes; /**< 1: a cable is lost */
	uint64_t lost;	  /**< bit c: the cable from host c to host c + 1 (mod hosts) is lost */
	bool survives;	  /**< the job goes on where a first cable is lost */
};

/** The state at one time. Any thread, after rb_open(). */
struct rb_ring_state rb_ring_state(void);

/** The host of a PE of the job. */
int rb_ring_host(int pe);

/** What a program wants to be called for changes of the ring. */
struct rb_ring_watcher {
	void (*call)(const struct rb_ring_state *state, const struct rb_ring_watcher *w);
	void (*fn)(void); /**< for call() */
	void *arg;
};

/** Call w->call(state, w) in a thread of the library after each change from now on; several changes
 *  may be one call. @p w is copied; NULL: no more calls. When this returns, no call for the former
 *  watcher is under way, unless it is the caller. 0, or -errno with words. */
int rb_ring_watch(const struct rb_ring_watcher *w);

/* ---- within the runtime ---- */

/** The lead: a cable is lost. Once. */
void rb_ring_lose(unsigned int cable);
/** The lead has found out whether the job survives a loss. */
void rb_ring_survives(bool survives);
/** The words are unmapped next. */
void rb_ring_close(void);

#endif /* RB_HOST_RING_STATE_H */
