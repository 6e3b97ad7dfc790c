/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "event.h"

enum {
	ROOM = 1024,
};

static bool
comes_before(const struct event *x, const struct event *y)
{
	return x->at != y->at ? x->at < y->at : x->seq < y->seq;
}

int
event_init(struct event_queue *q)
{
	*q = (struct event_queue){.heap = malloc(ROOM * sizeof(*q->heap)), .room = ROOM};
	return q->heap ? 0 : -ENOMEM;
}

void
event_free(struct event_queue *q)
{
	free(q->heap);
	q->heap = NULL;
}

static void
grow_queue(struct event_queue *q)
{
	struct event *heap = realloc(q->heap, 2 * q->room * sizeof(*heap));

	/* A model that lost an event would give wrong results, so the program ends here. */
	if (!heap) {
		fprintf(stderr, "ringbell-sim: no memory for %zu events\n", 2 * q->room);
		exit(EXIT_FAILURE);
	}
	q->heap = heap;
	q->room *= 2;
}

void
event_add(struct event_queue *q, const struct event *e)
{
	struct event new = *e;
	size_t i, up;

	if (q->n == q->room)
		grow_queue(q);
	new.seq = q->seq++;
	for (i = q->n++; i > 0; i = up) {
		up = (i - 1) / 2;
		if (!comes_before(&new, &q->heap[up]))
			break;
		q->heap[i] = q->heap[up];
	}
	q->heap[i] = new;
}

int
event_next(struct event_queue *q)
{
	struct event first, last;
	size_t i, down;

	if (q->n == 0)
		return 0;
	first = q->heap[0];
	last = q->heap[--q->n];
	for (i = 0; 2 * i + 1 < q->n; i = down) {
		down = 2 * i + 1;
		if (down + 1 < q->n && comes_before(&q->heap[down + 1], &q->heap[down]))
			down++;
		if (!comes_before(&q->heap[down], &last))
			break;
		q->heap[i] = q->heap[down];
	}
	q->heap[i] = last;
	q->now = first.at;
	first.fn(first.a, first.b, first.v);
	return 1;
}
