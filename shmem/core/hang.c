/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "env.h"
#include "error.h"
#include "heap.h"
#include "state.h"
#include "hang.h"

/*
 * A PE that computes for long is no mistake, and those that wait for it cannot know. So a wait that
 * lasts is told once, and the job ends only where nothing can come any more. Every PE is inside a
 * collective, with the one thread that it has. It waits there for another PE, all that it put
 * before is complete, and it has looked again after all that and still waits. A PE that copies or
 * folds, or that waits for the runtime to move its data, does not look meanwhile.
 */
enum {
	NAME_WORDS = 6,
	NAMED = 3, /* PEs in a message */
	LIMIT_MAX = 86400,
};

/* Symmetric. Read by others word by word. Written under stuck.lock, but for waits and looks, by the
 * thread that is in the collective, and settled, by the one that watches. */
struct words {
	uint64_t checked; /* is this PE's mode the checked one? 1 or 0, from before the first
			     barrier */
	uint64_t changes; /* entries and exits so far */
	uint64_t inside;  /* of them: calls that go on */
	uint64_t waits;	  /* begins and ends of waits for other PEs: odd while in one */
	uint64_t looks;	  /* at what is waited for */
	uint64_t settled; /* value of waits at which all that was put before was complete */
	uint64_t call[NAME_WORDS];
};

/* The same as this PE saw it. */
struct seen {
	uint64_t changes, waits, looks;
	bool inside, settled;
	char call[NAME_WORDS * sizeof(uint64_t)];
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t wake;
	pthread_t thread;
	bool running, quit;
	double limit; /* seconds */
	struct words *words;
	struct seen *seen[2]; /* of all PEs, at two times */
	struct rb_ctx *ctx;
	void (*complete)(void); /* all that the collectives have put */
} stuck = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

size_t
shmemi_stuck_bytes(void)
{
	return sizeof(struct words);
}

static void
publish_call(const char *call, int step)
{
	char name[sizeof(stuck.words->call)] = "";
	uint64_t v[NAME_WORDS];
	unsigned int i;

	pthread_mutex_lock(&stuck.lock);
	if (call != NULL) {
		snprintf(name, sizeof(name), "%s", call);
		memcpy(v, name, sizeof(v));
		for (i = 0; i < NAME_WORDS; i++)
			__atomic_store_n(&stuck.words->call[i], v[i], __ATOMIC_RELAXED);
	}
	__atomic_store_n(&stuck.words->inside, stuck.words->inside + (uint64_t)step,
			 __ATOMIC_RELAXED);
	__atomic_store_n(&stuck.words->changes, stuck.words->changes + 1, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&stuck.lock);
}

void
shmemi_stuck_enter(const char *call)
{
	shmemi_check_thread(call);
	publish_call(call, 1);
}

void
shmemi_stuck_leave(void)
{
	publish_call(NULL, -1);
}

/* Only the thread that is in the collective writes these. Where several are, nobody judges. */
static void
count_up(uint64_t *word)
{
	/* release: what was put before; pairs with the load in settle_wait() */
	__atomic_store_n(word, __atomic_load_n(word, __ATOMIC_RELAXED) + 1, __ATOMIC_RELEASE);
}

void
shmemi_stuck_turn(void)
{
	if (__atomic_load_n(&stuck.words->waits, __ATOMIC_RELAXED) % 2 == 0)
		count_up(&stuck.words->waits);
	count_up(&stuck.words->looks);
}

void
shmemi_stuck_turn_end(void)
{
	if (__atomic_load_n(&stuck.words->waits, __ATOMIC_RELAXED) % 2 != 0)
		count_up(&stuck.words->waits);
}

