/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_GUARD_H
#define COLL_GUARD_H

#include "core/unwind.h"
#include "op.h"

/** Does this collective fail at once, because the ring is stopped or a member is dead? Notes the
 *  error. */
bool coll_refused(const struct coll_op *op);

/** At the start of a function that carries out a collective: it returns @p ret where the collective
 *  cannot be carried out, or ends on the way. A statement of its own, since setjmp() has to be
 * called in a function that does not return before the end. */
#define COLL_GUARD(op, guard, ret)                        \
	do {                                              \
		if (__builtin_expect(shmemi.errors, 0)) { \
			if (coll_refused(op))             \
				return ret;               \
			if (setjmp((guard)->at) != 0)     \
				return ret;               \
			shmemi_guard_begin(guard);        \
		}                                         \
	} while (0)

/** At its end. 0, or -1: others may not have come to the end. */
static inline int
coll_over(void)
{
	return __builtin_expect(shmemi.errors, 0) ? shmemi_guard_end() : 0;
}

#endif /* COLL_GUARD_H */
