/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <string.h>

#include "core/check.h"
#include "core/shmemi.h"
#include "shmemx.h"

/*
 * Strided remote memory access (section 9.6). iput and iget are ibput and ibget with blocks of one
 * element. Over a link many small transfers cost more than one with a copy on this side: blocks
 * that are dense at the remote side are packed, and reads take small gaps along.
 */

enum {
	STAGE = 8192, /* bytes packed or read at a time; on the stack */
	GAPS = 8,     /* a read may move this many times the bytes asked for */
};

/** One call with its arguments: strides, block and element size in bytes. */
struct blocks {
	const char *call;
	char *dest;
	const char *source;
	ptrdiff_t dst, sst;
	size_t bsize;
	size_t n;
	size_t size;
	bool nbi; /* need not be complete when the call returns */
};

/** Where to: checked. */
struct target {
	struct rb_ctx *ctx;
	int pe;
};

/* Bytes from the first to the last, or no return. Strides are positive and at least a block. */
static size_t
span_of(const struct blocks *b, const char *name, ptrdiff_t stride)
{
	size_t span;

	if (b->n > 1 && (stride <= 0 || (size_t)stride < b->bsize))
		shmemi_fatal(b->call, "%s is %td elements, less than a block of %zu", name,
			     stride / (ptrdiff_t)b->size, b->bsize / b->size);
	if (__builtin_mul_overflow(b->n - 1, (size_t)stride, &span) ||
	    __builtin_add_overflow(span, b->bsize, &span))
		shmemi_fatal(b->call, "%zu blocks, %s %td elements apart", b->n, name,
			     stride / (ptrdiff_t)b->size);
	return span;
}

static void
check_span(const struct blocks *b, const struct shmemi_ctx *ctx, const char *remote, size_t len,
	   int pe)
{
	const struct shmemi_access a = {
		.ctx = ctx,
		.remote = remote,
		.local = remote == b->dest ? b->source : b->dest,
		.len = len,
		.align = b->size,
		.pe = pe,
		.scattered = true,
		.touch = remote == b->dest ? SHMEMI_WRITE : SHMEMI_READ,
		.open = remote == b->dest || b->nbi,
		.later = b->nbi,
	};
	/* one block has no stride, whatever was given */
	const struct shmemi_span to = {b->dest, b->n, b->bsize,
				       b->n > 1 ? (size_t)b->dst : b->bsize};
	const struct shmemi_span from = {b->source, b->n, b->bsize,
					 b->n > 1 ? (size_t)b->sst : b->bsize};

	shmemi_check_access(b->call, &a);
	if (pe == shmemi.pe && b->dest != b->source && shmemi_overlap(&to, &from))
		shmemi_fatal(b->call, "source and dest overlap: %zu blocks at %p and %p", b->n,
			     (const void *)b->source, (const void *)b->dest);
	if (remote == b->dest)
		shmemi_check_order(b->call, &a, &to, &from);
	else
		shmemi_check_order(b->call, &a, &from, &to);
}

/* @return false if there is nothing to do */
static bool
enter_strided(const struct blocks *b, shmem_ctx_t handle, int pe, bool put, struct target *t)
{
	const struct shmemi_ctx *ctx = shmemi_ctx_of(b->call, handle);
	const char *remote = put ? b->dest : b->source;
	size_t span, other;

	t->ctx = ctx->rb;
	t->pe = shmemi_pe_of(b->call, ctx, pe);
	if (b->n == 0 || b->bsize == 0)
		return false;
	span = span_of(b, "dst", b->dst);
	other = span_of(b, "sst", b->sst);
	if (!put)
		span = other;
	if (!rb_symmetric(remote, span))
		shmemi_fail(b->call, -EFAULT, pe, remote, span);
	if (__builtin_expect(shmemi.check, 0))
		check_span(b, ctx, remote, span, t->pe);
	return true;
}

/* Both sides in reach of this CPU. Constant sizes: the compiler makes a load and a store of it. */
static void
copy_blocks(char *dest, ptrdiff_t dst, const char *source, ptrdiff_t sst, const struct blocks *b)
{
	size_t i, n = b->n;

	switch (b->bsize) {
	case 4:
		for (i = 0; i < n; i++, dest += dst, source += sst)
			memcpy(dest, source, 4);
		break;
	case 8:
		for (i = 0; i < n; i++, dest += dst, source += sst)
			memcpy(dest, source, 8);
		break;
	default:
		for (i = 0; i < n; i++, dest += dst, source += sst)
			memcpy(dest, source, b->bsize);
	}
}

static int
put_packed(const struct blocks *b, const struct target *t)
{
	struct blocks part = *b;
	char stage[STAGE];
	size_t done = 0;
	int err = 0;

	while (done < b->n && err == 0) {
		part.n = b->n - done < STAGE / b->bsize ? b->n - done : STAGE / b->bsize;
		copy_blocks(stage, (ptrdiff_t)b->bsize, b->source + (ptrdiff_t)done * b->sst,
			    b->sst, &part);
		err = rb_put(t->ctx, t->pe, b->dest + done * b->bsize, stage, part.n * b->bsize);
		done += part.n;
	}
	return err;
}

