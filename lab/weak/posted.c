/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "weak/posted.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Posted writes: each window is a FIFO, and how long a store takes is not known. Nothing pushes
 * stores but later packets of the same direction, and no window waits for the other one.
 */
enum {
	WINDOWS = 8, /* as many as a host has ports */
	DEPTH = 1 << 14,
	SLOW_US = 500,	   /* a store takes up to so long, */
	STUCK_US = 200000, /* and one in STUCK times that they land so long */
	STUCK = 64,
};

struct store {
	uint8_t *to;
	uint64_t value;
	unsigned int size;
};

static struct {
	pthread_mutex_t lock; /* guards what follows, and is held while stores land */
	unsigned int head, tail;
	struct store at[DEPTH];
} fifo[WINDOWS];

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool late;

static void
land_one(const struct store *s)
{
	/* release: they land in their order */
	if (s->size == 8)
		__atomic_store_n((uint64_t *)(void *)s->to, s->value, __ATOMIC_RELEASE);
	else if (s->size == 4)
		__atomic_store_n((uint32_t *)(void *)s->to, (uint32_t)s->value, __ATOMIC_RELEASE);
	else
		__atomic_store_n(s->to, (uint8_t)s->value, __ATOMIC_RELEASE);
}

static void
land_window(unsigned int window)
{
	pthread_mutex_lock(&fifo[window].lock);
	while (fifo[window].tail != fifo[window].head)
		land_one(&fifo[window].at[fifo[window].tail++ % DEPTH]);
	pthread_mutex_unlock(&fifo[window].lock);
}

void
rb_weak_land(unsigned int window)
{
	if (late)
		land_window(window);
}

static void *
land_in_time(void *arg)
{
	unsigned int window = (unsigned int)(uintptr_t)arg, random = 0;

	getentropy(&random, sizeof(random));
	for (;;) {
		usleep(rand_r(&random) % STUCK == 0 ? STUCK_US
						    : (useconds_t)rand_r(&random) % SLOW_US);
		land_window(window);
	}
	return NULL;
}

/* The stores of the parent are the parent's. */
static void
in_child(void)
{
	late = false;
}

static void
start_late(void)
{
	const char *word = getenv("RINGBELL_WEAK_POSTED");
	pthread_t thread;

	if (word == NULL || strcmp(word, "1") != 0)
		return;
	for (unsigned int i = 0; i < WINDOWS; i++) {
		pthread_mutex_init(&fifo[i].lock, NULL);
		if (pthread_create(&thread, NULL, land_in_time, (void *)(uintptr_t)i) != 0)
			abort();
		pthread_detach(thread);
	}
	pthread_atfork(NULL, NULL, in_child);
	late = true;
}

void
rb_weak_post(unsigned int window, uint8_t *to, uint64_t value, unsigned int size)
{
	const struct store s = {.to = to, .value = value, .size = size};

	pthread_once(&once, start_late);
	if (!late) {
		land_one(&s);
		return;
	}
	pthread_mutex_lock(&fifo[window].lock);
	if (fifo[window].head - fifo[window].tail == DEPTH)
		land_one(&fifo[window].at[fifo[window].tail++ % DEPTH]);
	fifo[window].at[fifo[window].head++ % DEPTH] = s;
	pthread_mutex_unlock(&fifo[window].lock);
}
