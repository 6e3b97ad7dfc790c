/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "caller.h"
#include "check.h"
#include "env.h"
#include "error.h"
#include "heap.h"
#include "heap_env.h"
#include "state.h"
#include "where.h"
#include "hang.h"

/*
 * A PE may compute for a long time, and those that wait for it cannot know. So a long wait is
 * reported once, and the job is ended only when nothing can arrive any more: every PE is inside a
 * collective, a wait for a word or for a lock, with its only thread, and has been in one and the
 * same wait (host/blocked.h) for longer than the limit, twice.
 */
enum {
	NAME_WORDS = 6,
	NAMED = 3, /* PEs in a message */
	LIMIT_MAX = 86400,
};

/* Symmetric. Read by others word by word. Written under hang.lock, but for since and looks, by the
 * thread that watches. */
struct words {
	uint64_t checked; /* 0, 1 for SHMEM_CHECK, 2 for races; from before the first barrier */
	uint64_t changes; /* entries and exits so far */
	uint64_t inside;  /* of them: calls that go on */
	uint64_t since;	  /* begin of the longest wait of this PE; 0: there was none */
	uint64_t looks;	  /* at that */
	uint64_t call[NAME_WORDS];
};

/* The same as this PE saw it. */
struct seen {
	uint64_t changes, since, looks;
	bool inside;
	char call[NAME_WORDS * sizeof(uint64_t)];
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t wake;
	pthread_t thread;
	bool running, quit;
	double limit; /* seconds */
	struct words *words;
	uintptr_t place;      /* of the outermost call that goes on; under lock */
	struct seen *seen[2]; /* of all PEs, at two times */
	struct rb_ctx *ctx;
} hang = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

size_t
shmemi_hang_bytes(void)
{
	return sizeof(struct words);
}

static void
publish_call(const char *call, int step)
{
	char name[sizeof(hang.words->call)] = "";
	uint64_t v[NAME_WORDS];
	uintptr_t place = call == NULL ? 0 : shmemi_caller_pc();
	unsigned int i;

	pthread_mutex_lock(&hang.lock);
	if (call != NULL) {
		snprintf(name, sizeof(name), "%s", call);
		hang.place = place;
		memcpy(v, name, sizeof(v));
		for (i = 0; i < NAME_WORDS; i++)
			__atomic_store_n(&hang.words->call[i], v[i], __ATOMIC_RELAXED);
	}
	__atomic_store_n(&hang.words->inside, hang.words->inside + (uint64_t)step,
			 __ATOMIC_RELAXED);
	__atomic_store_n(&hang.words->changes, hang.words->changes + 1, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&hang.lock);
}

void
shmemi_hang_enter(const char *call)
{
	shmemi_check_thread(call);
	publish_call(call, 1);
}

void
shmemi_hang_leave(void)
{
	publish_call(NULL, -1);
}

/* Publish the wait of this PE. Only its watch calls this, and stores both words. */
static void
publish_wait(void)
{
	__atomic_store_n(&hang.words->since, rb_block_since(), __ATOMIC_RELAXED);
	/* release: whoever reads this look reads its finding, or that of a later one */
	__atomic_store_n(&hang.words->looks, hang.words->looks + 1, __ATOMIC_RELEASE);
}

static uint64_t
word_of(struct rb_ctx *ctx, int pe, const uint64_t *word)
{
	uint64_t v = 0;
	int err = rb_get(ctx, pe, &v, word, sizeof(v));

	if (err != 0)
		shmemi_fail("SHMEM_CHECK", err, pe, word, sizeof(v));
	return v;
}

static void
gather_all(struct rb_ctx *ctx, struct seen *seen)
{
	uint64_t v[NAME_WORDS];
	unsigned int i;
	int pe;

	for (pe = 0; pe < shmemi.npes; pe++) {
		seen[pe].changes = word_of(ctx, pe, &hang.words->changes);
		seen[pe].inside = word_of(ctx, pe, &hang.words->inside) != 0;
		seen[pe].looks = word_of(ctx, pe, &hang.words->looks);
		seen[pe].since = word_of(ctx, pe, &hang.words->since);
		for (i = 0; i < NAME_WORDS; i++)
			v[i] = word_of(ctx, pe, &hang.words->call[i]);
		memcpy(seen[pe].call, v, sizeof(v));
		seen[pe].call[sizeof(seen[pe].call) - 1] = '\0';
	}
}

