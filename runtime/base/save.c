/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/save.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "base/thread.h"

enum {
	NEWS_MS = 2000, /* in which the launcher says why the job ends */
};

enum {
	UNKNOWN,
	LOST,
	OTHER
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of saver, lost */
static struct rb_saver saver;				 /* seconds 0: none */
static struct rb_lost lost;
static uint64_t until; /* ns; stored before cause */
/* Release and acquire: who sees the cause sees the words above, which do not change any more. */
static _Atomic int cause;
static _Atomic int begun, done; /* 1: by a thread of the program */

static void
sleep_ms(void)
{
	const struct timespec moment = {.tv_nsec = 1000000};

	nanosleep(&moment, NULL);
}

bool
rb_save_set(const struct rb_saver *s)
{
	bool changes;

	pthread_mutex_lock(&lock);
	changes = atomic_load_explicit(&cause, memory_order_relaxed) == UNKNOWN &&
		  (s != NULL || saver.seconds != 0);
	if (changes)
		saver = s == NULL ? (struct rb_saver){.seconds = 0} : *s;
	pthread_mutex_unlock(&lock);
	return changes;
}

void
rb_save_note(const struct rb_lost *what)
{
	pthread_mutex_lock(&lock);
	if (atomic_load_explicit(&cause, memory_order_relaxed) == UNKNOWN && saver.seconds != 0) {
		lost = *what;
		until = rb_now_ns() + (uint64_t)saver.seconds * 1000000000u;
		atomic_store_explicit(&cause, LOST, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
}

void
rb_save_none(void)
{
	int unknown = UNKNOWN;

	atomic_compare_exchange_strong_explicit(&cause, &unknown, OTHER, memory_order_relaxed,
						memory_order_relaxed);
}

bool
rb_save_due(void)
{
	return atomic_load_explicit(&cause, memory_order_relaxed) == LOST && !rb_process_child();
}

int
rb_save_status(void)
{
	return atomic_load_explicit(&cause, memory_order_acquire) == LOST ? lost.status : 1;
}

bool
rb_save_begun(void)
{
	return atomic_load_explicit(&begun, memory_order_relaxed) != 0;
}

static bool
is_wanted(void)
{
	bool wanted;

	pthread_mutex_lock(&lock);
	wanted = saver.seconds != 0;
	pthread_mutex_unlock(&lock);
	return wanted && !rb_process_child();
}

/* A neighbour's word that the job ends may be here before the launcher says why. */
static bool
is_lost(void)
{
	int i, why = UNKNOWN;

	for (i = 0; i < NEWS_MS && why == UNKNOWN; i++) {
		why = atomic_load_explicit(&cause, memory_order_acquire);
		if (why == UNKNOWN)
			sleep_ms();
	}
	return why == LOST;
}

void
rb_save_before_end(bool own)
{
	int none = 0;

	if (!is_wanted() || !is_lost())
		return;
	if (own &&
	    atomic_compare_exchange_strong_explicit(&begun, &none, (int)gettid(),
						    memory_order_relaxed, memory_order_relaxed)) {
		saver.call(&lost, &saver);
		atomic_store_explicit(&done, 1, memory_order_relaxed);
		return;
	}
	if (none == (int)gettid()) /* the function ends the process itself */
		return;
	while (atomic_load_explicit(&done, memory_order_relaxed) == 0 && rb_now_ns() < until)
		sleep_ms();
}
