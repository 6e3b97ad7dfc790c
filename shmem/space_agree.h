/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_SPACE_AGREE_H
#define SHMEMI_SPACE_AGREE_H

/**
 * @file
 * What the members of a space tell each other, and the user, while they make or write it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct coll_op;

/** Words of all members, joined by or; private memory. Collective. */
void shmemi_space_join(const struct coll_op *op, uint64_t *all, const uint64_t *own, size_t n);
/** Has any member failed? Collective. */
bool shmemi_space_failed(const struct coll_op *op, bool own);
/** One line of this PE on stderr. @return -1 */
int shmemi_space_fault(const char *call, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/** One line for all members, which have passed the same. Collective: none returns before the line
 *  is out, because it may end the job, and the line would be lost. @return -1 */
int shmemi_space_refuse(const struct coll_op *op, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* SHMEMI_SPACE_AGREE_H */
