/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef MAKE_H
#define MAKE_H

#include "plan.h"

/** What is being made. */
struct maker {
	struct epoch *epoch;
	size_t bytes; /* that the epoch may still move */
};
extern struct maker maker;

/** A PE, and one of its contexts: fills pe, ctx, team. @p any: not the default one alone */
void pick_ctx(struct op *op);
/** A PE that the context reaches. */
int pick_target(const struct op *op);
/** @p bytes somewhere; symmetric or not. */
bool pick_place(struct place *at, size_t bytes, size_t align, bool symmetric);
/** @p words of @p size bytes that atomics work on. */
bool pick_words(struct place *at, size_t words, size_t size);
/** A length of transfer in bytes that fits in the budget. */
size_t pick_bytes(void);

static inline struct span
span_of(struct place at, size_t len)
{
	return (struct span){at, len, len, 1};
}

/* The two sides of a transfer with its form, type, n, strides, in bytes. */
struct span op_dst(const struct op *op);
struct span op_src(const struct op *op);
/** Does the call leave padding that may have any value at its target? */
bool op_pads(const struct op *op);
bool form_strided(int form);
bool form_gets(int form);
bool form_nbi(int form);
/** Form, type, lengths and places of a transfer of at most @p max bytes. */
bool pick_transfer(struct op *op, int form, size_t max);
/** What the thread of the call does with memory of @p pe. */
static inline struct claim
claim_of(const struct op *op, int pe, struct span at)
{
	int thread = thread_of(op->pe, op->lane);

	return (struct claim){
		.pe = pe, .at = at, .by = thread, .thread = thread, .ctx = op->ctx, .to = op->to};
}

/** The team that a split makes. */
struct team split_child(const struct op *op);
/** Of a split in two dimensions: row @p i, and behind the rows the columns. */
struct team split_2d_child(const struct op *op, int i);
int split_rows(const struct op *op);
int split_columns(const struct op *op);
/** Claim what the source of a put needs. */
void want_source(const struct op *op);

#endif /* MAKE_H */