/* This PE's wait, if it is in one, and that all it put before is complete. */
static void
settle_wait(void)
{
	uint64_t waits = __atomic_load_n(&stuck.words->waits, __ATOMIC_ACQUIRE);

	if (waits % 2 == 0)
		return;
	stuck.complete();
	__atomic_store_n(&stuck.words->settled, waits, __ATOMIC_RELEASE);
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
		seen[pe].changes = word_of(ctx, pe, &stuck.words->changes);
		seen[pe].inside = word_of(ctx, pe, &stuck.words->inside) != 0;
		seen[pe].looks = word_of(ctx, pe, &stuck.words->looks);
		seen[pe].waits = word_of(ctx, pe, &stuck.words->waits);
		seen[pe].settled = seen[pe].waits % 2 != 0 &&
				   word_of(ctx, pe, &stuck.words->settled) == seen[pe].waits;
		for (i = 0; i < NAME_WORDS; i++)
			v[i] = word_of(ctx, pe, &stuck.words->call[i]);
		memcpy(seen[pe].call, v, sizeof(v));
		seen[pe].call[sizeof(seen[pe].call) - 1] = '\0';
	}
}

/* Has the PE stayed in one wait, with all that it had put complete the first time? */
static bool
waits_on(const struct seen *before, const struct seen *now)
{
	return before->settled && now->inside && now->waits == before->waits &&
	       now->changes == before->changes;
}

/*
 * No PE got anywhere between the two times, or will. One that was in one wait at both put nothing
 * in between, so whoever looked after the first, and waits on, waits for something else. Of two
 * looks counted the later one began after it. Waiters nap, so looks may be rare: @p before is kept
 * as long as all wait on.
 */
static bool
for_ever(const struct seen *before, const struct seen *now, bool *keep)
{
	bool looked = true;
	int pe;

	*keep = true;
	for (pe = 0; pe < shmemi.npes; pe++) {
		*keep &= waits_on(&before[pe], &now[pe]);
		looked &= now[pe].looks - before[pe].looks >= 2;
	}
	return *keep && looked && shmemi.thread_level != SHMEM_THREAD_MULTIPLE;
}

/* Does @p other look like a PE that @p me does not wait for? */
static bool
is_along(const struct seen *me, const struct seen *other)
{
	return other->inside && strcmp(me->call, other->call) == 0;
}

/* The PEs that are elsewhere; where all are in calls of one name, in different teams, all. */
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
				      seen[pe].inside ? seen[pe].call : "no collective call");
	}
	if (count > told && n < size)
		snprintf(text + n, size - n, ", and %d more", count - told);
}

static double
seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Under the lock. @return whether to go on */
static bool
pause_for(double time)
{
	double end = seconds_now() + time;
	struct timespec t = {.tv_sec = (time_t)end};

	t.tv_nsec = (long)((end - (double)t.tv_sec) * 1e9);
	while (!stuck.quit && seconds_now() < end)
		pthread_cond_clockwait(&stuck.wake, &stuck.lock, CLOCK_MONOTONIC, &t);
	return !stuck.quit;
}

/* This PE has waited for longer than the limit. @p tell: for the first time. */
static void
look_around(bool tell)
{
	char text[160] = "";
	bool end, keep;

	pthread_mutex_unlock(&stuck.lock);
	settle_wait();
	if (tell)
		gather_all(stuck.ctx, stuck.seen[0]);
	pthread_mutex_lock(&stuck.lock);
	if (!pause_for(stuck.limit / 4))
		return;
	pthread_mutex_unlock(&stuck.lock);
	gather_all(stuck.ctx, stuck.seen[1]);
	end = for_ever(stuck.seen[0], stuck.seen[1], &keep);
	describe_others(stuck.seen[1], text, sizeof(text));
	if (end)
		shmemi_fatal(stuck.seen[1][shmemi.pe].call, "waits for ever: %s", text);
	if (tell && stuck.seen[1][shmemi.pe].inside)
		rb_report("%s: waits for more than %g s: %s", stuck.seen[1][shmemi.pe].call,
			  stuck.limit, text);
	if (!keep)
		memcpy(stuck.seen[0], stuck.seen[1], (size_t)shmemi.npes * sizeof(*stuck.seen[0]));
	pthread_mutex_lock(&stuck.lock);
}

