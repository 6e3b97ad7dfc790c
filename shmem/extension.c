/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <sys/utsname.h>

#define SHMEMX_INLINE
#include "core/shmemi.h"
#include "shmemx.h"

/* Programs have the runtime's table compiled in. */
#define SAME(field)                                                                            \
	_Static_assert(offsetof(struct shmemx_near, field) == offsetof(struct rb_fast, field), \
		       #field " is elsewhere")
SAME(heap.here);
SAME(heap.words);
SAME(heap.shift);
SAME(data.here);
SAME(data.words);
SAME(data.shift);
_Static_assert(sizeof(struct shmemx_near) == sizeof(struct rb_fast), "the tables differ");

_Static_assert((int)SHMEMX_NEAR_PES == (int)RB_FAST_PES, "the tables differ in length");

SHMEMI_EXPORT const struct shmemx_near *const shmemx_near =
	(const struct shmemx_near *)(const void *)rb_fast;

SHMEMI_EXPORT double
shmemx_wtime(void)
{
	return (double)rb_now_ns() * 1e-9;
}

SHMEMI_EXPORT char *
shmemx_nodename(void)
{
	static _Thread_local struct utsname name;

	return uname(&name) == 0 ? name.nodename : NULL;
}

SHMEMI_EXPORT void *
shmemx_window(int pe, size_t *len)
{
	shmemi_enter("shmemx_window");
	if (pe < 0 || pe >= shmemi.npes || len == NULL)
		return NULL;
	return rb_window(pe, len);
}
