/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "space_agree.h"

#include <stdarg.h>
#include <stdio.h>

#include "coll/coll.h"
#include "coll/work.h"
#include "core/state.h"

static void
join_words(void *out, const void *a, const void *b, size_t n)
{
	const uint64_t *pa = a, *pb = b;
	uint64_t *po = out;
	size_t i;

	for (i = 0; i < n; i++)
		po[i] = pa[i] | pb[i];
}

void
shmemi_space_join(const struct coll_op *op, uint64_t *all, const uint64_t *own, size_t n)
{
	const struct coll_reduction how = {
		.combine = join_words, .size = sizeof(*own), .local = true};

	coll_reduce(op, all, own, n, &how);
}

bool
shmemi_space_failed(const struct coll_op *op, bool own)
{
	uint64_t failed = own, any;

	shmemi_space_join(op, &any, &failed, 1);
	return any != 0;
}

int
shmemi_space_fault(const char *call, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "PE %d: %s: %s\n", shmemi.pe, call, text);
	return -1;
}

int
shmemi_space_refuse(const struct coll_op *op, const char *fmt, ...)
{
	static const struct coll_work sync = {.kind = COLL_WORK_SYNC, .mixes = true};
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (op->rank == 0)
		fprintf(stderr, "%s: %s\n", op->call, text);
	coll_work_run(op, &sync);
	return -1;
}
