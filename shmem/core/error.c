/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "caller.h"
#include "error.h"
#include "state.h"
#include "where.h"

_Thread_local uintptr_t shmemi_place;

/* The launcher, which prints the line, adds the number of this PE. */
void
shmemi_fatal(const char *call, const char *fmt, ...)
{
	char text[512], where[160] = "";
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	/* in a forked child another thread may hold the loader's lock for ever */
	if (!shmemi.child)
		shmemi_where(shmemi_place != 0 ? shmemi_place : shmemi_caller_pc(), where,
			     sizeof(where));
	if (*where == '\0')
		rb_report("%s: %s", call, text);
	else
		rb_report("%s: %s (%s)", call, text, where);
	rb_abort(1);
}

void
shmemi_not_up(const char *call)
{
	if (shmemi.child)
		shmemi_fatal(call, "called by a forked child of a PE: a child is not a PE and "
				   "must not call the library");
	shmemi_fatal(call, "called outside of shmem_init and shmem_finalize");
}

/* PE of this host with @p addr in its heap, as shmem_ptr() maps that here; -1: none. */
static int
alias_of(const void *addr)
{
	int pe;

	for (pe = 0; pe < shmemi.npes; pe++) {
		const char *base = rb_ptr(rb_heap_base(), pe);

		if (base != NULL && (uintptr_t)addr - (uintptr_t)base < rb_heap_size())
			return pe;
	}
	return -1;
}

void
shmemi_fail(const char *call, int err, int pe, const void *addr, size_t len)
{
	if (err != -EFAULT)
		shmemi_fatal(call, "address %p, %zu bytes, PE %d: %s", addr, len, pe,
			     rb_strerror(err));
	if (addr == NULL)
		shmemi_fatal(call, "address is NULL, %zu bytes, PE %d", len, pe);
	if (!rb_symmetric(addr, 1) && alias_of(addr) >= 0)
		shmemi_fatal(call,
			     "address %p (PE %d) is not symmetric, but PE %d's heap as shmem_ptr() "
			     "shows it",
			     addr, pe, alias_of(addr));
	if (!rb_symmetric(addr, 1))
		shmemi_fatal(call,
			     "address %p (PE %d) is not symmetric: neither in the symmetric heap "
			     "nor static data of the program",
			     addr, pe);
	if (!rb_symmetric(addr, len))
		shmemi_fatal(call, "%zu bytes at %p (PE %d) run beyond the end of symmetric memory",
			     len, addr, pe);
	shmemi_fatal(call, "address %p (PE %d) is not aligned to %zu bytes", addr, pe, len);
}
