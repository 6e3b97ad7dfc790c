/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Noise of a link: the thread that lets late writes arrive and the link flap. */

#include <errno.h>
#include <signal.h>

#include "plxm_chip.h"
#include "plxm_path.h"

#define OUT_NS 10000000u /* a flap takes at most so long */

static uint64_t
next_flap(struct plxm_port *p, uint64_t now)
{
	uint64_t twice = 2000000ull * p->noise.set.flap_ms;

	return twice == 0 ? UINT64_MAX : now + plxm_noise_draw(p, PLXM_DRAW_FLAP, twice);
}

/* One in four takes a while. Only a cable whose plugs are in flaps. @return until when, 0: it is
 * over */
static uint64_t
flap_now(struct plxm_port *p, uint64_t now)
{
	uint64_t until = 0;

	plxm_lock(&p->rig, p->me.chip);
	if (atomic_load(&p->cable->plug) == PLXM_PLUG_IN) {
		atomic_fetch_add_explicit(&p->noise.flaps, 1, memory_order_relaxed);
		if (plxm_noise_draw(p, PLXM_DRAW_FLAP, 4) != 0) {
			plxm_link_bounce(&p->rig, p->cable_no, false);
		} else {
			atomic_store(&p->cable->plug, PLXM_PLUG_OUT);
			plxm_link_update(&p->rig, p->cable_no);
			until = now + 1 + plxm_noise_draw(p, PLXM_DRAW_FLAP, OUT_NS);
		}
	}
	plxm_unlock(&p->rig);
	plxm_check(p);
	return until;
}

static void
end_flap(struct plxm_port *p)
{
	plxm_lock(&p->rig, p->me.chip);
	atomic_store(&p->cable->plug, PLXM_PLUG_IN);
	plxm_link_update(&p->rig, p->cable_no);
	plxm_unlock(&p->rig);
	plxm_check(p);
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
	uint64_t flap_at = next_flap(p, plxm_now_ns()), out_until = 0, next;

	do {
		uint64_t now = plxm_now_ns(), late = plxm_late_arrive(p, now);

		next = plxm_posted_arrive(p, now);
		next = late < next ? late : next;
		if (out_until != 0 && now >= out_until) {
			end_flap(p);
			out_until = 0;
		}
		if (out_until == 0 && now >= flap_at) {
			out_until = flap_now(p, now);
			flap_at = next_flap(p, now);
		}
		next = flap_at < next ? flap_at : next;
		next = out_until != 0 && out_until < next ? out_until : next;
	} while (wait_until(&p->noise, next));
	if (out_until != 0)
		end_flap(p);
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
plxm_flaps_stop(struct plxm_port *p)
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

	plxm_flaps_stop(p);
	plxm_posted_arrive(p, UINT64_MAX);
	plxm_late_arrive(p, UINT64_MAX);
	if (n == NULL)
		return 0;
	p->noise.set = *n;
	for (unsigned int i = 0; i < PLXM_DRAWS; i++)
		atomic_store(&p->noise.drawn[i], 0);
	atomic_store_explicit(&p->noise.on, true, memory_order_release);
	if (n->posted_ns != 0 || n->flap_ms != 0)
		rc = start_thread(p);
	if (rc != 0)
		atomic_store(&p->noise.on, false);
	return rc;
}
