/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <pthread.h>

#include "env.h"
#include "heap.h"
#include "heap_arena.h"
#include "heap_env.h"

enum {
	PARTS = 64
};

/* The heap, and then what it has grown by. All PEs have the same parts at the same offsets, and
 * take the first one that has room. */
struct part {
	struct heap_arena *arena;
	char *base;
	size_t size;
};

static struct {
	pthread_mutex_t lock; /* the parts: threads may ask for library objects at the same time */
	struct part part[PARTS];
	unsigned int parts;
	char *base;
	size_t reserve;	 /* bytes for spaces, behind the tail; whole huge pages */
	size_t tail;	 /* bytes at the end that are not the arena's */
	const char *why; /* this PE lacks memory; constant text or rb_error() */
} heap = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum {
	HEAP_DEFAULT = 512 << 20,
	HEAP_PAGE = 4096,
	HEAP_HUGE = 2 << 20,
	HEAP_STEP = 2 << 20,  /* commit in huge pages */
	HEAP_KEEP = 64 << 20, /* free at the end of what is committed, before it is given back */
};

/* -ENOMEM is this PE's alone: another part would be another offset than the others'. */
static int
place_in_parts(size_t align, size_t size, void **p)
{
	const struct part *at = heap.part;
	size_t off;
	int err;

	do
		err = heap_arena_alloc(at->arena, align, size, &off);
	while (err == -ENOSPC && ++at < heap.part + heap.parts);
	if (err == 0)
		*p = at->base + off;
	return err;
}

/* NULL: none */
static struct part *
part_of(const void *p)
{
	struct part *at;

	for (at = heap.part; at < heap.part + heap.parts; at++)
		if ((uintptr_t)p - (uintptr_t)at->base < at->size)
			return at;
	return NULL;
}

int
shmemi_heap_place(size_t align, size_t size, void **p)
{
	int err;

	pthread_mutex_lock(&heap.lock);
	err = place_in_parts(align, size, p);
	pthread_mutex_unlock(&heap.lock);
	heap.why = err == -ENOMEM ? rb_error() : NULL;
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

	return shmemi_heap_place(align, size, &p) == 0 ? p : NULL;
}

void
shmemi_heap_free(void *p)
{
	struct part *at;

	pthread_mutex_lock(&heap.lock);
	at = part_of(p);
	if (at != NULL)
		(void)heap_arena_free(at->arena, (size_t)((char *)p - at->base));
	pthread_mutex_unlock(&heap.lock);
}

size_t
shmemi_heap_size(const void *p)
{
	const struct part *at;
	size_t size = 0;

	pthread_mutex_lock(&heap.lock);
	at = part_of(p);
	if (at != NULL)
		size = heap_arena_size(at->arena, (size_t)((const char *)p - at->base));
	pthread_mutex_unlock(&heap.lock);
	return size;
}

bool
shmemi_heap_block(const void *p, struct shmemi_heap_block *b)
{
	const struct part *at;
	size_t start;

	*b = (struct shmemi_heap_block){0};
	pthread_mutex_lock(&heap.lock);
	at = part_of(p);
	if (at != NULL &&
	    heap_arena_find(at->arena, (size_t)((const char *)p - at->base), &start, &b->size))
		b->at = at->base + start;
	pthread_mutex_unlock(&heap.lock);
	return at != NULL;
}

int
shmemi_heap_resize(void *p, size_t size)
{
	struct part *at;
	int err = -EINVAL;

	pthread_mutex_lock(&heap.lock);
	at = part_of(p);
	if (at != NULL)
		err = heap_arena_resize(at->arena, (size_t)((char *)p - at->base), size);
	heap.why = err == -ENOMEM ? rb_error() : NULL;
	pthread_mutex_unlock(&heap.lock);
	return err;
}

const char *
shmemi_heap_why(void)
{
	return heap.why == NULL || *heap.why == '\0' ? "no memory" : heap.why;
}

const char *
shmemi_heap_wanted(struct rb_params *params, size_t own)
{
	const char *size = shmemi_env(SHMEMI_ENV_SIZE), *spaces = shmemi_env(SHMEMI_ENV_SPACES);

	params->heap_size = HEAP_DEFAULT;
	params->heap_given = size != NULL;
	if (size != NULL && heap_parse_size(size, &params->heap_size) != 0)
		return shmemi_env_name(SHMEMI_ENV_SIZE);
	heap.reserve = 0;
	if (spaces != NULL && heap_parse_size(spaces, &heap.reserve) != 0)
		return shmemi_env_name(SHMEMI_ENV_SPACES);
	heap.reserve = (heap.reserve + HEAP_HUGE - 1) & ~((size_t)HEAP_HUGE - 1);
	/* The library's own objects come on top of what the user asked for. */
	params->heap_own = own + SHMEMI_HEAP_ALIGN + 2 * HEAP_PAGE;
	if (heap.reserve != 0)
		params->heap_own += heap.reserve + HEAP_HUGE;
	return NULL;
}

size_t
shmemi_heap_reserve(void)
{
	return heap.reserve;
}

char *
shmemi_heap_reserved(void)
{
	return heap.base + ((rb_heap_size() - heap.reserve) & ~((size_t)HEAP_HUGE - 1));
}

static size_t
heap_end(void)
{
	return (rb_heap_size() - heap.tail) & ~((size_t)HEAP_PAGE - 1);
}

void
shmemi_heap_usage(struct shmemi_heap_usage *usage)
{
	const struct part *at;
	size_t used, largest;

	*usage = (struct shmemi_heap_usage){0};
	pthread_mutex_lock(&heap.lock);
	for (at = heap.part; at < heap.part + heap.parts; at++) {
		heap_arena_usage(at->arena, &used, &largest);
		usage->size += at->size;
		usage->used += used;
		if (largest > usage->largest)
			usage->largest = largest;
	}
	pthread_mutex_unlock(&heap.lock);
}

static int
add_part(char *base, size_t size, size_t step, size_t keep, heap_commit_fn *commit)
{
	struct part part = {
		.arena = heap_arena_new(size, step, keep, commit), .base = base, .size = size};

	if (part.arena == NULL)
		return -ENOMEM;
	pthread_mutex_lock(&heap.lock);
	heap.part[heap.parts++] = part;
	pthread_mutex_unlock(&heap.lock);
	return 0;
}

static int
has_memory(size_t upto)
{
	(void)upto;
	return 0;
}

int
shmemi_heap_extend(void *base, size_t size)
{
	return add_part(base, size, size, size, has_memory);
}

void
shmemi_heap_shorten(void)
{
	pthread_mutex_lock(&heap.lock);
	heap_arena_delete(heap.part[--heap.parts].arena);
	pthread_mutex_unlock(&heap.lock);
}

unsigned int
shmemi_heap_parts_left(void)
{
	return PARTS - heap.parts;
}

void *
shmemi_heap_tail(void)
{
	rb_heap_clear(heap_end(), rb_heap_size());
	return heap.base + heap_end();
}

int
shmemi_heap_open(size_t tail)
{
	heap.base = rb_heap_base();
	/* the place between them: the reserve begins on a huge page */
	heap.tail = tail + (heap.reserve == 0 ? 0 : heap.reserve + HEAP_HUGE);
	return add_part(heap.base, heap_end(), HEAP_STEP, HEAP_KEEP, rb_heap_commit);
}

void
shmemi_heap_close(void)
{
	while (heap.parts > 0)
		shmemi_heap_shorten();
}
