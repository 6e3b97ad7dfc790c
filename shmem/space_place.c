/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "space_place.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "coll/op.h"
#include "core/heap.h"
#include "core/shmemi.h"
#include "space_agree.h"

enum {
	WORDS = 64,
	PLACES = 64 * WORDS,
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t taken[WORDS]; /* granules, as bits; under `lock` */

static size_t
granule_size(void)
{
	size_t share = shmemi_heap_reserve() / PLACES;

	return share <= SPACE_GRANULE ? SPACE_GRANULE
				      : (share + SPACE_GRANULE - 1) / SPACE_GRANULE * SPACE_GRANULE;
}

static size_t
granules_there(void)
{
	size_t n = shmemi_heap_reserve() / granule_size();

	return n < PLACES ? n : PLACES;
}

static bool
is_taken(const uint64_t words[WORDS], size_t granule)
{
	return (words[granule / 64] >> granule % 64 & 1) != 0;
}

static void
mark_granules(const struct space_place *p, bool take)
{
	size_t i;

	pthread_mutex_lock(&lock);
	for (i = p->first; i < p->first + p->granules; i++) {
		uint64_t bit = 1ull << i % 64;

		taken[i / 64] = take ? taken[i / 64] | bit : taken[i / 64] & ~bit;
	}
	pthread_mutex_unlock(&lock);
}

/* First fit. False: nowhere. */
static bool
find_granules(const uint64_t words[WORDS], size_t n, size_t *first)
{
	size_t i, run = 0, there = granules_there();

	for (i = 0; i < there; i++) {
		run = is_taken(words, i) ? 0 : run + 1;
		if (run == n) {
			*first = i + 1 - n;
			return true;
		}
	}
	return false;
}

bool
shmemi_place_take(const struct coll_op *op, size_t size, struct space_place *p)
{
	static atomic_flag taking = ATOMIC_FLAG_INIT;
	uint64_t own[WORDS], all[WORDS];
	bool there;

	if (size > granules_there() * granule_size()) {
		shmemi_space_refuse(op,
				    "no room for %zu bytes in SHMEM_SPACES of %zu; "
				    "SHMEM_SPACES=SIZE makes it larger",
				    size, shmemi_heap_reserve());
		return false;
	}
	p->granules = (size + granule_size() - 1) / granule_size();
	p->size = p->granules * granule_size();
	/* two threads would find the same place */
	if (atomic_flag_test_and_set_explicit(&taking, memory_order_acquire))
		shmemi_fatal(op->call, "another thread makes a space, or room for the heap");
	pthread_mutex_lock(&lock);
	memcpy(own, taken, sizeof(own));
	pthread_mutex_unlock(&lock);
	shmemi_space_join(op, all, own, WORDS);
	there = find_granules(all, p->granules, &p->first);
	if (there)
		mark_granules(p, true);
	atomic_flag_clear_explicit(&taking, memory_order_release);
	if (!there) {
		shmemi_space_refuse(op, "what was made before leaves no room in SHMEM_SPACES; "
					"SHMEM_SPACES=SIZE makes it larger");
		return false;
	}
	p->base = shmemi_heap_reserved() + p->first * granule_size();
	return true;
}

void
shmemi_place_give(const struct space_place *p)
{
	mark_granules(p, false);
}

void
shmemi_places_close(void)
{
	memset(taken, 0, sizeof(taken));
}

size_t
shmemi_place_offset(const struct space_place *p)
{
	return (size_t)(p->base - (char *)rb_heap_base());
}
