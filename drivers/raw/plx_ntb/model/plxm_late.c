/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Noise: writes through the window that are under way, for a while or until a read follows them, as
 * the rules of PCI Express allow; those of the DMA engine arrive later than the engine says that it
 * is done. They keep their order. A link that goes takes them with it. */

#include <errno.h>
#include <signal.h>
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
}

bool
plxm_late_hold(struct plxm_port *p, unsigned int bar, uint64_t off, const struct plxm_request *rq)
{
	uint64_t due = plxm_noise_due(p);
	struct plxm_late *w;
	bool first;

	if (due == 0 || (rq->dma && p->noise.set.dma_lands))
		return false;
	w = malloc(sizeof(*w) + rq->len);
	pthread_mutex_lock(&p->late.lock);
	while (p->late.first != NULL && (w == NULL || p->late.bytes + rq->len > LATE_MAX))
		arrive_first(p);
	first = p->late.first == NULL;
	if (w != NULL) {
		*w = (struct plxm_late){.downs = link_downs(p),
					.due_ns = due,
					.off = off,
					.bar = bar,
					.rid = rq->rid,
					.dma = rq->dma,
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

static bool
wait_until(struct plxm_noise_state *n, uint64_t when)
{
	struct timespec t = {.tv_sec = (time_t)(when / 1000000000u),
			     .tv_nsec = (long)(when % 1000000000u)};
	bool quit;
	int rc = 0;

	pthread_mutex_lock(&n->lock);
	while (!n->quit && !n->sooner && rc != ETIMEDOUT) {
		if (when == UINT64_MAX)
			pthread_cond_wait(&n->wake, &n->lock);
		else
			rc = pthread_cond_timedwait(&n->wake, &n->lock, &t);
	}
	n->sooner = false;
	quit = n->quit;
	pthread_mutex_unlock(&n->lock);
	return !quit;
}

static void *
noise_main(void *arg)
{
	struct plxm_port *p = arg;

	while (wait_until(&p->noise, plxm_late_arrive(p, plxm_now_ns())))
		;
	return NULL;
}

/* The program's signals are the program's. */
static int
start_thread(struct plxm_port *p)
{
	sigset_t all, old;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&p->noise.thread, NULL, noise_main, p);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	p->noise.threaded = rc == 0;
	return -rc;
}

void
plxm_late_stop(struct plxm_port *p)
{
	atomic_store(&p->noise.on, false);
	if (!p->noise.threaded)
		return;
	pthread_mutex_lock(&p->noise.lock);
	p->noise.quit = true;
	pthread_cond_signal(&p->noise.wake);
	pthread_mutex_unlock(&p->noise.lock);
	pthread_join(p->noise.thread, NULL);
	p->noise.threaded = p->noise.quit = false;
}

int
plxm_noise_set(struct plxm_port *p, const struct plxm_noise *n)
{
	int rc = 0;

	plxm_late_stop(p);
	plxm_late_arrive(p, UINT64_MAX);
	if (n == NULL)
		return 0;
	p->noise.set = *n;
	atomic_store(&p->noise.drawn, 0);
	atomic_store_explicit(&p->noise.on, true, memory_order_release);
	if (n->posted_ns != 0)
		rc = start_thread(p);
	if (rc != 0)
		atomic_store(&p->noise.on, false);
	return rc;
}
