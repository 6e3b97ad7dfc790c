/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "core/check.h"
#include "check.h"
#include "enter.h"

/*
 * Arguments of the collectives. In checked mode dest and source may not share a byte: no routine of
 * section 9.9 but reductions and scans names an exception, and those take one array for both, or
 * two that are apart.
 */

static struct shmemi_span
span_of_block(const void *at, size_t len)
{
	return (struct shmemi_span){at, len != 0, len, len};
}

static void
check_spans(const struct coll_op *op, const struct shmemi_span *dest,
	    const struct shmemi_span *source)
{
	if (source->n != 0 && source->at == NULL)
		shmemi_fatal(op->call, "source is NULL, %zu bytes", shmemi_reach(source));
	if (shmemi_overlap(dest, source))
		shmemi_fatal(op->call, "source %p, %zu bytes, and dest %p, %zu bytes, overlap",
			     source->at, shmemi_reach(source), dest->at, shmemi_reach(dest));
}

static void
check_enter(const struct coll_op *op, const struct shmemi_alike *alike)
{
	if (op->n > 1)
		(void)coll_check_enter(op, alike, 0);
}

void
coll_enter_sync(const struct coll_op *op)
{
	const struct shmemi_alike alike = {.sync = true};

	if (shmemi.check)
		check_enter(op, &alike);
}

/* It meets no blocking one. */
void
coll_enter_posted(const struct coll_op *op)
{
	static const struct shmemi_alike alike;

	if (shmemi.check)
		check_enter(op, &alike);
}

/* Only the root reads its source. */
static __attribute__((cold)) void
check_broadcast(const struct coll_op *op, const void *dest, const void *source, size_t len,
		int root)
{
	const struct shmemi_alike alike = {
		.dest = len == 0 ? NULL : dest,
		.source = len == 0 ? NULL : source,
		.arg = {{"PE_root", root}, {"nelems, in bytes,", (int64_t)len}}};
	struct shmemi_span to = span_of_block(dest, len),
			   from = span_of_block(source, op->rank == root ? len : 0);

	check_spans(op, &to, &from);
	check_enter(op, &alike);
}

void
coll_enter_broadcast(const struct coll_op *op, const void *dest, const void *source, size_t len,
		     int root)
{
	if (root < 0 || root >= op->n)
		shmemi_fatal(op->call, "PE_root %d is not in 0..%d", root, op->n - 1);
	coll_check_dest(op, dest, len);
	if (shmemi.check)
		check_broadcast(op, dest, source, len, root);
}

/* Members of a collect that have nothing to give are not compared: dest may be of no use either. */
static __attribute__((cold)) void
check_collect(const struct coll_op *op, const void *dest, const void *source, size_t len,
	      bool exact)
{
	struct shmemi_alike alike = {.dest = len == 0 ? NULL : dest,
				     .source = len == 0 ? NULL : source};
	struct shmemi_span to, from = span_of_block(source, len);
	size_t total = len;

	if (exact) {
		alike.arg[0].name = "nelems, in bytes,";
		alike.arg[0].value = (int64_t)len;
	}
	if (op->n > 1)
		total = coll_check_enter(op, &alike, len);
	to = span_of_block(dest, total);
	check_spans(op, &to, &from);
}

void
coll_enter_collect(const struct coll_op *op, const void *dest, const void *source, size_t len,
		   bool exact)
{
	if (shmemi.check)
		check_collect(op, dest, source, len, exact);
}

static __attribute__((cold)) void
check_alltoalls(const struct coll_op *op, const void *dest, const void *source,
		const struct coll_strides *shape)
{
	const struct shmemi_alike alike = {.dest = shape->nelems == 0 ? NULL : dest,
					   .source = shape->nelems == 0 ? NULL : source,
					   .arg = {{"nelems", (int64_t)shape->nelems},
						   {"dst", shape->dst},
						   {"sst", shape->sst}}};
	size_t n = shape->nelems * (size_t)op->n, dst = (size_t)shape->dst * shape->size,
	       sst = (size_t)shape->sst * shape->size;
	struct shmemi_span to = {dest, n, shape->size, dst}, from = {source, n, shape->size, sst};

	check_spans(op, &to, &from);
	check_enter(op, &alike);
}

void
coll_enter_alltoalls(const struct coll_op *op, const void *dest, const void *source,
		     const struct coll_strides *shape)
{
	size_t last;

	if (shape->nelems != 0) {
		if (shape->dst < 1 || shape->sst < 1)
			shmemi_fatal(op->call, "stride dst %td or sst %td is below 1", shape->dst,
				     shape->sst);
		last = coll_bytes(op, shape->nelems, (size_t)op->n) - 1;
		last = coll_bytes(op, last, (size_t)shape->dst);
		if (__builtin_add_overflow(last, 1, &last))
			shmemi_fatal(op->call,
				     "%zu elements for each of %d members, %td apart, "
				     "exceed memory",
				     shape->nelems, op->n, shape->dst);
		coll_check_dest(op, dest, coll_bytes(op, last, shape->size));
	}
	if (shmemi.check)
		check_alltoalls(op, dest, source, shape);
}

static __attribute__((cold)) void
check_fold(const struct coll_op *op, const void *dest, const void *source, size_t n, size_t size)
{
	const struct shmemi_alike alike = {.dest = n == 0 ? NULL : dest,
					   .source = n == 0 ? NULL : source,
					   .arg = {{"the number of elements", (int64_t)n}}};
	struct shmemi_span to = span_of_block(dest, n * size),
			   from = span_of_block(source, n * size);

	if (dest != source)
		check_spans(op, &to, &from);
	check_enter(op, &alike);
}

void
coll_enter_fold(const struct coll_op *op, const void *dest, const void *source, size_t n,
		size_t size)
{
	coll_check_dest(op, dest, coll_bytes(op, n, size));
	if (shmemi.check)
		check_fold(op, dest, source, n, size);
}
