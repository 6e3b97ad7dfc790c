/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdint.h>

#include "span.h"

/* Does the span hold one of @p len bytes, which begin @p off bytes after it? */
static bool
span_holds(const struct shmemi_span *s, int64_t off, size_t len)
{
	int64_t stride = (int64_t)s->stride, last = off + (int64_t)len - 1, i;

	if (last < 0)
		return false;
	/* of the pieces that begin before the end of those bytes, the last one reaches farthest */
	i = last / stride;
	if (i >= (int64_t)s->n)
		i = (int64_t)s->n - 1;
	return i * stride + (int64_t)s->size > off;
}

bool
shmemi_overlap(const struct shmemi_span *a, const struct shmemi_span *b)
{
	int64_t off = (int64_t)((uintptr_t)a->at - (uintptr_t)b->at);
	size_t i;

	if (a->n == 0 || b->n == 0 || off >= (int64_t)shmemi_reach(b) ||
	    off + (int64_t)shmemi_reach(a) <= 0)
		return false;
	for (i = 0; i < a->n; i++)
		if (span_holds(b, off + (int64_t)(i * a->stride), a->size))
			return true;
	return false;
}
