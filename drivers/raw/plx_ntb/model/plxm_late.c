/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Noise: writes of the DMA engine to the peer's memory arrive later than the engine says that it is
 * done, in their order. A link that goes takes them with it. */

#include <stdlib.h>
#include <string.h>

#include "plxm_path.h"

/* A fabric holds so much, and then takes no more. */
#define LATE_MAX (1u << 20)

static void
arrive_first(struct plxm_port *p)
{
	struct plxm_late *w = p->late.first;

	p->late.first = w->next;
	p->late.bytes -= w->len;
	if (w->downs == plxm_link_downs(p))
		/* posted: a refusal is not reported to the sender */
		(void)plxm_walk(p, w->bar, w->off,
				(struct plxm_request){.buf = w->data,
						      .len = w->len,
						      .rid = w->rid,
						      .write = true,
						      .dma = true});
	free(w);
}

static void
add_last(struct plxm_port *p, struct plxm_late *w)
{
	if (p->late.first == NULL)
		p->late.first = w;
	else
		p->late.last->next = w;
	p->late.last = w;
	p->late.bytes += w->len;
}

bool
plxm_late_hold(struct plxm_port *p, unsigned int bar, uint64_t off, const struct plxm_request *rq)
{
	uint64_t due = plxm_noise_due(p, PLXM_DRAW_LATE);
	struct plxm_late *w;
	bool first;

	if (due == 0)
		return false;
	w = malloc(sizeof(*w) + rq->len);
	pthread_mutex_lock(&p->late.lock);
	while (p->late.first != NULL && (w == NULL || p->late.bytes + rq->len > LATE_MAX))
		arrive_first(p);
	first = p->late.first == NULL;
	if (w != NULL) {
		*w = (struct plxm_late){.downs = plxm_link_downs(p),
					.due_ns = due,
					.off = off,
					.bar = bar,
					.rid = rq->rid,
					.len = rq->len};
		memcpy(w->data, rq->buf, rq->len);
		if (p->late.first != NULL && p->late.last->due_ns > due)
			w->due_ns = p->late.last->due_ns;
		add_last(p, w);
		atomic_fetch_add_explicit(&p->noise.late, 1, memory_order_relaxed);
	}
	pthread_mutex_unlock(&p->late.lock);
	if (w != NULL && first)
		plxm_noise_wake(p);
	return w != NULL;
}

uint64_t
plxm_late_arrive(struct plxm_port *p, uint64_t now_ns)
{
	uint64_t next = UINT64_MAX;

	pthread_mutex_lock(&p->late.lock);
	while (p->late.first != NULL && p->late.first->due_ns <= now_ns)
		arrive_first(p);
	if (p->late.first != NULL)
		next = p->late.first->due_ns;
	pthread_mutex_unlock(&p->late.lock);
	return next;
}

void
plxm_late_drop(struct plxm_port *p)
{
	while (p->late.first != NULL) {
		struct plxm_late *w = p->late.first;

		p->late.first = w->next;
		free(w);
	}
}
