/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_HEAP_H
#define SHMEMI_HEAP_H

/**
 * @file
 * The symmetric heap as the library uses it itself: no call here synchronises. Offsets agree on all
 * PEs where they make the same calls in the same order.
 */

#include <stdbool.h>
#include <stddef.h>

#include "rb.h"

enum {
	SHMEMI_HEAP_ALIGN = 64, /**< what shmem_malloc promises is 16; see HEAP_GRANULE */
};

/** SHMEM_SYMMETRIC_SIZE or its default, SHMEM_SPACES, and @p own bytes for the library's own
 * objects.
 *  @return NULL, or the name of a variable with a bad value */
const char *shmemi_heap_wanted(struct rb_params *params, size_t own);
/** What SHMEM_SPACES asks for, behind the heap in the same segment: bytes, and where they begin, on
 * a boundary of 2 MiB. */
size_t shmemi_heap_reserve(void);
char *shmemi_heap_reserved(void);
/** Fresh allocator over rb_heap_base(), all but @p tail bytes at its end. 0 or -errno */
int shmemi_heap_open(size_t tail);
void shmemi_heap_close(void);
/** The bytes at the end: zeros; pages become memory when they are first written. */
void *shmemi_heap_tail(void);

/** A block at *p. @return 0; -ENOSPC: the heap is full, as it is on all PEs; -ENOMEM: this PE lacks
 *  memory */
int shmemi_heap_place(size_t align, size_t size, void **p);
/** The same for the library's own objects. NULL: none */
void *shmemi_heap_alloc(size_t align, size_t size);
void shmemi_heap_free(void *p);
/** Grow or shrink a block in place. Errors as above. */
int shmemi_heap_resize(void *p, size_t size);
/** Bytes of the block that begins at @p p, 0: none does. */
size_t shmemi_heap_size(const void *p);
/** The block that @p p lies in, and the bytes asked for it; at is NULL where it lies in none. */
struct shmemi_heap_block {
	const char *at;
	size_t size;
};
/** @return whether @p p is in the heap at all */
bool shmemi_heap_block(const void *p, struct shmemi_heap_block *b);
/** What the allocator has given away. */
struct shmemi_heap_usage {
	size_t size, used, largest; /**< of all parts; of the largest free block */
};
void shmemi_heap_usage(struct shmemi_heap_usage *usage);
/** One more part, of [base, base + size), which has its memory. 0, or -ENOMEM */
int shmemi_heap_extend(void *base, size_t size);
/** Take the last one away again; nothing was allocated meanwhile. */
void shmemi_heap_shorten(void);
/** How many more there may be. */
unsigned int shmemi_heap_parts_left(void);
/** Why the last -ENOMEM; constant text. */
const char *shmemi_heap_why(void);

#endif /* SHMEMI_HEAP_H */
