/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Every typed and sized form of put and get, blocking and not, with and without context,
 * contiguous, strided and in blocks, and p and g, to oneself and over one and two hops. The forms
 * of a type are a row of a table: what they move is bytes, by number and size of the elements.
 */
#include <string.h>

#include "multi.h"
#include "types.h"

enum {
	LEN = 20000, /* elements of a strided transfer, at most: more than the library stages */
	FEW = 22,
	UNTOUCHED = 0xee
};

typedef void move(void *dest, const void *source, size_t n, int pe);
typedef void ctx_move(shmem_ctx_t ctx, void *dest, const void *source, size_t n, int pe);
typedef void stride(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe);
typedef void ctx_stride(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst,
			ptrdiff_t sst, size_t n, int pe);
typedef void blocks(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
		    size_t n, int pe);
typedef void ctx_blocks(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst,
			ptrdiff_t sst, size_t bsize, size_t n, int pe);

/* 0: puts, 1: gets */
static const struct form {
	const char *name;
	size_t size;
	move *now[2], *nbi[2];
	ctx_move *ctx_now[2], *ctx_nbi[2];
	stride *stride[2];
	ctx_stride *ctx_stride[2];
	blocks *blocks[2];
	ctx_blocks *ctx_blocks[2];
} forms[] = {
#define PAIR(kind, before, after)                                                      \
	{                                                                              \
		(kind *)shmem_##before##put##after, (kind *)shmem_##before##get##after \
	}
#define ROW(name, size, before, bits)              \
	{name,                                     \
	 size,                                     \
	 PAIR(move, before, bits),                 \
	 PAIR(move, before, bits##_nbi),           \
	 PAIR(ctx_move, ctx_##before, bits),       \
	 PAIR(ctx_move, ctx_##before, bits##_nbi), \
	 PAIR(stride, before##i, bits),            \
	 PAIR(ctx_stride, ctx_##before##i, bits),  \
	 PAIR(blocks, before##ib, bits),           \
	 PAIR(ctx_blocks, ctx_##before##ib, bits)},
#define TYPE_ROW(T, name) ROW(#name, sizeof(T), name##_, )
#define SIZE_ROW(bits, bytes) ROW(#bits, bytes, , bits)
	TYPES_RMA(TYPE_ROW) SIZES(SIZE_ROW)};

enum {
	FORMS = sizeof(forms) / sizeof(forms[0])
};

static unsigned char *to, *from, *expected;
static shmem_ctx_t ctx;

static void
open_memory(void)
{
	to = mt_alloc(LEN * sizeof(long double));
	from = mt_alloc(LEN * sizeof(long double));
	expected = mt_alloc(2 * LEN * sizeof(long double));
	CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
}

static void
close_memory(void)
{
	shmem_ctx_destroy(ctx);
	shmem_free(expected);
	shmem_free(from);
	shmem_free(to);
}

/* Four lanes of FEW elements and one that stays as it was, so that a wrong element size shows. */
static void
contiguous(const struct form *f, int gets, int d)
{
	size_t lane = (FEW + 1) * f->size, i;
	int pe = mt_pe(d), other = mt_pe(gets ? d : -d);

	memset(to, UNTOUCHED, 4 * lane);
	mt_fill(from, 4 * lane, (uint64_t)mt_me + f->size);
	shmem_barrier_all();
	f->now[gets](to, from, FEW, pe);
	f->nbi[gets](to + lane, from + lane, FEW, pe);
	f->ctx_now[gets](ctx, to + 2 * lane, from + 2 * lane, FEW, pe);
	f->ctx_nbi[gets](ctx, to + 3 * lane, from + 3 * lane, FEW, pe);
	shmem_ctx_quiet(ctx);
	shmem_barrier_all();
	mt_fill(expected, 4 * lane, (uint64_t)other + f->size);
	for (i = 0; i < 4; i++) {
		memset(expected + i * lane + FEW * f->size, UNTOUCHED, f->size);
		CHECK_MSG(memcmp(to + i * lane, expected + i * lane, lane) == 0,
			  "%s %s, form %zu, distance %d", f->name, gets ? "get" : "put", i, d);
	}
	shmem_barrier_all();
}

static void
over_forms(void (*run)(const struct form *f, int gets, int d))
{
	int d, gets;
	size_t i;

	open_memory();
	for (i = 0; i < FORMS; i++)
		for (gets = 0; gets < 2; gets++)
			for (d = 0; d < mt_distances(); d++)
				run(&forms[i], gets, d);
	close_memory();
}

static void
case_contiguous(void)
{
	mt_waiting("transfers of every type");
	over_forms(contiguous);
}

static const struct shape {
	ptrdiff_t dst, sst;
	size_t bsize, n;
} few[] = {{2, 3, 1, 7}, {3, 2, 1, 7}, {5, 4, 3, 4}, {3, 7, 3, 4}, {5, 5, 0, 9}, {3, 3, 1, 0}},
  many[] = {{1, 1, 1, 10},   {1, 3, 1, 1000},	 {3, 2, 1, 1000},     {1, 9, 1, 2000},
	    {40, 1, 1, 300}, {1, 40, 1, 300},	 {4, 6, 3, 500},      {3, 3, 3, 700},
	    {3, 8, 3, 700},  {1, 1, 1, LEN - 1}, {900, 700, 600, 11}, {600, 700, 600, 20}};

/* The same by a loop over elements; gaps stay as they were. */
static void
shaped(const struct form *f, const struct shape *s, int gets, int d, bool with_ctx)
{
	size_t room = f->size, b, block = s->bsize * f->size;
	unsigned char *there = expected + LEN * sizeof(long double);
	int pe = mt_pe(d);

	room *= s->n * (size_t)(s->dst > s->sst ? s->dst : s->sst) + s->bsize;
	memset(to, UNTOUCHED, room);
	memset(expected, UNTOUCHED, room);
	mt_fill(from, room, (uint64_t)mt_me + room);
	mt_fill(there, room, (uint64_t)mt_pe(gets ? d : -d) + room);
	for (b = 0; b < s->n; b++)
		memcpy(expected + b * (size_t)s->dst * f->size,
		       there + b * (size_t)s->sst * f->size, block);
	shmem_barrier_all();
	if (s->bsize == 1 && with_ctx)
		f->ctx_stride[gets](ctx, to, from, s->dst, s->sst, s->n, pe);
	else if (s->bsize == 1)
		f->stride[gets](to, from, s->dst, s->sst, s->n, pe);
	else if (with_ctx)
		f->ctx_blocks[gets](ctx, to, from, s->dst, s->sst, s->bsize, s->n, pe);
	else
		f->blocks[gets](to, from, s->dst, s->sst, s->bsize, s->n, pe);
	shmem_ctx_quiet(ctx);
	shmem_barrier_all();
	CHECK_MSG(memcmp(to, expected, room) == 0,
		  "%s %s, %zu of %zu, %td and %td apart, distance %d", f->name,
		  gets ? "iget" : "iput", s->n, s->bsize, s->dst, s->sst, d);
	shmem_barrier_all();
}

static void
strided(const struct form *f, int gets, int d)
{
	size_t i;

	for (i = 0; i < sizeof(few) / sizeof(few[0]); i++)
		shaped(f, &few[i], gets, d, (i + (size_t)d) % 2);
}

static void
case_strided(void)
{
	mt_waiting("strided transfers of every type");
	over_forms(strided);
}

/* One type of each size. */
static void
case_shapes(void)
{
	size_t i, k;
	int gets, d;

	open_memory();
	mt_waiting("strided transfers of all shapes");
	for (i = FORMS - 5; i < FORMS; i++)
		for (k = 0; k < sizeof(many) / sizeof(many[0]); k++)
			for (gets = 0; gets < 2; gets++)
				for (d = 0; d < mt_distances(); d++)
					shaped(&forms[i], &many[k], gets, d, k % 2);
	close_memory();
}

/* Each distance has words of its own; the one behind a word stays as it was. */
#define WORDS(T, name)                                                                          \
	static void name##_words(int d)                                                         \
	{                                                                                       \
		static T words[4 * MT_FAR], mine = (T)0;                                        \
		T *w = words + 4 * d;                                                           \
                                                                                                \
		mine = (T)(mt_me % 50 + 3);                                                     \
		w[1] = w[3] = (T)77;                                                            \
		shmem_barrier_all();                                                            \
		shmem_##name##_p(&w[0], (T)(mt_me % 50 + 1), mt_pe(d));                         \
		shmem_ctx_##name##_p(ctx, &w[2], (T)(mt_me % 50 + 2), mt_pe(d));                \
		CHECK_MSG(shmem_##name##_g(&mine, mt_pe(d)) == (T)(mt_pe(d) % 50 + 3), "%s_g",  \
			  #name);                                                               \
		CHECK_MSG(shmem_ctx_##name##_g(ctx, &mine, mt_pe(d)) == (T)(mt_pe(d) % 50 + 3), \
			  "ctx_%s_g", #name);                                                   \
		shmem_ctx_quiet(ctx);                                                           \
		shmem_barrier_all();                                                            \
		CHECK_MSG(w[0] == (T)(mt_pe(-d) % 50 + 1) && w[2] == (T)(mt_pe(-d) % 50 + 2) && \
				  w[1] == (T)77 && w[3] == (T)77,                               \
			  "%s_p, distance %d", #name, d);                                       \
	}
/* clang-format off */
TYPES_RMA(WORDS)
/* clang-format on */

static void
case_words(void)
{
	int d;

	CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
	mt_waiting("words of every type");
	for (d = 0; d < mt_distances(); d++) {
#define CALL(T, name) name##_words(d);
		TYPES_RMA(CALL)
#undef CALL
	}
	shmem_barrier_all();
	shmem_ctx_destroy(ctx);
}

/* Nobody looks at addresses where there is nothing to move. */
static void
case_nothing(void)
{
	static int word = 7;
	size_t i;
	int gets;

	for (i = 0; i < FORMS; i++) {
		for (gets = 0; gets < 2; gets++) {
			forms[i].now[gets](NULL, NULL, 0, mt_pe(1));
			forms[i].nbi[gets](NULL, NULL, 0, mt_pe(1));
			forms[i].stride[gets](NULL, NULL, 1, 1, 0, mt_pe(1));
			forms[i].blocks[gets](&word, NULL, 1, 1, 0, 1, mt_pe(1));
		}
	}
	shmem_putmem(NULL, NULL, 0, mt_pe(1));
	shmem_getmem_nbi(&word, &word, 0, mt_pe(1));
	shmem_barrier_all();
	CHECK_EQ(word, 7);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"contiguous", case_contiguous}, {"strided", case_strided}, {"shapes", case_shapes},
		{"words", case_words},		 {"nothing", case_nothing}, {0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
