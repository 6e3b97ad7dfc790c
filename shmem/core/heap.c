/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "env.h"
#include "heap_arena.h"
#include "heap_env.h"
#include "shmemi.h"
#include "stuck.h"

/*
 * Memory management (section 9.3). The allocator needs no messages (heap_arena.h), but a PE may
 * lack physical memory where the others do not, and NULL must be returned by all or by none. Such
 * a PE says so to every other before the barrier at the end of the call, at no cost to calls that
 * succeed. The words alternate between two calls: whoever writes the word of call n + 2 has left
 * the barrier of call n + 1, so everybody has read that of call n.
 */
struct heap_words {
	uint64_t failed[2]; /* number of the call that failed on some PE */
};

static struct {
	pthread_mutex_t lock; /* the arena: threads may ask for library objects at the same time */
	struct heap_arena *arena;
	char *base;
	struct heap_words *words;
	uint64_t calls;
	const char *why; /* this PE lacks memory; constant text or rb_error() */
} heap = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum {
	HEAP_DEFAULT = 512 << 20,
	HEAP_PAGE = 4096,
	HEAP_STEP = 2 << 20,  /* commit in huge pages */
	HEAP_KEEP = 64 << 20, /* free at the end of what is committed, before it is given back */
	HEAP_ALIGN_MIN = 64,  /* what shmem_malloc promises is 16; see HEAP_GRANULE */
};

static int
place(size_t align, size_t size, void **p)
{
	size_t off;
	int err;

	pthread_mutex_lock(&heap.lock);
	err = heap_arena_alloc(heap.arena, align, size, &off);
	pthread_mutex_unlock(&heap.lock);
	heap.why = err == -ENOMEM ? rb_error() : NULL;
	if (err == 0)
		*p = heap.base + off;
	/* Offsets agree on all PEs, addresses need not: beyond the alignment of its heap's base a
	 * PE cannot help. */
	if (err == 0 && ((uintptr_t)*p & (align - 1)) != 0) {
		shmemi_heap_free(*p);
		heap.why = "its heap does not begin at so round an address";
		err = -ENOMEM;
	}
	return err;
}

void *
shmemi_heap_alloc(size_t align, size_t size)
{
	void *p;

	return place(align, size, &p) == 0 ? p : NULL;
}

static int
unplace(void *p)
{
	int err;

	pthread_mutex_lock(&heap.lock);
	err = heap_arena_free(heap.arena, (size_t)((char *)p - heap.base));
	pthread_mutex_unlock(&heap.lock);
	return err;
}

void
shmemi_heap_free(void *p)
{
	(void)unplace(p);
}

static void
barrier(void)
{
	rb_quiet(rb_ctx_default);
	rb_barrier();
}

/* The library's own words can always be reached, unless the allocator is broken. */
static void
tell(const char *call, int pe, uint64_t *word, uint64_t value)
{
	int err = rb_put(rb_ctx_default, pe, word, &value, sizeof(value));

	if (err != 0)
		shmemi_fail(call, err, pe, word, sizeof(value));
}

/*
 * The barrier at the end of a call. @return whether all PEs succeeded; @p err is this PE's result.
 * What all PEs find out alone (-ENOSPC) needs no telling.
 */
static bool
agree(const char *call, int err)
{
	uint64_t n = ++heap.calls;
	unsigned int i = n & 1;
	int pe;

	if (err == -ENOMEM) {
		for (pe = 0; pe < shmemi.npes; pe++)
			tell(call, pe, &heap.words->failed[i], n);
	}
	barrier();
	return err == 0 && __atomic_load_n(&heap.words->failed[i], __ATOMIC_RELAXED) != n;
}

/*
 * Few programs look at what they get; so the first time says why the program will crash. A full
 * heap is full on all PEs; a PE that lacks memory says so itself.
 */
static void
tell_short(const char *call, size_t size, int err)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;

	if ((err != -ENOMEM && (err != -ENOSPC || shmemi.pe != 0)) ||
	    atomic_flag_test_and_set(&told))
		return;
	if (err == -ENOSPC)
		fprintf(stderr,
			"%s: no room for %zu bytes in the symmetric heap of %zu; "
			"SHMEM_SYMMETRIC_SIZE=SIZE makes it larger\n",
			call, size, rb_heap_size());
	else
		fprintf(stderr, "PE %d: %s of %zu bytes: %s\n", shmemi.pe, call, size,
			heap.why == NULL || *heap.why == '\0' ? "no memory" : heap.why);
}

static void *
allocate(const char *call, size_t align, size_t size, bool zero)
{
	const struct shmemi_alike alike = {
		.arg = {{"size", (int64_t)size}, {"alignment", (int64_t)align}}};
	void *p = NULL;
	int err;

	shmemi_enter(call);
	if (size == 0)
		return NULL;
	shmemi_check_team(call, &shmemi_team_world, &alike);
	err = place(align, size, &p);
	/* Before the barrier: after it, others may write. */
	if (err == 0 && zero)
		memset(p, 0, size);
	if (!agree(call, err)) {
		if (err == 0)
			shmemi_heap_free(p);
		p = NULL;
		tell_short(call, size, err);
	}
	shmemi_check_team_end(&shmemi_team_world);
	return p;
}

SHMEMI_API(void *, malloc, (size_t size))
{
	return allocate("shmem_malloc", HEAP_ALIGN_MIN, size, false);
}

