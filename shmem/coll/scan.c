/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "coll.h"

/*
 * A chain through the ranks, in chunks: a member gets the scan up to the rank before it, adds its
 * part and hands it on while the next chunk comes. Nothing waits for what is behind it, so there
 * is no deadlock however few buffers there are.
 */
struct scan {
	const struct coll_op *op;
	const struct coll_reduction *what;
	char *dest;
	const char *source;
	bool inclusive;
};

/*
 * sum: the scan up to the rank before; becomes the one up to this rank. Source and destination may
 * be the same, so the source is put aside, a bit at a time.
 */
static void
step(const struct scan *s, char *sum, size_t at, size_t len)
{
	_Alignas(16) char own[512];
	size_t part, done;

	for (done = 0; done < len; done += part) {
		part = len - done < sizeof(own) ? len - done : sizeof(own);
		memcpy(own, s->source + at + done, part);
		if (!s->inclusive)
			memcpy(s->dest + at + done, sum + done, part);
		s->what->combine(sum + done, sum + done, own, part / s->what->size);
		if (s->inclusive)
			memcpy(s->dest + at + done, sum + done, part);
	}
}

static void
chunk(const struct scan *s, size_t at, size_t len)
{
	bool last = s->op->rank == s->op->n - 1;
	char *sum;

	if (s->op->rank != 0) {
		sum = coll_receive(s->op, COLL_UP);
		step(s, sum, at, len);
		if (!last)
			coll_send(s->op, COLL_UP, sum, len);
		coll_release(s->op, COLL_UP);
		return;
	}
	if (!last)
		coll_send(s->op, COLL_UP, s->source + at, len);
	if (!s->inclusive)
		memset(s->dest + at, 0, len);
	else if (s->dest != s->source)
		memcpy(s->dest + at, s->source + at, len);
}

void
coll_scan(const struct coll_op *op, void *dest, const void *source, size_t n,
	  const struct coll_reduction *what, bool inclusive)
{
	const struct scan s = {
		.op = op, .what = what, .dest = dest, .source = source, .inclusive = inclusive};
	size_t len = n * what->size, at, part;

	for (at = 0; at < len; at += part) {
		part = len - at < COLL_CHUNK ? len - at : COLL_CHUNK;
		chunk(&s, at, part);
	}
}
