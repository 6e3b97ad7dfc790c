/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/ring_state.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/state.h"
#include "base/thread.h"
#include "host/hostseg.h"
#include "observe/loss.h"

static struct rb_ring_words own; /* where this PE is the only one of its host */

/* The program's watcher. The lock is held while its function runs, which may set another one. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t gone;
	bool runs, stop;
	pthread_t thread; /* that runs */
	struct rb_ring_watcher w;
	uint32_t seen;
} watcher = {.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, .gone = PTHREAD_COND_INITIALIZER};

static struct rb_ring_words *
words_here(void)
{
	return rb_hostseg != NULL ? &rb_hostseg->cables : &own;
}

/* The half that changes with every change. */
static uint32_t *
changes_half(struct rb_ring_words *w)
{
	return (uint32_t *)(void *)&w->now + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

static void
wake_watchers(void)
{
	syscall(SYS_futex, changes_half(words_here()), FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void
rb_ring_lose(unsigned int cable)
{
	rb_loss_begin(cable);
	atomic_store_explicit(&words_here()->now, 1ull << 32 | (cable + 1), memory_order_relaxed);
	wake_watchers();
}

void
rb_ring_survives(bool survives)
{
	atomic_store_explicit(&words_here()->survives, survives, memory_order_relaxed);
}

struct rb_ring_state
rb_ring_state(void)
{
	const struct rb_ring_words *w = words_here();
	uint64_t now = atomic_load_explicit(&w->now, memory_order_relaxed);
	uint32_t lost = (uint32_t)now;

	return (struct rb_ring_state){
		.host = rb.host,
		.hosts = rb.hosts,
		.changes = (uint32_t)(now >> 32),
		.lost = lost == 0 ? 0 : 1ull << (lost - 1),
		.survives = atomic_load_explicit(&w->survives, memory_order_relaxed) != 0,
	};
}

int
rb_ring_host(int pe)
{
	return rb_pe_host(pe);
}

/* One turn, with the lock. */
static void
tell_watcher(const struct rb_ring_state *now)
{
	struct rb_ring_watcher w = watcher.w; /* its call may replace it */

	if (w.call == NULL || now->changes == watcher.seen)
		return;
	watcher.seen = now->changes;
	w.call(now, &w);
}

static void *
watch_ring(void *arg)
{
	/* a wake-up between the look at stop and the sleep is lost, so the sleep has an end */
	const struct timespec most = {.tv_nsec = 100000000};

	(void)arg;
	pthread_mutex_lock(&watcher.lock);
	watcher.thread = pthread_self();
	while (!watcher.stop) {
		uint32_t *word = changes_half(words_here());
		struct rb_ring_state now = rb_ring_state();

		tell_watcher(&now);
		pthread_mutex_unlock(&watcher.lock);
		syscall(SYS_futex, word, FUTEX_WAIT, now.changes, &most, NULL, 0);
		pthread_mutex_lock(&watcher.lock);
	}
	watcher.runs = false;
	pthread_cond_broadcast(&watcher.gone);
	pthread_mutex_unlock(&watcher.lock);
	return NULL;
}

int
rb_ring_watch(const struct rb_ring_watcher *w)
{
	int ret = 0;

	pthread_mutex_lock(&watcher.lock);
	watcher.w = w == NULL ? (struct rb_ring_watcher){0} : *w;
	watcher.seen = rb_ring_state().changes;
	if (w != NULL && !watcher.runs) {
		ret = rb_thread_start(watch_ring);
		watcher.runs = ret == 0;
	}
	pthread_mutex_unlock(&watcher.lock);
	return ret;
}

void
rb_ring_close(void)
{
	pthread_mutex_lock(&watcher.lock);
	watcher.stop = true;
	watcher.w.call = NULL;
	wake_watchers();
	/* its function may have ended the process */
	while (watcher.runs && !pthread_equal(watcher.thread, pthread_self()))
		pthread_cond_wait(&watcher.gone, &watcher.lock);
	pthread_mutex_unlock(&watcher.lock);
}