static int
put_apart(const struct blocks *b, const struct target *t)
{
	int err = 0;
	size_t i;

	if (b->n > 1 && (size_t)b->dst == b->bsize && b->bsize <= STAGE / 2)
		return put_packed(b, t);
	for (i = 0; i < b->n && err == 0; i++)
		err = (b->nbi ? rb_put_nbi : rb_put)(t->ctx, t->pe, b->dest + (ptrdiff_t)i * b->dst,
						     b->source + (ptrdiff_t)i * b->sst, b->bsize);
	return err;
}

static void
put_strided(const struct blocks *b, shmem_ctx_t handle, int pe)
{
	struct target t;
	char *alias;
	int err;

	if (!enter_strided(b, handle, pe, true, &t))
		return;
	alias = rb_ptr(b->dest, t.pe);
	if (alias != NULL) {
		copy_blocks(alias, b->dst, b->source, b->sst, b);
		return;
	}
	if (b->n > 1 && (size_t)b->dst == b->bsize && (size_t)b->sst == b->bsize)
		err = (b->nbi ? rb_put_nbi : rb_put)(t.ctx, t.pe, b->dest, b->source,
						     b->n * b->bsize);
	else
		err = put_apart(b, &t);
	if (err != 0)
		shmemi_fail(b->call, err, pe, b->dest, b->bsize);
}

/* With the gaps between the blocks, which all lie in symmetric memory (enter_strided() has seen to
 * it). */
static int
get_with_gaps(const struct blocks *b, const struct target *t)
{
	struct blocks part = *b;
	char stage[STAGE];
	size_t done = 0;
	int err = 0;

	while (done < b->n && err == 0) {
		part.n = 1 + (STAGE - b->bsize) / (size_t)b->sst;
		if (part.n > b->n - done)
			part.n = b->n - done;
		err = rb_get(t->ctx, t->pe, stage, b->source + (ptrdiff_t)done * b->sst,
			     (part.n - 1) * (size_t)b->sst + b->bsize);
		if (err == 0)
			copy_blocks(b->dest + (ptrdiff_t)done * b->dst, b->dst, stage, b->sst,
				    &part);
		done += part.n;
	}
	return err;
}

/* All under way at once. The quiet of a call that waits for its own is for more than these, which
 * is slow but not wrong. */
static int
get_each(const struct blocks *b, const struct target *t)
{
	int err = 0;
	size_t i;

	for (i = 0; i < b->n && err == 0; i++)
		err = rb_get_nbi(t->ctx, t->pe, b->dest + (ptrdiff_t)i * b->dst,
				 b->source + (ptrdiff_t)i * b->sst, b->bsize);
	if (!b->nbi)
		rb_quiet_pe(t->ctx, t->pe);
	return err;
}

static void
get_strided(const struct blocks *b, shmem_ctx_t handle, int pe)
{
	const char *alias;
	struct target t;
	int err;

	if (!enter_strided(b, handle, pe, false, &t))
		return;
	alias = rb_ptr(b->source, t.pe);
	if (alias != NULL) {
		copy_blocks(b->dest, b->dst, alias, b->sst, b);
		return;
	}
	if (b->n == 1 || ((size_t)b->dst == b->bsize && (size_t)b->sst == b->bsize))
		err = (b->nbi ? rb_get_nbi : rb_get)(t.ctx, t.pe, b->dest, b->source,
						     b->n * b->bsize);
	else if (b->bsize <= STAGE / 2 && (size_t)b->sst / b->bsize <= GAPS)
		err = get_with_gaps(b, &t);
	else
		err = get_each(b, &t);
	if (err != 0)
		shmemi_fail(b->call, err, pe, b->source, b->bsize);
}

/* A stride that does not fit in bytes is as wrong as a negative one: both fail in span_of(). */
static ptrdiff_t
scale_stride(ptrdiff_t stride, size_t size)
{
	ptrdiff_t bytes;

	return __builtin_mul_overflow(stride, (ptrdiff_t)size, &bytes) ? -1 : bytes;
}

static struct blocks
blocks_of(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t size)
{
	return (struct blocks){
		.dest = dest,
		.source = source,
		.dst = scale_stride(dst, size),
		.sst = scale_stride(sst, size),
		.bsize = size,
		.size = size,
	};
}

static void
block_size(struct blocks *b, size_t elems)
{
	if (__builtin_mul_overflow(elems, b->size, &b->bsize))
		shmemi_fatal(b->call, "bsize is %zu: elements of %zu bytes exceed memory", elems,
			     b->size);
}