SHMEMI_API(void *, calloc, (size_t count, size_t size))
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		bytes = SIZE_MAX;
	return allocate("shmem_calloc", HEAP_ALIGN_MIN, bytes, true);
}

SHMEMI_API(void *, align, (size_t alignment, size_t size))
{
	/* shmemalign() of OpenSHMEM 1.0 took 2 and 4, and programs still ask for them */
	if (alignment < sizeof(void *) && alignment != 0 && !shmemi.check &&
	    (alignment & (alignment - 1)) == 0)
		alignment = sizeof(void *);
	if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0)
		shmemi_fatal("shmem_align", "alignment %zu is no power of two and multiple of %zu",
			     alignment, sizeof(void *));
	return allocate("shmem_align", alignment, size, false);
}

/* Hints promise how memory will be used; all of ours serves atomics and signals alike. */
SHMEMI_API(void *, malloc_with_hints, (size_t size, long hints))
{
	(void)hints;
	return allocate("shmem_malloc_with_hints", HEAP_ALIGN_MIN, size, false);
}

/* Bytes of the block at @p p; whatever shmem_malloc did not return ends the job. */
static size_t
block_size(const char *call, const void *p)
{
	size_t off = (size_t)((const char *)p - heap.base), size;

	pthread_mutex_lock(&heap.lock);
	size = heap_arena_size(heap.arena, off);
	pthread_mutex_unlock(&heap.lock);
	if (size == 0)
		shmemi_fatal(call, "%p is not the start of an allocated block", p);
	return size;
}

static void
release(const char *call, void *p)
{
	const struct shmemi_alike alike = {.dest = p};

	(void)block_size(call, p);
	shmemi_check_team(call, &shmemi_team_world, &alike);
	barrier();
	shmemi_heap_free(p);
	shmemi_check_team_end(&shmemi_team_world);
}

SHMEMI_API(void, free, (void *ptr))
{
	shmemi_enter("shmem_free");
	if (ptr != NULL)
		release("shmem_free", ptr);
}

static int
resize(void *p, size_t size)
{
	int err;

	pthread_mutex_lock(&heap.lock);
	err = heap_arena_resize(heap.arena, (size_t)((char *)p - heap.base), size);
	heap.why = err == -ENOMEM ? rb_error() : NULL;
	pthread_mutex_unlock(&heap.lock);
	return err;
}

/* In place where that is possible, as all PEs find alike unless memory is short: hence the way
 * taken depends on the arena alone, and a PE without memory fails on either. */
static void *
reallocate(const char *call, void *old, size_t size)
{
	const struct shmemi_alike alike = {.dest = old, .arg = {{"size", (int64_t)size}}};
	size_t had = block_size(call, old);
	void *p = old;
	int err;

	shmemi_check_team(call, &shmemi_team_world, &alike);
	barrier();
	err = resize(old, size);
	if (err == -ENOSPC) {
		err = place(HEAP_ALIGN_MIN, size, &p);
		if (err == 0)
			memcpy(p, old, had < size ? had : size);
	}
	if (!agree(call, err)) {
		if (err == 0 && p != old)
			shmemi_heap_free(p);
		else if (err == 0)
			(void)resize(old, had);
		p = NULL;
		tell_short(call, size, err);
	} else if (p != old) {
		shmemi_heap_free(old);
	}
	shmemi_check_team_end(&shmemi_team_world);
	return p;
}

SHMEMI_API(void *, realloc, (void *ptr, size_t size))
{
	shmemi_enter("shmem_realloc");
	if (ptr == NULL)
		return allocate("shmem_realloc", HEAP_ALIGN_MIN, size, false);
	if (size != 0)
		return reallocate("shmem_realloc", ptr, size);
	release("shmem_realloc", ptr);
	return NULL;
}

bool
shmemi_heap_wanted(struct rb_params *params)
{
	const char *text = shmemi_env(SHMEMI_ENV_SIZE);

	params->heap_size = HEAP_DEFAULT;
	params->heap_given = text != NULL;
	if (text != NULL && heap_parse_size(text, &params->heap_size) != 0)
		return false;
	/* The library's own objects come on top of what the user asked for. */
	params->heap_own = shmemi_coll_bytes() + sizeof(struct heap_words) + shmemi_stuck_bytes() +
			   HEAP_ALIGN_MIN + 2 * HEAP_PAGE;
	return true;
}

/* Behind the blocks, up to the heap's end, lies what the library takes as it goes: it is zero, and
 * is memory where somebody has written. */
static size_t
heap_end(void)
{
	return (rb_heap_size() - shmemi_coll_bytes()) & ~((size_t)HEAP_PAGE - 1);
}

void *
shmemi_heap_tail(void)
{
	rb_heap_clear(heap_end(), rb_heap_size());
	return heap.base + heap_end();
}

int
shmemi_heap_open(void)
{
	heap.base = rb_heap_base();
	heap.calls = 0;
	heap.arena = heap_arena_new(heap_end(), HEAP_STEP, HEAP_KEEP, rb_heap_commit);
	if (heap.arena == NULL)
		return -ENOMEM;
	heap.words = shmemi_heap_alloc(HEAP_ALIGN_MIN, sizeof(*heap.words));
	if (heap.words == NULL) {
		shmemi_heap_close();
		return -ENOMEM;
	}
	memset(heap.words, 0, sizeof(*heap.words));
	return 0;
}

void
shmemi_heap_close(void)
{
	heap_arena_delete(heap.arena);
	heap.arena = NULL;
	heap.words = NULL;
}
