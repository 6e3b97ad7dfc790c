/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "heap_tree.h"

/* Negative, zero or positive as @p b's key is below, at or above (key, off). */
static int
compare_keys(const struct heap_block *b, size_t key, size_t off)
{
	size_t own = b->used ? b->off : b->size;

	if (own != key)
		return own < key ? -1 : 1;
	return (b->off > off) - (b->off < off);
}

/* xorshift: the weights need only look random for the tree to stay flat. */
static uint32_t
draw_weight(struct heap_tree *t)
{
	uint32_t x = t->random | 1;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	t->random = x + 2;
	return x;
}

void
heap_tree_insert(struct heap_tree *t, struct heap_block *b)
{
	size_t key = b->used ? b->off : b->size;
	struct heap_block **at = &t->root;
	struct heap_block **hook[2] = {&b->child[0], &b->child[1]};
	struct heap_block *cut;

	b->weight = draw_weight(t);
	while (*at != NULL && (*at)->weight >= b->weight)
		at = &(*at)->child[compare_keys(*at, key, b->off) < 0];
	cut = *at;
	*at = b;
	/* Deal the subtree that stood here out to both sides of the new node. */
	while (cut != NULL) {
		int below = compare_keys(cut, key, b->off) < 0;
		int side = !below;

		*hook[side] = cut;
		hook[side] = &cut->child[below];
		cut = cut->child[below];
	}
	*hook[0] = NULL;
	*hook[1] = NULL;
}

void
heap_tree_remove(struct heap_tree *t, struct heap_block *b)
{
	size_t key = b->used ? b->off : b->size;
	struct heap_block **at = &t->root;
	struct heap_block *low = b->child[0], *high = b->child[1];

	while (*at != b)
		at = &(*at)->child[compare_keys(*at, key, b->off) < 0];
	while (low != NULL && high != NULL) {
		if (low->weight >= high->weight) {
			*at = low;
			at = &low->child[1];
			low = *at;
		} else {
			*at = high;
			at = &high->child[0];
			high = *at;
		}
	}
	*at = low != NULL ? low : high;
}

struct heap_block *
heap_tree_find(const struct heap_tree *t, size_t key, size_t off)
{
	struct heap_block *b = t->root;
	int order;

	while (b != NULL) {
		order = compare_keys(b, key, off);
		if (order == 0)
			return b;
		b = b->child[order < 0];
	}
	return NULL;
}

struct heap_block *
heap_tree_at_least(const struct heap_tree *t, size_t key, size_t off)
{
	struct heap_block *b = t->root, *best = NULL;

	while (b != NULL) {
		if (compare_keys(b, key, off) < 0) {
			b = b->child[1];
		} else {
			best = b;
			b = b->child[0];
		}
	}
	return best;
}

struct heap_block *
heap_tree_at_most(const struct heap_tree *t, size_t key, size_t off)
{
	struct heap_block *b = t->root, *best = NULL;

	while (b != NULL) {
		if (compare_keys(b, key, off) > 0) {
			b = b->child[0];
		} else {
			best = b;
			b = b->child[1];
		}
	}
	return best;
}

static size_t
count_below(const struct heap_block *b)
{
	return b == NULL ? 0 : 1 + count_below(b->child[0]) + count_below(b->child[1]);
}

size_t
heap_tree_count(const struct heap_tree *t)
{
	return count_below(t->root);
}
