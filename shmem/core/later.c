/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "caller.h"
#include "error.h"
#include "later.h"
#include "where.h"

enum {
	NOTED = 256, /* more are not compared */
	PAGE = 4096, /* the least of the machine */
};

static struct {
	pthread_mutex_t lock;
	size_t n;
	struct note {
		const struct rb_ctx *ctx;
		const char *call, *source;
		size_t len;
		uint64_t sum;
		uintptr_t pc;
	} note[NOTED];
} later = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t
sum_of(const char *p, size_t len)
{
	const uint64_t odd = 0x9e3779b97f4a7c15;
	uint64_t sum = len, word;

	for (; len >= sizeof(word); p += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		sum = (sum ^ word) * odd;
		sum ^= sum >> 32;
	}
	word = 0;
	memcpy(&word, p, len);
	return (sum ^ word) * odd;
}

void
shmemi_later_note(const char *call, const struct rb_ctx *ctx, const void *source, size_t len)
{
	struct note new = {ctx, call, source, len, sum_of(source, len), shmemi_caller_pc()};

	pthread_mutex_lock(&later.lock);
	if (later.n < NOTED)
		later.note[later.n++] = new;
	pthread_mutex_unlock(&later.lock);
}

/* Memory that the program has returned to the system since is not read. */
static bool
is_mapped(const struct note *n)
{
	uintptr_t from = (uintptr_t)n->source & ~(uintptr_t)(PAGE - 1);

	return msync((void *)from, (uintptr_t)n->source + n->len - from, MS_ASYNC) == 0;
}

static void
compare_source(const struct note *n)
{
	char where[160];

	if (is_mapped(n) && sum_of(n->source, n->len) == n->sum)
		return;
	shmemi_where(shmemi_caller_pc(), where, sizeof(where));
	shmemi_place = n->pc;
	shmemi_fatal(n->call,
		     "source %p, %zu bytes, was changed before a quiet completed the call; %s%s",
		     (const void *)n->source, n->len, *where == '\0' ? "" : "the next quiet is at ",
		     where);
}

void
shmemi_later_end(const struct rb_ctx *ctx)
{
	size_t i, kept = 0;

	pthread_mutex_lock(&later.lock);
	for (i = 0; i < later.n; i++) {
		if (later.note[i].ctx == ctx)
			compare_source(&later.note[i]);
		else
			later.note[kept++] = later.note[i];
	}
	later.n = kept;
	pthread_mutex_unlock(&later.lock);
}
