/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "raw.h"
#include "token.h"

/* What a start calls ten thousand times, and nobody waits for: a trap takes ten times as long. */

static int
quick_return(long ret)
{
	if (ret >= 0)
		return (int)ret;
	errno = (int)-ret;
	return -1;
}

int
access(const char *path, int mode)
{
	return quick_return(RAW2(SYS_access, path, mode));
}

int
fstat(int fd, struct stat *st)
{
	return quick_return(RAW2(SYS_fstat, fd, st));
}

int
fcntl(int fd, int command, ...)
{
	va_list more;
	long arg;

	va_start(more, command);
	arg = va_arg(more, long);
	va_end(more);
	if (dst_self != NULL)
		return quick_return(dst_lock(SYS_fcntl, (const long[]){fd, command, arg}));
	return quick_return(RAW3(SYS_fcntl, fd, command, arg));
}

/* A lock that is free takes no system call: a point in front of each. */
#define POINT_AT(name)                                                   \
	int name(pthread_mutex_t *at)                                    \
	{                                                                \
		static int (*real)(pthread_mutex_t *);                   \
                                                                         \
		if (real == NULL)                                        \
			real = dlsym(RTLD_NEXT, #name);                  \
		if (dst_self != NULL)                                    \
			dst_point(DST_LOCK, dst_place((uint64_t)at), 0); \
		return real(at);                                         \
	}

POINT_AT(pthread_mutex_lock)
POINT_AT(pthread_mutex_trylock)
POINT_AT(pthread_mutex_unlock)