/* Has the PE stayed in one wait? */
static bool
waits_on(const struct seen *before, const struct seen *now)
{
	return before->since != 0 && now->inside && now->since == before->since &&
	       now->changes == before->changes;
}

/*
 * No PE has gone on between the two times, or will: each was in the same wait at both, for longer
 * than the limit. At least two looks of its own must have been counted meanwhile, as only the later
 * one surely began after the first time. @p before is kept as long as all continue to wait.
 */
static bool
for_ever(const struct seen *before, const struct seen *now, bool *keep)
{
	bool looked = true, stores = false; /* would a store of another thread end a wait? */
	int pe;

	*keep = true;
	for (pe = 0; pe < shmemi.npes; pe++) {
		*keep &= waits_on(&before[pe], &now[pe]);
		looked &= now[pe].looks - before[pe].looks >= 2;
		stores |= strstr(now[pe].call, "_wait") != NULL;
	}
	return *keep && looked &&
	       shmemi.thread_level < (stores ? SHMEM_THREAD_FUNNELED : SHMEM_THREAD_MULTIPLE);
}

/* Is @p other in a call of the same name, so that @p me probably does not wait for it? */
static bool
is_along(const struct seen *me, const struct seen *other)
{
	return other->inside && strcmp(me->call, other->call) == 0;
}

/* The PEs that are in other calls; if all are in calls of the same name, on different teams: all.
 * */
static void
describe_others(const struct seen *seen, char *text, size_t size)
{
	const struct seen *me = &seen[shmemi.pe];
	int pe, count = 0, told = 0;
	size_t n = 0;

	for (pe = 0; pe < shmemi.npes; pe++)
		count += !is_along(me, &seen[pe]);
	for (pe = 0; pe < shmemi.npes && told < NAMED && n < size; pe++) {
		if (pe == shmemi.pe || (count != 0 && is_along(me, &seen[pe])))
			continue;
		n += (size_t)snprintf(text + n, size - n, "%sPE %d is in %s",
				      told++ == 0 ? "" : ", ", pe,
				      seen[pe].inside ? seen[pe].call : "no call that waits");
	}
	if (count > told && n < size)
		snprintf(text + n, size - n, ", and %d more", count - told);
}

static double
seconds_now(void)
{
	return (double)rb_now_ns() * 1e-9;
}

/* Under the lock. @return whether to go on */
static bool
pause_for(double time)
{
	double end = seconds_now() + time;
	struct timespec t = {.tv_sec = (time_t)end};

	t.tv_nsec = (long)((end - (double)t.tv_sec) * 1e9);
	while (!hang.quit && seconds_now() < end)
		pthread_cond_clockwait(&hang.wake, &hang.lock, CLOCK_MONOTONIC, &t);
	return !hang.quit;
}

/* This PE has waited for longer than the limit. @p tell: it was not reported yet. */
static void
look_around(bool tell)
{
	char text[160] = "", where[160];
	bool end, keep;

	shmemi_place = hang.place;
	pthread_mutex_unlock(&hang.lock);
	publish_wait();
	if (tell)
		gather_all(hang.ctx, hang.seen[0]);
	pthread_mutex_lock(&hang.lock);
	if (!pause_for(hang.limit / 4))
		return;
	pthread_mutex_unlock(&hang.lock);
	publish_wait();
	gather_all(hang.ctx, hang.seen[1]);
	end = for_ever(hang.seen[0], hang.seen[1], &keep);
	describe_others(hang.seen[1], text, sizeof(text));
	shmemi_where(shmemi_place, where, sizeof(where));
	if (end)
		shmemi_fatal(hang.seen[1][shmemi.pe].call, "waits for ever: %s", text);
	if (tell && hang.seen[1][shmemi.pe].inside)
		rb_report("%s: waits for more than %g s: %s%s%s", hang.seen[1][shmemi.pe].call,
			  hang.limit, text, *where == '\0' ? "" : "; called at ", where);
	if (!keep)
		memcpy(hang.seen[0], hang.seen[1], (size_t)shmemi.npes * sizeof(*hang.seen[0]));
	pthread_mutex_lock(&hang.lock);
}