static void *
watch_calls(void *arg)
{
	uint64_t last = 0;
	double since = seconds_now();
	bool told = false;

	(void)arg;
	pthread_mutex_lock(&stuck.lock);
	while (pause_for(stuck.limit / 4)) {
		if (stuck.words->inside == 0 || stuck.words->changes != last) {
			last = stuck.words->changes;
			since = seconds_now();
			told = false;
		} else if (seconds_now() - since >= stuck.limit) {
			look_around(!told);
			told = true;
		}
	}
	pthread_mutex_unlock(&stuck.lock);
	return NULL;
}

static int
read_limit(const char *call)
{
	const char *text = shmemi_env(SHMEMI_ENV_CHECK_WAIT);
	char *end;

	stuck.limit = 10;
	if (text == NULL)
		return 0;
	stuck.limit = strtod(text, &end);
	if (end != text && *end == '\0' && stuck.limit >= 0.1 && stuck.limit <= LIMIT_MAX)
		return 0;
	rb_report("%s: SHMEM_CHECK_WAIT=%s is no number of seconds, 0.1 to %d", call, text,
		  LIMIT_MAX);
	return -EINVAL;
}

static void
release_all(void)
{
	free(stuck.seen[0]);
	free(stuck.seen[1]);
	stuck.seen[0] = NULL;
	stuck.seen[1] = NULL;
	if (stuck.ctx != NULL)
		rb_ctx_destroy(stuck.ctx);
	stuck.ctx = NULL;
}

/* Beside the program's threads, whatever level it asked for: the runtime takes calls of any. */
static int
start_watch(void)
{
	unsigned int i;
	int err = ENOMEM;

	stuck.quit = false;
	stuck.ctx = rb_ctx_create(true);
	for (i = 0; i < 2; i++)
		stuck.seen[i] = calloc((size_t)shmemi.npes, sizeof(*stuck.seen[i]));
	if (stuck.ctx != NULL && stuck.seen[0] != NULL && stuck.seen[1] != NULL)
		err = pthread_create(&stuck.thread, NULL, watch_calls, NULL);
	stuck.running = err == 0;
	if (err != 0)
		release_all();
	return -err;
}

int
shmemi_stuck_open(const char *call, void (*complete)(void))
{
	int err = read_limit(call);

	if (err != 0)
		return err;
	stuck.complete = complete;
	stuck.words = shmemi_heap_alloc(64, sizeof(*stuck.words));
	if (stuck.words == NULL)
		return -ENOMEM;
	memset(stuck.words, 0, sizeof(*stuck.words));
	stuck.words->checked = shmemi.check;
	return shmemi.check && shmemi.npes > 1 ? start_watch() : 0;
}

/*
 * PEs in checked mode make calls of their own in each collective, for which the others would not be
 * there. The first one of them looks, so that a job without checks has nothing to do.
 */
void
shmemi_stuck_alike(const char *call)
{
	int pe, unlike = -1;

	if (!shmemi.check)
		return;
	for (pe = 0; pe < shmemi.npes; pe++) {
		bool checked =
			pe == shmemi.pe || word_of(stuck.ctx, pe, &stuck.words->checked) != 0;

		if (checked && pe < shmemi.pe)
			return;
		if (!checked && unlike < 0)
			unlike = pe;
	}
	if (unlike >= 0)
		shmemi_fatal(call,
			     "SHMEM_CHECK is set for PE %d and not for PE %d: set it for all PEs, "
			     "or for none",
			     shmemi.pe, unlike);
}

void
shmemi_stuck_close(void)
{
	if (!stuck.running)
		return;
	stuck.running = false;
	pthread_mutex_lock(&stuck.lock);
	stuck.quit = true;
	pthread_cond_signal(&stuck.wake);
	pthread_mutex_unlock(&stuck.lock);
	pthread_join(stuck.thread, NULL);
	release_all();
}
