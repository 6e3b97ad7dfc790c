/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "heap_arena.h"
#include "heap_tree.h"

/* The blocks, used and free, tile the range: a list in address order. Each is also in one tree: a
 * used one by its offset, a free one by (size, offset). */
struct heap_arena {
	size_t size;
	size_t step, keep;
	size_t committed;
	heap_commit_fn *commit;
	struct heap_block *first;
	struct heap_block *spare; /* linked by next; what a split takes its blocks from */
	struct heap_tree used;
	struct heap_tree free;
};

/* A call needs at most this many new blocks: one for what an alignment skips, one for the rest. */
enum {
	SPLITS_MAX = 2
};

static size_t
granules_of(size_t size)
{
	return (size + HEAP_GRANULE - 1) & ~((size_t)HEAP_GRANULE - 1);
}

/* Have the blocks a split may want at hand, so that it cannot fail half way. */
static int
reserve_blocks(struct heap_arena *a)
{
	struct heap_block *b = a->spare;
	int have;

	for (have = 0; b != NULL && have < SPLITS_MAX; have++)
		b = b->next;
	for (; have < SPLITS_MAX; have++) {
		b = calloc(1, sizeof(*b));
		if (b == NULL)
			return -ENOMEM;
		b->next = a->spare;
		a->spare = b;
	}
	return 0;
}

/* Up to where [0, upto) is committed. */
static size_t
steps_upto(const struct heap_arena *a, size_t upto)
{
	return upto > a->size - a->size % a->step ? a->size
						  : (upto + a->step - 1) / a->step * a->step;
}

static int
reserve_memory(struct heap_arena *a, size_t upto)
{
	size_t want;
	int err;

	if (upto <= a->committed)
		return 0;
	want = steps_upto(a, upto);
	err = a->commit(want);
	if (err == 0)
		a->committed = want;
	return err == 0 ? 0 : -ENOMEM;
}

/* Cut @p b, which stands in no tree, after @p size bytes; the rest joins the free blocks. */
static void
split_block(struct heap_arena *a, struct heap_block *b, size_t size)
{
	struct heap_block *rest;

	if (b->size == size)
		return;
	rest = a->spare;
	a->spare = rest->next;
	rest->off = b->off + size;
	rest->size = b->size - size;
	rest->used = false;
	rest->prev = b;
	rest->next = b->next;
	if (rest->next != NULL)
		rest->next->prev = rest;
	b->next = rest;
	b->size = size;
	heap_tree_insert(&a->free, rest);
}

/* Append @p next to @p b; neither stands in a tree. */
static void
absorb_next(struct heap_arena *a, struct heap_block *b, struct heap_block *next)
{
	b->size += next->size;
	b->next = next->next;
	if (b->next != NULL)
		b->next->prev = b;
	next->next = a->spare;
	a->spare = next;
}

/* The last block, which is free, leaves much committed: give it back, as malloc() does. */
static void
give_back(struct heap_arena *a, const struct heap_block *b)
{
	size_t want = steps_upto(a, b->off);

	if (b->next == NULL && a->committed > want && a->committed - want >= a->keep &&
	    a->commit(want) == 0)
		a->committed = want;
}

/* Give @p b, which stands in no tree, back, joined with its free neighbours. */
static void
release_block(struct heap_arena *a, struct heap_block *b)
{
	struct heap_block *prev = b->prev;

	b->used = false;
	if (b->next != NULL && !b->next->used) {
		heap_tree_remove(&a->free, b->next);
		absorb_next(a, b, b->next);
	}
	if (prev != NULL && !prev->used) {
		heap_tree_remove(&a->free, prev);
		absorb_next(a, prev, b);
		b = prev;
	}
	heap_tree_insert(&a->free, b);
	give_back(a, b);
}

static size_t
skip_to(const struct heap_block *b, size_t align)
{
	return (align - (b->off & (align - 1))) & (align - 1);
}

static bool
block_fits(const struct heap_block *b, size_t align, size_t size)
{
	size_t skip = skip_to(b, align);

	return skip <= b->size && b->size - skip >= size;
}

/* Best fit. Where alignment makes the best one too short, one that fits however it lies; if there
 * is none either, one of those between may lie well. */
static struct heap_block *
find_fit(const struct heap_arena *a, size_t align, size_t size)
{
	struct heap_block *b = heap_tree_at_least(&a->free, size, 0), *ample = NULL;

	if (b == NULL || block_fits(b, align, size))
		return b;
	if (align <= a->size && size <= a->size - align)
		ample = heap_tree_at_least(&a->free, size + align - HEAP_GRANULE, 0);
	if (ample != NULL)
		return ample;
	while (b != NULL && !block_fits(b, align, size))
		b = heap_tree_at_least(&a->free, b->size, b->off + 1);
	return b;
}

