/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef HEAP_TREE_H
#define HEAP_TREE_H

/**
 * @file
 * Blocks of the heap in a balanced search tree (a treap). A used block's key is (off, off), a free
 * one's (size, off); a tree holds blocks of one kind.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_block {
	size_t off;
	size_t size;
	size_t asked; /**< of a used one: bytes that the program wanted */
	bool used;
	uint32_t weight;		/**< of the treap: no node weighs more than its parent */
	struct heap_block *prev, *next; /**< neighbours by address */
	struct heap_block *child[2];	/**< keys below, keys above */
};

struct heap_tree {
	struct heap_block *root;
	uint32_t random;
};

void heap_tree_insert(struct heap_tree *t, struct heap_block *b);
void heap_tree_remove(struct heap_tree *t, struct heap_block *b); /**< @p b stands in it */
struct heap_block *heap_tree_find(const struct heap_tree *t, size_t key, size_t off);
/** The block with the lowest key that is not below (key, off). */
struct heap_block *heap_tree_at_least(const struct heap_tree *t, size_t key, size_t off);
/** The one with the highest key that is not above (key, off). */
struct heap_block *heap_tree_at_most(const struct heap_tree *t, size_t key, size_t off);
size_t heap_tree_count(const struct heap_tree *t);

#endif /* HEAP_TREE_H */
