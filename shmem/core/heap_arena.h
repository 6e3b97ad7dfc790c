/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef HEAP_ARENA_H
#define HEAP_ARENA_H

/**
 * @file
 * Placement of blocks in a range of offsets [0, size). Placement depends on the calls made and on
 * nothing else, so PEs that make the same calls get the same offsets without a message. All
 * metadata is private memory: a stray remote put may spoil data, never the allocator.
 *
 * Best fit, the lowest offset among equals; neighbouring free blocks are always joined, so that
 * freeing what was just allocated restores the earlier state exactly. O(log blocks) a call.
 */

#include <stdbool.h>
#include <stddef.h>

enum {
	/** Unit of sizes and offsets: a cache line, so that atomics of two objects share none. */
	HEAP_GRANULE = 64,
};

struct heap_arena;

/** Makes [0, upto) usable before a block in it is handed out, and gives back what lies beyond.
 *  @return 0 or a negative errno */
typedef int heap_commit_fn(size_t upto);

/**
 * @param step commit in multiples of it
 * @param keep bytes that may be committed and free at the end before they are given back
 * @return NULL without memory
 */
struct heap_arena *heap_arena_new(size_t size, size_t step, size_t keep, heap_commit_fn *commit);
void heap_arena_delete(struct heap_arena *a);

/**
 * @param align a power of two
 * @return 0; -ENOSPC where no block fits (alike on all PEs); -ENOMEM where this process lacks
 *         memory. Nothing changed on failure.
 */
int heap_arena_alloc(struct heap_arena *a, size_t align, size_t size, size_t *off);
/** @return 0, or -EINVAL if no block starts at @p off */
int heap_arena_free(struct heap_arena *a, size_t off);
/** Grow or shrink in place. @return 0, -ENOSPC (does not fit here), -ENOMEM, -EINVAL */
int heap_arena_resize(struct heap_arena *a, size_t off, size_t size);
/** The used block that holds the byte at @p off, and what was asked for it. False: none does. */
bool heap_arena_find(const struct heap_arena *a, size_t off, size_t *start, size_t *asked);
/** Bytes of the block at @p off, 0 if none starts there. */
size_t heap_arena_size(const struct heap_arena *a, size_t off);
/** Bytes in blocks, and of the largest block that is free. Looks at every block. */
void heap_arena_usage(const struct heap_arena *a, size_t *used, size_t *largest);
/** Walk everything and recompute what the structure claims. @return 0 or -EINVAL */
int heap_arena_check(const struct heap_arena *a);

#endif /* HEAP_ARENA_H */
