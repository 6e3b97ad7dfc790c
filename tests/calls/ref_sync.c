/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The reference of atomics, messages, waits and locks.
 */
#include <stdlib.h>
#include <string.h>

#include "make.h"
#include "ref.h"

static uint64_t
word_get(int pe, struct place at, size_t size)
{
	uint64_t v = 0;

	memcpy(&v, ref_at(pe, at), size);
	return v;
}

static void
word_set(int pe, struct place at, size_t size, uint64_t v)
{
	memcpy(ref_at(pe, at), &v, size);
}

static uint64_t
changed(const struct op *op, uint64_t old)
{
	switch (op->what) {
	case A_FETCH:
		return old;
	case A_CSWAP:
		return type_trim(op->type, old) == type_trim(op->type, op->cond) ? op->value : old;
	case A_FINC:
	case A_INC:
		return old + 1;
	case A_FADD:
	case A_ADD:
		return old + op->value;
	case A_FAND:
	case A_AND:
		return old & op->value;
	case A_FOR:
	case A_OR:
		return old | op->value;
	case A_FXOR:
	case A_XOR:
		return old ^ op->value;
	default:
		return op->value;
	}
}

void
ref_amo(struct op *op)
{
	size_t size = types[op->type].size;
	struct span fetched = span_of(op->src, size);

	op->ret = word_get(op->to, op->dst, size);
	if (op->key % 2 && op->what == A_CSWAP)
		op->cond = op->ret;
	word_set(op->to, op->dst, size, changed(op, op->ret));
	if (!op->nbi)
		return;
	word_set(op->pe, op->src, size, op->ret);
	ref_expect(op, op->pe, &fetched);
}

unsigned int
ref_shared_bit(const struct op *op, int pe, int lane, int i)
{
	int bit = lane * op->from[pe] + i, p;

	for (p = 0; p < pe; p++)
		bit += op->from[p] * LANES;
	return (unsigned int)bit;
}

void
ref_shared_amo(struct op *op)
{
	size_t size = types[op->type].size;
	uint64_t v = word_get(op->to, op->dst, size);
	int pe, lane, i;

	op->ret = v;
	for (pe = 0; pe < world.npes; pe++)
		for (lane = 0; lane < op->start; lane++)
			for (i = 0; i < op->from[pe]; i++) {
				unsigned int bit = ref_shared_bit(op, pe, lane, i);

				if (op->what == A_INC)
					v++;
				else if (bit % 4 == 0)
					v |= (uint64_t)1 << bit;
				else if (bit % 4 == 1)
					v &= ~((uint64_t)1 << bit);
				else
					v ^= (uint64_t)1 << bit;
			}
	word_set(op->to, op->dst, size, v);
}

int
ref_reader(const struct op *op)
{
	return op->what == M_QUIET_THIRD ? op->third : op->to;
}

struct span
ref_read(const struct op *op)
{
	if (op->what == M_QUIET_THIRD)
		return span_of((struct place){R_PRIVATE, op->cond}, op->n * types[op->type].size);
	return op_dst(op);
}

void
ref_message(struct op *op)
{
	struct span dst = op_dst(op), read = ref_read(op), sig;
	int reader = ref_reader(op);

	sig = span_of(op->sig, 8);
	ref_transfer(op);
	if (op->what == M_QUIET_THIRD)
		ref_copy(reader, &read, op->to, &dst);
	op->ret = word_get(reader, op->sig, 8);
	if (op->value == op->ret)
		op->value++;
	word_set(reader, op->sig, 8, op->value);
	ref_expect(op, reader, &read);
	ref_expect(op, reader, &sig);
}

/* The largest or the smallest value of the words that are waited for. */
static uint64_t
extreme(const struct op *op, bool largest)
{
	uint64_t found = 0;
	bool any = false;
	size_t i;

	for (i = 0; i < op->n; i++) {
		uint64_t v = op->word[i].old;

		if (op->from[i] < 0)
			continue;
		if (!any || type_less(op->type, largest ? found : v, largest ? v : found))
			found = v;
		any = true;
	}
	return found;
}