static void *
watch_calls(void *arg)
{
	uint64_t last = 0;
	double since = seconds_now();
	bool told = false;

	(void)arg;
	pthread_mutex_lock(&hang.lock);
	while (pause_for(hang.limit / 4)) {
		if (hang.words->inside == 0 || hang.words->changes != last) {
			last = hang.words->changes;
			since = seconds_now();
			told = false;
		} else if (seconds_now() - since >= hang.limit) {
			look_around(!told);
			told = true;
		}
	}
	pthread_mutex_unlock(&hang.lock);
	return NULL;
}

static int
parse_limit(const char *text, double *limit)
{
	char *end;

	*limit = (double)heap_parse_number(text, &end);
	return end != text && *end == '\0' && *limit >= 0.1 && *limit <= LIMIT_MAX ? 0 : -EINVAL;
}

static int
read_limit(const char *call)
{
	const char *text = shmemi_env(SHMEMI_ENV_CHECK_WAIT);

	hang.limit = 10;
	if (text == NULL || parse_limit(text, &hang.limit) == 0)
		return 0;
	rb_report("%s: SHMEM_CHECK_WAIT=%s is not a number of seconds from 0.1 to %d", call, text,
		  LIMIT_MAX);
	return -EINVAL;
}

static void
release_all(void)
{
	free(hang.seen[0]);
	free(hang.seen[1]);
	hang.seen[0] = NULL;
	hang.seen[1] = NULL;
	if (hang.ctx != NULL)
		rb_ctx_destroy(hang.ctx);
	hang.ctx = NULL;
}

/* A thread beside those of the program, at any thread level: the runtime takes calls of any thread.
 * */
static int
start_watch(void)
{
	unsigned int i;
	sigset_t mask;
	int err = ENOMEM;

	hang.quit = false;
	hang.ctx = rb_ctx_create();
	for (i = 0; i < 2; i++)
		hang.seen[i] = calloc((size_t)shmemi.npes, sizeof(*hang.seen[i]));
	rb_signals_block(&mask);
	if (hang.ctx != NULL && hang.seen[0] != NULL && hang.seen[1] != NULL)
		err = pthread_create(&hang.thread, NULL, watch_calls, NULL);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	hang.running = err == 0;
	if (err != 0)
		release_all();
	return -err;
}

int
shmemi_hang_open(const char *call)
{
	int err = read_limit(call);

	if (err != 0)
		return err;
	hang.words = shmemi_heap_alloc(64, sizeof(*hang.words));
	if (hang.words == NULL)
		return -ENOMEM;
	memset(hang.words, 0, sizeof(*hang.words));
	hang.words->checked = (uint64_t)shmemi.check + shmemi.races;
	return shmemi.check && shmemi.npes > 1 ? start_watch() : 0;
}

/*
 * PEs in checked mode make additional calls in each collective, in which other PEs would not take
 * part. The first checked PE compares, so a job without checks has nothing to do.
 */
void
shmemi_hang_alike(const char *call)
{
	int pe, unlike = -1;

	if (!shmemi.check)
		return;
	for (pe = 0; pe < shmemi.npes; pe++) {
		uint64_t mode = pe == shmemi.pe ? hang.words->checked
						: word_of(hang.ctx, pe, &hang.words->checked);

		if (mode != 0 && pe < shmemi.pe)
			return;
		if (mode != hang.words->checked && unlike < 0)
			unlike = pe;
	}
	if (unlike >= 0)
		shmemi_fatal(
			call,
			"SHMEM_CHECK is set for PE %d and not for PE %d: set it alike for all PEs, "
			"or for none",
			shmemi.pe, unlike);
}

void
shmemi_hang_close(void)
{
	if (!hang.running)
		return;
	hang.running = false;
	pthread_mutex_lock(&hang.lock);
	hang.quit = true;
	pthread_cond_signal(&hang.wake);
	pthread_mutex_unlock(&hang.lock);
	pthread_join(hang.thread, NULL);
	release_all();
}
