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

/* After the members have met: the arrays are in use until this PE leaves. */
static void
touch_spans(const struct coll_op *op, const struct shmemi_span *dest,
	    const struct shmemi_span *source)
{
	if (!shmemi.races)
		return;
	shmemi_race_own(op->call, source, SHMEMI_READ, false);
	shmemi_race_own(op->call, dest, SHMEMI_WRITE, false);
}

static void
check_enter(const struct coll_op *op, const struct coll_signature *sig)
{
	if (op->n > 1)
		(void)coll_check_enter(op, sig, 0);
}

void
coll_enter_sync(const struct coll_op *op, const struct coll_work *w)
{
	const struct coll_signature sig = {.sync = w->mixes};

	if (!shmemi.check)
		return;
	if (shmemi.races && w->kind == COLL_WORK_BARRIER)
		shmemi_race_quiet();
	check_enter(op, &sig);
}

/* Only the root reads its source. */
static __attribute__((cold)) void
check_broadcast(const struct coll_op *op, const struct coll_work *w)
{
	const struct coll_signature sig = {
		.dest = w->len == 0 ? NULL : w->dest,
		.source = w->len == 0 ? NULL : w->source,
		.arg = {{"PE_root", w->root}, {"nelems, in bytes,", (int64_t)w->len}}};
	struct shmemi_span to = span_of_block(w->dest, w->len),
			   from = span_of_block(w->source, op->rank == w->root ? w->len : 0);

	check_spans(op, &to, &from);
	check_enter(op, &sig);
	touch_spans(op, &to, &from);
}

void
coll_enter_broadcast(const struct coll_op *op, const struct coll_work *w)
{
	if (w->root < 0 || w->root >= op->n)
		shmemi_fatal(op->call, "PE_root %d is not in 0..%d", w->root, op->n - 1);
	coll_check_dest(op, w->dest, w->len);
	if (shmemi.check)
		check_broadcast(op, w);
}

/* Members of a collect that have nothing to give are not compared: dest may be of no use either. */
static __attribute__((cold)) void
check_collect(const struct coll_op *op, const struct coll_work *w)
{
	struct coll_signature sig = {.dest = w->len == 0 ? NULL : w->dest,
				     .source = w->len == 0 ? NULL : w->source};
	struct shmemi_span to, from = span_of_block(w->source, w->len);
	size_t total = w->len;

	if (w->kind == COLL_WORK_FCOLLECT) {
		sig.arg[0].name = "nelems, in bytes,";
		sig.arg[0].value = (int64_t)w->len;
	}
	if (op->n > 1)
		total = coll_check_enter(op, &sig, w->len);
	to = span_of_block(w->dest, total);
	check_spans(op, &to, &from);
	touch_spans(op, &to, &from);
}

void
coll_enter_collect(const struct coll_op *op, const struct coll_work *w)
{
	if (shmemi.check)
		check_collect(op, w);
}

static __attribute__((cold)) void
check_alltoalls(const struct coll_op *op, const struct coll_work *w)
{
	const struct coll_strides *shape = &w->shape;
	const struct coll_signature sig = {.dest = shape->nelems == 0 ? NULL : w->dest,
					   .source = shape->nelems == 0 ? NULL : w->source,
					   .arg = {{"nelems", (int64_t)shape->nelems},
						   {"dst", shape->dst},
						   {"sst", shape->sst}}};
	size_t n = shape->nelems * (size_t)op->n, dst = (size_t)shape->dst * shape->size,
	       sst = (size_t)shape->sst * shape->size;
	struct shmemi_span to = {w->dest, n, shape->size, dst},
			   from = {w->source, n, shape->size, sst};

	check_spans(op, &to, &from);
	check_enter(op, &sig);
	touch_spans(op, &to, &from);
}

void
coll_enter_alltoalls(const struct coll_op *op, const struct coll_work *w)
{
	const struct coll_strides *shape = &w->shape;
	size_t last;

	if (shape->nelems != 0) {
		if (shape->dst < 1 || shape->sst < 1)
			shmemi_fatal(op->call, "stride dst %td or sst %td is below 1", shape->dst,
				     shape->sst);
		last = coll_bytes(op->call, shape->nelems, (size_t)op->n) - 1;
		last = coll_bytes(op->call, last, (size_t)shape->dst);
		if (__builtin_add_overflow(last, 1, &last))
			shmemi_fatal(op->call,
				     "%zu elements for each of %d members, %td apart, "
				     "exceed memory",
				     shape->nelems, op->n, shape->dst);
		coll_check_dest(op, w->dest, coll_bytes(op->call, last, shape->size));
	}
	if (shmemi.check)
		check_alltoalls(op, w);
}

static __attribute__((cold)) void
check_fold(const struct coll_op *op, const struct coll_work *w, size_t bytes)
{
	const struct coll_signature sig = {.dest = bytes == 0 ? NULL : w->dest,
					   .source = bytes == 0 ? NULL : w->source,
					   .arg = {{"the number of elements", (int64_t)w->len}}};
	struct shmemi_span to = span_of_block(w->dest, bytes),
			   from = span_of_block(w->source, bytes);

	if (w->dest != w->source)
		check_spans(op, &to, &from);
	check_enter(op, &sig);
	touch_spans(op, &to, &from);
}

void
coll_enter_fold(const struct coll_op *op, const struct coll_work *w)
{
	size_t bytes = coll_bytes(op->call, w->len, w->what.size);

	coll_check_dest(op, w->dest, bytes);
	if (shmemi.check)
		check_fold(op, w, bytes);
}
