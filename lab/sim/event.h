/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef EVENT_H
#define EVENT_H

/**
 * @file
 * Events in order of time. Where times are equal, the event that was made first comes first, so
 * that each run is the same. Times are picoseconds.
 */

#include <stddef.h>
#include <stdint.h>

struct event {
	uint64_t at;
	uint64_t seq;
	void (*fn)(void *a, void *b, uint64_t v);
	void *a, *b;
	uint64_t v;
};

struct event_queue {
	struct event *heap;
	size_t n, room;
	uint64_t now;
	uint64_t seq;
};

/** @return 0 or -ENOMEM */
int event_init(struct event_queue *q);
void event_free(struct event_queue *q);

/** Call fn(a, b, v) at @p e->at, which is not in the past. Ends the program where memory is short.
 */
void event_add(struct event_queue *q, const struct event *e);

/** Run the next event. @return 0 where there is none */
int event_next(struct event_queue *q);

#endif /* EVENT_H */
