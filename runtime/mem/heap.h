/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_HEAP_H
#define RB_MEM_HEAP_H

/**
 * @file
 * The symmetric heap of this PE.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/types.h"

void *rb_heap_base(void);
size_t rb_heap_size(void);
/** Commit memory for [0, upto) of the heap, and give the rest back.
 *  @return 0, or -ENOMEM with words in rb_error() (nothing changed) */
int rb_heap_commit(size_t upto);
/** Make [from, upto) of the heap zero; nothing there may be in use. Ordinary memory is given back
 *  until the next write. */
void rb_heap_clear(size_t from, size_t upto);

/** A part of the heap that gets memory of its own: whole pages, not committed otherwise. */
struct rb_range {
	size_t from, size;
	int node;  /**< that the memory must be on; -1: any */
	bool huge; /**< huge pages, where the kernel gives them */
};
/** 0; -ENOMEM or -EINVAL with words in rb_error(): nothing is committed. rb_heap_clear() gives the
 *  memory back. */
int rb_heap_range(const struct rb_range *range);
/** NUMA node of a page of the heap; -1: unknown */
int rb_heap_node(const void *at);

/* ---- within the runtime ---- */

/** Bytes for the heap of each PE: the size that the user gave, or as much of the default as fits
 *  the machine. 0, or -ENOMEM with words where the machine has too little memory to start the
 *  job. */
int rb_heap_fit(const struct rb_params *params, size_t *size);
/** Bytes of the heap that the library keeps for itself. */
size_t rb_heap_own(void);

#endif /* RB_MEM_HEAP_H */
