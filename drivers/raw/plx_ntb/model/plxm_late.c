/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Posted writes that are under way until a read through the window follows them, which is as late
 * as the rules of PCI Express allow: those of the CPU, and those of the DMA engine, which says
 * before that it is done. They keep their order. A link that goes takes them with it. */

#include <stdlib.h>
#include <string.h>

#include "plxm_chip.h"
#include "plxm_path.h"

/* A fabric holds so much, and then takes no more. */
#define LATE_MAX (1u << 20)

/* What a write under way remembers: a loss since then has taken it. */
static uint64_t
link_downs(const struct plxm_port *p)
{
	return atomic_load(&p->me.nt->count.link_downs);
}

static void
arrive_first(struct plxm_port *p)
{
	struct plxm_late *w = p->late.first;

	p->late.first = w->next;
	p->late.bytes -= w->len;
	if (w->downs == link_downs(p))
		/* posted: a refusal is not reported to the sender */
		(void)plxm_walk(p, w->bar, w->off,
				(struct plxm_request){.buf = w->data,
						      .len = w->len,
						      .rid = w->rid,
						      .write = true,
						      .dma = w->dma});
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
	atomic_fetch_add_explicit(&p->late.count, 1, memory_order_relaxed);
}

bool
plxm_late_hold(struct plxm_port *p, unsigned int bar, uint64_t off, const struct plxm_request *rq)
{
	struct plxm_late *w;

	if (!atomic_load_explicit(&p->late.on, memory_order_relaxed))
		return false;
	w = malloc(sizeof(*w) + rq->len);
	pthread_mutex_lock(&p->late.lock);
	while (p->late.first != NULL && (w == NULL || p->late.bytes + rq->len > LATE_MAX))
		arrive_first(p);
	if (w != NULL) {
		*w = (struct plxm_late){.downs = link_downs(p),
					.off = off,
					.bar = bar,
					.rid = rq->rid,
					.dma = rq->dma,
					.len = rq->len};
		memcpy(w->data, rq->buf, rq->len);
		add_last(p, w);
	}
	pthread_mutex_unlock(&p->late.lock);
	return w != NULL;
}

void
plxm_late_arrive(struct plxm_port *p)
{
	if (!atomic_load_explicit(&p->late.on, memory_order_relaxed))
		return;
	pthread_mutex_lock(&p->late.lock);
	while (p->late.first != NULL)
		arrive_first(p);
	pthread_mutex_unlock(&p->late.lock);
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

void
plxm_late_set(struct plxm_port *p, bool on)
{
	plxm_late_arrive(p);
	atomic_store_explicit(&p->late.on, on, memory_order_relaxed);
}