#define STRIDED_AS(API, prefix, name, T, bytes, move, later)                                  \
	API(void, name,                                                                       \
	    (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)) \
	{                                                                                     \
		struct blocks b = blocks_of(dest, source, dst, sst, bytes);                   \
                                                                                              \
		b.call = prefix #name;                                                        \
		b.n = nelems;                                                                 \
		b.nbi = later;                                                                \
		move(&b, SHMEM_CTX_DEFAULT, pe);                                              \
	}                                                                                     \
	API(void, ctx_##name,                                                                 \
	    (shmem_ctx_t ctx, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst,        \
	     size_t nelems, int pe))                                                          \
	{                                                                                     \
		struct blocks b = blocks_of(dest, source, dst, sst, bytes);                   \
                                                                                              \
		b.call = prefix "ctx_" #name;                                                 \
		b.n = nelems;                                                                 \
		b.nbi = later;                                                                \
		move(&b, ctx, pe);                                                            \
	}
#define BLOCKED_AS(API, prefix, name, T, bytes, move, later)                           \
	API(void, name,                                                                \
	    (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,    \
	     size_t nblocks, int pe))                                                  \
	{                                                                              \
		struct blocks b = blocks_of(dest, source, dst, sst, bytes);            \
                                                                                       \
		b.call = prefix #name;                                                 \
		b.n = nblocks;                                                         \
		block_size(&b, bsize);                                                 \
		b.nbi = later;                                                         \
		move(&b, SHMEM_CTX_DEFAULT, pe);                                       \
	}                                                                              \
	API(void, ctx_##name,                                                          \
	    (shmem_ctx_t ctx, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, \
	     size_t bsize, size_t nblocks, int pe))                                    \
	{                                                                              \
		struct blocks b = blocks_of(dest, source, dst, sst, bytes);            \
                                                                                       \
		b.call = prefix "ctx_" #name;                                          \
		b.n = nblocks;                                                         \
		block_size(&b, bsize);                                                 \
		b.nbi = later;                                                         \
		move(&b, ctx, pe);                                                     \
	}

#define STRIDED(name, T, bytes, move) STRIDED_AS(SHMEMI_API, "shmem_", name, T, bytes, move, false)
#define BLOCKED(name, T, bytes, move) BLOCKED_AS(SHMEMI_API, "shmem_", name, T, bytes, move, false)
#define IPUT(T, N, op) STRIDED(N##op, T, sizeof(T), put_strided)
#define IGET(T, N, op) STRIDED(N##op, T, sizeof(T), get_strided)
#define IBPUT(T, N, op) BLOCKED(N##op, T, sizeof(T), put_strided)
#define IBGET(T, N, op) BLOCKED(N##op, T, sizeof(T), get_strided)
#define IPUT_SIZED(bits, op) STRIDED(op##bits, void, (bits) / 8, put_strided)
#define IGET_SIZED(bits, op) STRIDED(op##bits, void, (bits) / 8, get_strided)
#define IBPUT_SIZED(bits, op) BLOCKED(op##bits, void, (bits) / 8, put_strided)
#define IBGET_SIZED(bits, op) BLOCKED(op##bits, void, (bits) / 8, get_strided)

SHMEMI_TYPES_RMA(IPUT, _iput)
SHMEMI_TYPES_RMA(IGET, _iget)
SHMEMI_TYPES_RMA(IBPUT, _ibput)
SHMEMI_TYPES_RMA(IBGET, _ibget)
SHMEMI_SIZES(IPUT_SIZED, iput)
SHMEMI_SIZES(IGET_SIZED, iget)
SHMEMI_SIZES(IBPUT_SIZED, ibput)
SHMEMI_SIZES(IBGET_SIZED, ibget)

/* Those that do not wait, extensions. */
#define STRIDED_NBI(name, T, bytes, move) \
	STRIDED_AS(SHMEMX_API, "shmemx_", name##_nbi, T, bytes, move, true)
#define BLOCKED_NBI(name, T, bytes, move) \
	BLOCKED_AS(SHMEMX_API, "shmemx_", name##_nbi, T, bytes, move, true)
#define STRIDES_NBI(T, N, op)                             \
	STRIDED_NBI(N##_iput, T, sizeof(T), put_strided)  \
	STRIDED_NBI(N##_iget, T, sizeof(T), get_strided)  \
	BLOCKED_NBI(N##_ibput, T, sizeof(T), put_strided) \
	BLOCKED_NBI(N##_ibget, T, sizeof(T), get_strided)
#define STRIDES_NBI_SIZED(bits, op)                             \
	STRIDED_NBI(iput##bits, void, (bits) / 8, put_strided)  \
	STRIDED_NBI(iget##bits, void, (bits) / 8, get_strided)  \
	BLOCKED_NBI(ibput##bits, void, (bits) / 8, put_strided) \
	BLOCKED_NBI(ibget##bits, void, (bits) / 8, get_strided)

SHMEMI_TYPES_RMA(STRIDES_NBI, _)
SHMEMI_SIZES(STRIDES_NBI_SIZED, _)
