/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_SPAN_H
#define SHMEMI_SPAN_H

#include <stdbool.h>
#include <stddef.h>

/** The memory of an argument: @p n pieces, @p stride bytes from one to the next. */
struct shmemi_span {
	const void *at;
	size_t n, size, stride;
};

/** What is done with it. */
enum shmemi_touch {
	SHMEMI_READ,
	SHMEMI_WRITE,
	SHMEMI_ATOMIC, /**< and signals: no race among themselves */
	SHMEMI_LOCK,   /**< no race with anything; orders what follows it */
};

/** Bytes from the first to the last, of a span that is not empty. */
static inline size_t
shmemi_reach(const struct shmemi_span *s)
{
	return (s->n - 1) * s->stride + s->size;
}

/** Do they share a byte? Strided ones may interleave without. */
bool shmemi_overlap(const struct shmemi_span *a, const struct shmemi_span *b) __attribute__((cold));

#endif /* SHMEMI_SPAN_H */
