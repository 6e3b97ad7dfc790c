/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Programs with one fault each, which some schedules meet. Usage: racy update|order|wake|spin|sleep
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static atomic_int word, ended;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

/* Between load and store another thread may store. */
static void *
update(void *arg)
{
	for (int i = 0; i < 3; i++) {
		int v = atomic_load(&word);

		atomic_store(&word, v + 1);
	}
	return arg;
}

/* Two locks, in two orders. */
static void *
order(void *arg)
{
	pthread_mutex_lock(arg == NULL ? &first : &second);
	atomic_fetch_add(&word, 1);
	pthread_mutex_lock(arg == NULL ? &second : &first);
	pthread_mutex_unlock(&second);
	pthread_mutex_unlock(&first);
	return arg;
}

/* The condition is looked at before the lock is taken: the wake may be over. */
static void *
wake(void *arg)
{
	if (arg == NULL) {
		atomic_store(&word, 1);
		pthread_mutex_lock(&first);
		pthread_cond_signal(&cond);
		pthread_mutex_unlock(&first);
		return NULL;
	}
	if (atomic_load(&word) == 0) {
		pthread_mutex_lock(&first);
		pthread_cond_wait(&cond, &first);
		pthread_mutex_unlock(&first);
	}
	return NULL;
}

/* Nobody stores what each waits for. */
static void *
spin(void *arg)
{
	while (atomic_load(&word) == 0)
		sched_yield();
	return arg;
}

/* An hour. */
static void *
nap(void *arg)
{
	const struct timespec t = {3600, 0};

	nanosleep(&t, NULL);
	atomic_fetch_add(&ended, 1);
	return arg;
}

static const struct {
	const char *name;
	void *(*fn)(void *);
} programs[] = {
	{"update", update}, {"order", order}, {"wake", wake}, {"spin", spin}, {"sleep", nap}};

int
main(int argc, char **argv)
{
	pthread_t thread[2];
	size_t p;

	for (p = 0; argc == 2 && strcmp(programs[p].name, argv[1]) != 0; p++)
		;
	for (size_t i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, programs[p].fn, i == 0 ? NULL : &word);
	for (size_t i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	if (programs[p].fn == update)
		return atomic_load(&word) != 6;
	return programs[p].fn == nap && atomic_load(&ended) != 2;
}
