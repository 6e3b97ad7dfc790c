/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Waits and tests of each type.
 */
#include "../multi/types.h"
#include "run.h"

/* Which of the calls, as one number. */
enum {
	VECTOR = 8,
	TEST = 16,
};

#define WAIT(T, N)                                                                                \
	static void wait_##N(struct wait_call *c)                                                 \
	{                                                                                         \
		T *v = c->ivars;                                                                  \
		const T *x = c->values;                                                           \
		const int *s = c->status;                                                         \
                                                                                                  \
		c->ret = 1;                                                                       \
		switch (c->what + (c->vector ? VECTOR : 0) + (c->test ? TEST : 0)) {              \
		case W_ONE:                                                                       \
			shmem_##N##_wait_until(v, c->cmp, *x);                                    \
			break;                                                                    \
		case W_ALL:                                                                       \
			shmem_##N##_wait_until_all(v, c->n, s, c->cmp, *x);                       \
			break;                                                                    \
		case W_ALL + VECTOR:                                                              \
			shmem_##N##_wait_until_all_vector(v, c->n, s, c->cmp, x);                 \
			break;                                                                    \
		case W_ANY:                                                                       \
			c->ret = shmem_##N##_wait_until_any(v, c->n, s, c->cmp, *x);              \
			break;                                                                    \
		case W_ANY + VECTOR:                                                              \
			c->ret = shmem_##N##_wait_until_any_vector(v, c->n, s, c->cmp, x);        \
			break;                                                                    \
		case W_SOME:                                                                      \
			c->ret = shmem_##N##_wait_until_some(v, c->n, c->indices, s, c->cmp, *x); \
			break;                                                                    \
		case W_SOME + VECTOR:                                                             \
			c->ret = shmem_##N##_wait_until_some_vector(v, c->n, c->indices, s,       \
								    c->cmp, x);                   \
			break;                                                                    \
		case W_ONE + TEST:                                                                \
			c->ret = (size_t)shmem_##N##_test(v, c->cmp, *x);                         \
			break;                                                                    \
		case W_ALL + TEST:                                                                \
			c->ret = (size_t)shmem_##N##_test_all(v, c->n, s, c->cmp, *x);            \
			break;                                                                    \
		case W_ALL + VECTOR + TEST:                                                       \
			c->ret = (size_t)shmem_##N##_test_all_vector(v, c->n, s, c->cmp, x);      \
			break;                                                                    \
		case W_ANY + TEST:                                                                \
			c->ret = shmem_##N##_test_any(v, c->n, s, c->cmp, *x);                    \
			break;                                                                    \
		case W_ANY + VECTOR + TEST:                                                       \
			c->ret = shmem_##N##_test_any_vector(v, c->n, s, c->cmp, x);              \
			break;                                                                    \
		case W_SOME + TEST:                                                               \
			c->ret = shmem_##N##_test_some(v, c->n, c->indices, s, c->cmp, *x);       \
			break;                                                                    \
		default:                                                                          \
			c->ret = shmem_##N##_test_some_vector(v, c->n, c->indices, s, c->cmp, x); \
		}                                                                                 \
	}
TYPES_AMO(WAIT)

/* in the order of the table of types */
void (*const wait_calls[TYPES])(struct wait_call *) = {
	NULL,	    NULL,	    NULL,	   NULL,	NULL,	    NULL,
	wait_int,   wait_long,	    wait_longlong, NULL,	NULL,	    wait_uint,
	wait_ulong, wait_ulonglong, NULL,	   NULL,	wait_int32, wait_int64,
	NULL,	    NULL,	    wait_uint32,   wait_uint64, wait_size,  wait_ptrdiff,
};