int
heap_arena_alloc(struct heap_arena *a, size_t align, size_t size, size_t *off)
{
	struct heap_block *b, *head = NULL;
	size_t skip, asked = size;

	if (align < HEAP_GRANULE)
		align = HEAP_GRANULE;
	if (size == 0 || size > a->size)
		return -ENOSPC;
	size = granules_of(size);
	b = find_fit(a, align, size);
	if (b == NULL)
		return -ENOSPC;
	skip = skip_to(b, align);
	if (reserve_blocks(a) != 0 || reserve_memory(a, b->off + skip + size) != 0)
		return -ENOMEM;
	heap_tree_remove(&a->free, b);
	if (skip != 0) {
		head = b;
		split_block(a, head, skip);
		b = head->next;
		heap_tree_remove(&a->free, b);
		heap_tree_insert(&a->free, head);
	}
	split_block(a, b, size);
	b->used = true;
	b->asked = asked;
	heap_tree_insert(&a->used, b);
	*off = b->off;
	return 0;
}

int
heap_arena_free(struct heap_arena *a, size_t off)
{
	struct heap_block *b = heap_tree_find(&a->used, off, off);

	if (b == NULL)
		return -EINVAL;
	heap_tree_remove(&a->used, b);
	release_block(a, b);
	return 0;
}

int
heap_arena_resize(struct heap_arena *a, size_t off, size_t size)
{
	struct heap_block *b = heap_tree_find(&a->used, off, off);
	size_t room, asked = size;

	if (b == NULL)
		return -EINVAL;
	if (size == 0 || size > a->size)
		return -ENOSPC;
	size = granules_of(size);
	room = b->size;
	if (b->next != NULL && !b->next->used)
		room += b->next->size;
	if (size > room)
		return -ENOSPC;
	if (reserve_blocks(a) != 0 || reserve_memory(a, off + size) != 0)
		return -ENOMEM;
	if (room > b->size) {
		heap_tree_remove(&a->free, b->next);
		absorb_next(a, b, b->next);
	}
	split_block(a, b, size);
	b->asked = asked;
	return 0;
}

bool
heap_arena_find(const struct heap_arena *a, size_t off, size_t *start, size_t *asked)
{
	const struct heap_block *b = heap_tree_at_most(&a->used, off, off);

	if (b == NULL || off - b->off >= b->size)
		return false;
	*start = b->off;
	*asked = b->asked;
	return true;
}

size_t
heap_arena_size(const struct heap_arena *a, size_t off)
{
	const struct heap_block *b = heap_tree_find(&a->used, off, off);

	return b == NULL ? 0 : b->size;
}

void
heap_arena_usage(const struct heap_arena *a, size_t *used, size_t *largest)
{
	const struct heap_block *b;

	*used = 0;
	*largest = 0;
	for (b = a->first; b != NULL; b = b->next) {
		if (b->used)
			*used += b->size;
		else if (b->size > *largest)
			*largest = b->size;
	}
}

int
heap_arena_check(const struct heap_arena *a)
{
	const struct heap_block *b;
	size_t end = 0, n_used = 0, n_free = 0;

	for (b = a->first; b != NULL; b = b->next) {
		const struct heap_tree *tree = b->used ? &a->used : &a->free;

		if (b->off != end || b->size == 0 || (b->used && b->off + b->size > a->committed))
			return -EINVAL;
		if (b->next != NULL && (b->next->prev != b || (!b->used && !b->next->used)))
			return -EINVAL;
		if (heap_tree_find(tree, b->used ? b->off : b->size, b->off) != b)
			return -EINVAL;
		end += b->size;
		n_used += b->used;
		n_free += !b->used;
	}
	if (end != a->size || heap_tree_count(&a->used) != n_used ||
	    heap_tree_count(&a->free) != n_free)
		return -EINVAL;
	return 0;
}

struct heap_arena *
heap_arena_new(size_t size, size_t step, size_t keep, heap_commit_fn *commit)
{
	struct heap_arena *a = calloc(1, sizeof(*a));
	struct heap_block *b = calloc(1, sizeof(*b));

	size -= size % HEAP_GRANULE;
	if (a == NULL || b == NULL || size == 0) {
		free(a);
		free(b);
		return NULL;
	}
	a->size = size;
	a->step = step;
	a->keep = keep;
	a->commit = commit;
	b->size = size;
	a->first = b;
	heap_tree_insert(&a->free, b);
	return a;
}

void
heap_arena_delete(struct heap_arena *a)
{
	struct heap_block *b, *next;

	if (a == NULL)
		return;
	for (b = a->first; b != NULL; b = next) {
		next = b->next;
		free(b);
	}
	for (b = a->spare; b != NULL; b = next) {
		next = b->next;
		free(b);
	}
	free(a);
}