/* A value that none of the words has. */
static uint64_t
other(const struct op *op)
{
	uint64_t v = op->key;
	size_t i;

	for (i = 0; i < op->n; i++)
		if (type_trim(op->type, v) == type_trim(op->type, op->word[i].old)) {
			v++;
			i = (size_t)-1;
		}
	return v;
}

/* One value for all words: beyond all of them, where the type has something there. */
static void
choose_scalar(struct op *op)
{
	bool up = op->cmp == SHMEM_CMP_GT || op->cmp == SHMEM_CMP_GE;
	bool down = op->cmp == SHMEM_CMP_LT || op->cmp == SHMEM_CMP_LE;
	uint64_t edge = extreme(op, up), beyond = up ? edge + 1 : edge - 1, compare = beyond;
	size_t i;

	if ((up && !type_less(op->type, edge, beyond)) ||
	    (down && !type_less(op->type, beyond, edge)) || (op->cmp == SHMEM_CMP_NE && op->n > 1))
		op->cmp = SHMEM_CMP_EQ;
	if (op->cmp == SHMEM_CMP_EQ)
		compare = beyond = other(op);
	else if (op->cmp == SHMEM_CMP_GT || op->cmp == SHMEM_CMP_LT)
		compare = edge;
	else if (op->cmp == SHMEM_CMP_NE)
		compare = op->n > 0 ? op->word[0].old : 0;
	if (op->cmp == SHMEM_CMP_NE)
		beyond = other(op);
	for (i = 0; i < op->n; i++)
		op->word[i] = (struct wait_word){op->word[i].old, beyond, compare};
}

static void
choose_vector(struct op *op)
{
	bool up = op->cmp == SHMEM_CMP_GT || op->cmp == SHMEM_CMP_GE;
	bool strict = op->cmp == SHMEM_CMP_GT || op->cmp == SHMEM_CMP_LT;
	size_t i;

	for (i = 0; i < op->n; i++) {
		struct wait_word *w = &op->word[i];
		uint64_t next = up ? w->old + 1 : w->old - 1;

		/* beside the end of the type it goes the other way, which no order tells */
		if (op->cmp > SHMEM_CMP_NE && type_less(op->type, w->old, next) != up)
			op->cmp = SHMEM_CMP_NE;
	}
	strict = strict && op->cmp > SHMEM_CMP_NE;
	for (i = 0; i < op->n; i++) {
		struct wait_word *w = &op->word[i];

		w->new = up ? w->old + 1 : w->old - 1;
		w->compare = strict || op->cmp == SHMEM_CMP_NE ? w->old : w->new;
	}
}

void
ref_wait(struct op *op)
{
	size_t size = types[op->type].size, i;
	struct span all = span_of(op->dst, size * op->n);

	op->word = calloc(op->n + 1, sizeof(*op->word));
	if (op->word == NULL)
		fail(op, "no memory for the words of a wait");
	for (i = 0; i < op->n; i++)
		op->word[i].old = word_get(
			op->to, (struct place){op->dst.region, op->dst.off + i * size}, size);
	if (op->vector)
		choose_vector(op);
	else
		choose_scalar(op);
	for (i = 0; i < op->n; i++)
		if (op->from[i] >= 0)
			word_set(op->to, (struct place){op->dst.region, op->dst.off + i * size},
				 size, op->word[i].new);
	ref_expect(op, op->to, &all);
}

void
ref_lock(struct op *op)
{
	struct span record = span_of(op->dst, op->n * 8);
	uint64_t total = 0;
	size_t i;
	int pe;

	ref_keep(op, op->to, &record);
	for (pe = 0; pe < world.npes; pe++)
		total += (uint64_t)op->from[pe];
	for (i = 0; i < op->n; i++) {
		struct place at = {op->dst.region, op->dst.off + i * 8};

		word_set(op->to, at, 8, word_get(op->to, at, 8) + total);
	}
}
